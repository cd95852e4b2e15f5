// Exit codes: part of the contract with pipelines, the same in every output format.

export const EXIT = {
  done: 0,
  error: 1,
  pending: 2,
  partial: 3,
  invalid: 4,
  refused: 5,
  stale: 6,
  unknown: 7,
  usage: 64,
  output: 74,
  interrupted: 130,
  terminated: 143,
} as const;

/** The code for a run that a signal ended, as shells expect it. */
export function interruptCode(signalName: string | undefined): ExitCode {
  return signalName === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
}

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
