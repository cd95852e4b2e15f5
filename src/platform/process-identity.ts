// Identifies this process, so that a later one can check whether the holder of a lock still runs.

import { hostname } from 'node:os';
import { lazy } from '../core/lazy.ts';
import { tryTo } from '../core/try.ts';
import { linkTarget } from './paths.ts';
import { readText } from './read.ts';

/** More than the kernel returns for anything read here. */
const FEW = { maxBytes: 64 * 1024 };

export interface ProcessIdentity {
  readonly pid: number;
  /** Start time of the process in clock ticks since boot, because process ids are reused. Empty if unknown. */
  readonly birth: string;
  readonly host: string;
  /** Id of this boot and of the pid namespace. Empty if unknown. */
  readonly bootId: string;
  /** True unless the process with this pid and start time has certainly ended. */
  readonly isAlive: (pid: number, birth: string) => boolean;
}

/** Computed once: it does not change while the process lives. */
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

/** From `/proc`; undefined on other platforms. After the name in parentheses follow the state, the parent and so on. */
function statusOf(pid: number): { readonly birth: string; readonly hasEnded: boolean } | undefined {
  const text = tryTo(() => readText(`/proc/${pid}/stat`, FEW)) ?? '';
  const parts = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, birth] = [parts[0], parts[19]];
  // A zombie: it has ended, but keeps its pid until its parent waits for it.
  return birth === undefined ? undefined : { birth, hasEnded: state === 'Z' || state === 'X' };
}
