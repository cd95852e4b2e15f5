// Every diagnostic code: title, explanation and usual fix. `docs/errors.md` is generated from this table.

export interface CodeEntry {
  readonly title: string;
  readonly explanation: string;
  readonly fix: string;
}

export const codes = {
  'unknown-field': {
    title: 'Unknown field',
    explanation: 'The name is not a field of this block. Unknown names are errors so that a typo cannot silently do nothing.',
    fix: 'Correct the spelling, or remove the line. `edgeform explain KIND` lists the fields.',
  },
  'foreign-object': {
    title: 'A foreign object stands in the way',
    explanation: 'An object without this stack’s marker holds a value that must be unique, such as a hostport.',
    fix: 'Take it over with `lifecycle: { adopt: ID }`, or free the value.',
  },
  'api-unreachable': {
    title: 'The service could not be reached',
    explanation: 'No usable answer came back: refused, timed out, or not the API.',
    fix: 'Check the base URL, the network and the proxy settings, then run the command again.',
  },
} as const satisfies Readonly<Record<string, CodeEntry>>;

export type Code = keyof typeof codes;
