// Scripted faults: which one a request gets. Counting is the only state.

import type { Fault } from './options.ts';

/** Gives the fault of each request in turn, or undefined. */
export function faultScript(faults: readonly Fault[]): (method: string, path: string) => Fault['action'] | undefined {
  const counts = faults.map(() => 0);
  return (method, path) => {
    let chosen: Fault['action'] | undefined;
    faults.forEach((fault, index) => {
      if (fault.method !== undefined && fault.method !== method) return;
      if (fault.path !== undefined && !new RegExp(fault.path).test(path)) return;
      const count = (counts[index] ?? 0) + 1;
      counts[index] = count;
      if (fault.nth === undefined || fault.nth === count) chosen ??= fault.action;
    });
    return chosen;
  };
}
