// Which process this is, in words that a later one can check: whether the holder of a lock still runs.

import { hostname } from 'node:os';
import { lazy } from '../core/lazy.ts';
import { tryTo } from '../core/try.ts';
import { linkTarget } from './paths.ts';
import { readText } from './read.ts';

/** More than the kernel says about anything that is asked here. */
const FEW = { maxBytes: 64 * 1024 };

export interface ProcessIdentity {
  readonly pid: number;
  /** When the process began, in ticks since the machine did; numbers of processes are used again. Empty if not known. */
  readonly birth: string;
  readonly host: string;
  /** This start of the machine, and the namespace that numbers of processes belong to. Empty if not known. */
  readonly bootId: string;
  /** True unless it is certain that the process of this number and birth has ended. */
  readonly isAlive: (pid: number, birth: string) => boolean;
}

/** Asked once: nothing of it changes while the process lives. */
export const thisProcess = lazy((): ProcessIdentity => {
  const namespace = tryTo(() => linkTarget('/proc/self/ns/pid')) ?? '';
  const boot = tryTo(() => readText('/proc/sys/kernel/random/boot_id', FEW).trim()) ?? '';
  return {
    pid: process.pid,
    birth: statusOf(process.pid)?.birth ?? '',
    host: hostname(),
    bootId: [boot, namespace].filter((part) => part !== '').join(' '),
    isAlive,
  };
});

function isAlive(pid: number, birth: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
  const status = statusOf(pid);
  if (status === undefined) return true;
  return !status.hasEnded && (birth === '' || birth === status.birth);
}

/** From `/proc`; undefined on other platforms. What follows the name in parentheses is state, parent, and so on. */
function statusOf(pid: number): { readonly birth: string; readonly hasEnded: boolean } | undefined {
  const text = tryTo(() => readText(`/proc/${pid}/stat`, FEW)) ?? '';
  const parts = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, birth] = [parts[0], parts[19]];
  // Ended, but its parent has not asked how: it still has its number.
  return birth === undefined ? undefined : { birth, hasEnded: state === 'Z' || state === 'X' };
}
