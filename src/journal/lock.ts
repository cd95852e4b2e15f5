// Lock file for one run at a time; it names its holder. If that process has ended, exactly one other takes over. What a machine that
// loses its power forgets of it does not matter: no holder is alive afterwards.

import type { Diagnostic, Result } from '../core/diagnostic.ts';
import { shortDigest } from '../core/digest.ts';
import { isObject, tryParseJson } from '../core/json.ts';
import type { Files } from '../platform/files.ts';
import type { ProcessIdentity } from '../platform/process-identity.ts';

interface LockOwner extends ProcessIdentity {
  readonly run: string;
  /** Wall time for people. */
  readonly since: string;
}

/** Releases the lock if it is still ours. */
type Release = () => void;

interface Holder {
  readonly pid: number;
  readonly birth: string;
  readonly host: string;
  readonly boot: string;
  readonly since: string;
}

/** Not worth a flush of its folder. */
const BRIEF = { isLasting: false };

/** Maximum nesting of takeovers that crashed during a takeover. */
const DEEPEST = 3;

/** Takes the lock, or reports who holds it. `depth`: number of nested takeovers. */
export function takeLock(path: string, files: Files, owner: LockOwner, depth = 0): Result<Release> {
  const { pid, birth, host, bootId: boot, run, since } = owner;
  const text = `${JSON.stringify({ pid, birth, host, boot, run, since })}\n`;
  let holder: Holder | undefined;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (files.createExclusive(path, text)) {
      const value = () => {
        if (files.read(path) === text) files.remove(path, BRIEF);
      };
      return { value, diagnostics: [] };
    }
    const found = files.read(path);
    if (found === undefined) continue;
    holder = holderOf(found);
    if (depth >= DEEPEST || !isEnded(holder, owner)) break;
    const { value: release } = takeLock(takeoverOf(path, found), files, owner, depth + 1);
    if (release === undefined) break;
    if (files.read(path) === found) files.remove(path, BRIEF);
    release();
  }
  return { diagnostics: [locked(path, holder)] };
}

/** A process has certainly ended only if it ran on this machine since its last boot. */
function isEnded(holder: Holder | undefined, owner: LockOwner): boolean {
  if (holder === undefined || holder.host !== owner.host || holder.boot !== owner.bootId) return false;
  return !owner.isAlive(holder.pid, holder.birth);
}

/**
 * The lock held while the lock of an ended process is removed. Its name is a digest of that lock's text, short whatever the
 * lock's name: otherwise, the slower of two processes would remove the new lock of the faster.
 */
function takeoverOf(path: string, found: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}.${shortDigest(found)}.lock`;
}

function holderOf(text: string): Holder | undefined {
  const raw = tryParseJson(text);
  if (!isObject(raw)) return undefined;
  const { pid, birth, host, boot, since } = raw;
  const isKnown = typeof pid === 'number' && typeof birth === 'string' && typeof host === 'string';
  return isKnown && typeof boot === 'string' && typeof since === 'string'
    ? { pid, birth, host, boot, since }
    : undefined;
}

function locked(path: string, holder: Holder | undefined): Diagnostic {
  const who =
    holder === undefined
      ? 'a process that it does not name'
      : `process ${holder.pid} on ${JSON.stringify(holder.host)} since ${JSON.stringify(holder.since)}`;
  return {
    code: 'journal-locked',
    severity: 'error',
    message: `${JSON.stringify(path)} is held by ${who}`,
    fix: `wait until that run has ended; if you are sure that it has, remove ${JSON.stringify(path)}`,
  };
}
