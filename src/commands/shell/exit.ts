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

/** What somebody has to know first comes first. */
const WORST_FIRST: readonly ExitCode[] = [
  EXIT.interrupted,
  EXIT.terminated,
  EXIT.unknown,
  EXIT.partial,
  EXIT.error,
  EXIT.invalid,
  EXIT.refused,
  EXIT.stale,
  EXIT.usage,
  EXIT.output,
  EXIT.pending,
  EXIT.done,
];

/** The code that says most of two things that happened. */
export function worstOf(one: ExitCode, other: ExitCode): ExitCode {
  return WORST_FIRST.find((code) => code === one || code === other) ?? one;
}

/** The code for a run that a signal ended, as shells expect it. */
export function interruptCode(signalName: string | undefined): ExitCode {
  return signalName === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
}

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What each means, for `--help`; README shows the same table. */
export const MEANINGS: readonly { readonly codes: readonly ExitCode[]; readonly text: string }[] = [
  { codes: [EXIT.done], text: 'done' },
  { codes: [EXIT.error], text: 'error' },
  { codes: [EXIT.pending], text: 'changes pending (`plan --detailed-exitcode`), or drift (`drift`)' },
  { codes: [EXIT.partial], text: 'partly applied; run apply again, it continues from there' },
  { codes: [EXIT.invalid], text: 'invalid input: manifest, variables, settings' },
  { codes: [EXIT.refused], text: 'refused by a safety rule, before the first write' },
  { codes: [EXIT.stale], text: 'the saved plan is out of date; nothing was written' },
  { codes: [EXIT.unknown], text: 'the outcome of a write is unknown and a person must look' },
  { codes: [EXIT.usage], text: 'wrong usage' },
  { codes: [EXIT.output], text: 'output could not be written' },
  { codes: [EXIT.interrupted, EXIT.terminated], text: 'interrupted' },
];
