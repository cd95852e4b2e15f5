// The accounts in one journal (ADR-0081). A key leads to one account of a service, and nothing names it, but an id is alive in its own
// account only. A run that finds alive none of the objects that the journal knows begins a new account; of several accounts, the
// lines of the one count whose objects are alive, else the newest.

import type { BeginEntry, JournalEntry } from './entry.ts';
import { compact } from './replay.ts';

/** What one account has in a journal. */
export interface AccountEntries {
  readonly account: number;
  readonly entries: readonly JournalEntry[];
}

/** Those that so many others were used after are forgotten: a stack whose last object was deleted outside leaves one behind. */
const MOST = 8;

/** The account of a run: the first one unless it says otherwise. */
const accountOf = ({ account = 1 }: BeginEntry): number => account;

/** The entries of each account, in the order of their last runs: the newest is the last. Never empty. */
export function accountsIn(entries: readonly JournalEntry[]): readonly AccountEntries[] {
  const found = new Map<number, JournalEntry[]>();
  let own: JournalEntry[] = [];
  for (const entry of entries) {
    if (entry.type === 'begin') {
      const account = accountOf(entry);
      own = found.get(account) ?? [];
      found.delete(account);
      found.set(account, own);
    }
    own.push(entry);
  }
  if (found.size === 0) return [{ account: 1, entries }];
  return [...found].slice(-MOST).map(([account, list]) => ({ account, entries: list }));
}

/** A number that no account of the journal has. */
export function newAccount(accounts: readonly AccountEntries[]): number {
  return Math.max(...accounts.map(({ account }) => account)) + 1;
}

/** The entries that count, account by account. */
export function compactAccounts(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  return accountsIn(entries).flatMap((one) => compact(one.entries));
}

/**
 * The account of which most of what it expects is alive; if nothing is, one with anything alive that it ever knew. The newest of
 * several, and if nothing is alive at all.
 */
export function livingAccount<Account>(
  accounts: readonly Account[],
  idsOf: (account: Account) => { readonly expected: Iterable<string>; readonly known: Iterable<string> },
  isAlive: (id: string) => boolean,
): Account | undefined {
  if (accounts.length < 2) return accounts[0];
  const counted = accounts.map((account) => {
    const { expected, known } = idsOf(account);
    const alive = [...expected].filter(isAlive).length;
    // Less than one expected object.
    return { account, alive: alive > 0 ? alive : [...known].some(isAlive) ? 0.5 : 0 };
  });
  const most = Math.max(...counted.map(({ alive }) => alive));
  return counted.findLast(({ alive }) => alive === most)?.account;
}
