// Why something that drifted is not written into a manifest, and what to do instead.

import type { SourceRange } from '../core/diagnostic.ts';

export const REASONS = {
  preset: {
    text: 'stands in a preset, which other blocks may use',
    fix: 'change the preset by hand, or give the block a value of its own',
  },
  variable: {
    text: 'is the value of a variable',
    fix: 'give the variable another value, or write the value in its place',
  },
  reference: { text: 'is a reference', fix: 'let it refer to another object, or write the value in its place' },
  file: { text: 'is the content of a file', fix: 'change the file by hand' },
  'unknown-cause': {
    text: 'differs, and nobody knows whether it was changed outside or is not applied yet',
    fix: 'accept it by its address if it was changed outside; otherwise apply',
  },
  'both-causes': {
    text: 'was changed outside and in the manifest, and nobody knows which part by whom',
    fix: 'accept it by its address or path if what is live is right; otherwise apply',
  },
  doubtful: {
    text: 'is doubted by a safety rule or an error, which stops apply, too',
    fix: 'see what drift says of it; this may be another service or account',
  },
  secret: {
    text: 'is or holds a secret, which no manifest has',
    fix: 'give the manifest a sensitive variable for it; or let apply put the value of the manifest back',
  },
  'hidden-secret': {
    text: 'is beside a secret that the service does not show, which may have been changed, too',
    fix: 'change it by hand and apply, which writes the field with its secret as the manifest has it; or let apply put the value of the manifest back',
  },
  'adopted-secret': {
    text: 'holds a secret, which nobody can read',
    fix: 'add the block that drift shows, with a sensitive variable for the secret',
  },
  'literal-secret': {
    text: 'stands in a file that holds a secret in clear, and such a file is not written',
    fix: 'put the secret into a sensitive variable, or change the file by hand',
  },
  link: { text: 'stands in a file that is a symbolic link', fix: 'name the file that it leads to' },
  'standard-input': { text: 'was read from a pipe', fix: 'name the file with -f' },
  'other-stacks': {
    text: 'stands in a file that other stacks of the fleet read, too',
    fix: 'change it by hand for all of them, or give this stack an overlay of its own',
  },
  'other-environments': {
    text: 'stands in a manifest for several environments: the name of its stack holds a variable',
    fix: 'give this environment an overlay of its own, and name it with --overlay; or change it by hand for all of them',
  },
  referenced: {
    text: 'is gone, but something still refers to it',
    fix: 'remove what refers to it first; or let apply create it again',
  },
  parent: { text: 'is in an object that stays in the manifest', fix: 'see what is said of that object' },
  inexpressible: {
    text: 'has a value that no manifest can hold',
    fix: 'change it at the service; or let apply put the value of the manifest back',
  },
  marker: { text: 'has another marker, which is in no manifest', fix: 'let apply write the marker again' },
  duplicate: { text: 'exists several times', fix: 'delete all but one of the objects yourself' },
  unmanaged: { text: 'is in no stack', fix: 'adopt it with a block; export --unmanaged writes it' },
  unadoptable: { text: 'is an object that no new block can adopt', fix: 'do what drift says of it' },
  computed: { text: 'is a value that no manifest sets', fix: 'change it at the service, where that is possible' },
  shared: { text: 'has an anchor, an alias or a tag', fix: 'write the value at each place' },
  invalid: {
    text: 'would make the manifest invalid',
    fix: 'change by hand what stands against it, too; or let apply put the value of the manifest back',
  },
  form: { text: 'stands in a form that cannot be edited', fix: 'change it by hand' },
} as const satisfies Readonly<Record<string, { readonly text: string; readonly fix: string }>>;

export type Reason = keyof typeof REASONS;

/** Something that drifted and that is not written. */
export interface LeftOut {
  readonly fingerprint: string;
  /** Null for what has none. */
  readonly address: string | null;
  /** Null for a whole object. */
  readonly path: string | null;
  readonly reason: Reason;
  /** The sentence. */
  readonly message: string;
  readonly fix: string;
  /** Where it stands, as far as it stands anywhere. */
  readonly range?: SourceRange;
}
