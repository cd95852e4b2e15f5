// Journals to test with: files in memory that count and fail on demand, and runs as entries.

import { basename, dirname } from 'node:path';
import fc from 'fast-check';
import { FileError } from '../../src/platform/file-error.ts';
import type { Files } from '../../src/platform/files.ts';
import type { BeginEntry, EndEntry, JournalEntry, IntentEntry } from '../../src/journal/entry.ts';
import { JOURNAL_VERSION } from '../../src/journal/entry.ts';

export interface Disk {
  readonly files: Files;
  readonly content: Map<string, string>;
  /** Effects so far, such as `append`. */
  readonly effects: string[];
  /** Called before each effect; throws to fail it, and may leave a part of the text. */
  before: (effect: string, path: string, text: string) => void;
  /** How long a flush takes. */
  flush: () => Promise<void>;
}

export function memoryDisk(content = new Map<string, string>()): Disk {
  const effect = (name: string, path: string, text: string) => {
    disk.before(name, path, text);
    disk.effects.push(name);
  };
  const disk: Disk = {
    content,
    effects: [],
    before: () => undefined,
    flush: () => Promise.resolve(),
    files: {
      read: (path) => content.get(path),
      exists: (path) => content.has(path),
      namesIn: (folder) => [...content.keys()].filter((path) => dirname(path) === folder).map((path) => basename(path)),
      isReplaceable: () => true,
      writeAtomic: (path, text) => {
        effect('atomic', path, text);
        content.set(path, text);
      },
      createPrivate: (path, text) => {
        effect('once', path, text);
        if (content.has(path)) throw new FileError(path, 'EEXIST');
        content.set(path, text);
      },
      openAppender: (path) => ({
        append: async (text) => {
          effect('append', path, text);
          await disk.flush();
          content.set(path, (content.get(path) ?? '') + text);
        },
        close: () => undefined,
      }),
      createExclusive: (path, text) => {
        effect('create', path, text);
        if (content.has(path)) return false;
        content.set(path, text);
        return true;
      },
      remove: (path) => {
        effect('remove', path, '');
        content.delete(path);
      },
      prepareDirectory: () => undefined,
      openSink: () => {
        throw new Error('a journal is no sink');
      },
    },
  };
  return disk;
}

export const begin = (run: string): BeginEntry => ({
  type: 'begin',
  v: JOURNAL_VERSION,
  run,
  stack: 'shop',
  service: 'https://api.example.com/',
  at: '2026-01-02T03:04:05.678Z',
});

export const intent = (run: string, n: number, more: Partial<IntentEntry> = {}): IntentEntry => ({
  type: 'intent',
  n,
  run,
  address: 'things.a',
  kind: 'thing',
  method: 'POST',
  path: '/things',
  live_id: null,
  parent_id: null,
  at: '2026-01-02T03:04:05.678Z',
  ...more,
});

export const update = (run: string, n: number, id: string, address = 'things.a'): IntentEntry =>
  intent(run, n, { method: 'PATCH', path: `/things/${id}`, live_id: id, address });

export const deletion = (run: string, n: number, id: string, address = 'things.a'): IntentEntry =>
  intent(run, n, { method: 'DELETE', path: `/things/${id}`, live_id: id, address });

export const outcome = (n: number, status: 'done' | 'rejected' | 'unknown', id?: string): JournalEntry => ({
  type: 'outcome',
  n,
  status,
  ...(id !== undefined && { live_id: id }),
});

export const resolved = (as: string, address = 'things.a'): JournalEntry => ({
  type: 'resolved',
  address,
  as: as === 'absent' ? as : { id: as },
});

const ids = fc.constantFrom('t_1', 't_2', 't_3', 't_4');
const addresses = fc.constantFrom('things.a', 'things.b');
const statuses = fc.constantFrom('done', 'rejected', 'unknown', undefined);

const parents = fc.constantFrom(null, 't_1', 'p_1');
const replaced = fc.constantFrom(undefined, undefined, 't_1', 't_2');
const writes = fc.constantFrom(update, deletion, (...args: Parameters<typeof update>) => ({
  ...update(...args),
  releases: true as const,
}));

type Move = (run: string, n: number) => readonly JournalEntry[];
const moves: fc.Arbitrary<Move> = fc.oneof(
  fc.tuple(addresses, statuses, ids, parents, replaced).map(([address, status, id, parent, replaces]): Move => {
    const more = { address, parent_id: parent, ...(replaces !== undefined && { replaces }) };
    return (run, n) => [intent(run, n, more), ...(status ? [outcome(n, status, id)] : [])];
  }),
  fc.tuple(addresses, statuses, ids, parents, writes).map(([address, status, id, parent, write]): Move => {
    return (run, n) => [{ ...write(run, n, id, address), parent_id: parent }, ...(status ? [outcome(n, status)] : [])];
  }),
  fc.tuple(addresses, fc.oneof(ids, fc.constant('absent'))).map(([address, as]): Move => () => [resolved(as, address)]),
  fc.tuple(addresses, ids).map(([address, id]): Move => () => [{ type: 'stored', address, live_id: id }]),
);

const ends = fc.constantFrom<Omit<EndEntry, 'type' | 'run'> | undefined>(
  undefined,
  { result: '1' },
  { result: '0' },
  { result: '0', objects: [] },
  { result: '0', objects: [{ id: 't_1', address: 'things.a', created_here: true, token_stored: true }] },
  { result: '0', objects: [{ id: 't_2', address: 'things.b', parent_id: 't_1', is: 'leaving' }] },
);

/** Journals of several runs, ended or not. */
export const journals: fc.Arbitrary<readonly JournalEntry[]> = fc
  .array(fc.tuple(fc.array(moves, { maxLength: 8 }), ends), { minLength: 1, maxLength: 4 })
  .map((runs) =>
    runs.flatMap(([list, ended], at): JournalEntry[] => {
      const run = `run${at}`;
      const end: JournalEntry[] = ended === undefined ? [] : [{ type: 'end', run, ...ended }];
      return [begin(run), ...list.flatMap((move, index) => move(run, index + 1)), ...end];
    }),
  );
