// What people know from other tools and a manifest does not have, and what takes its place. Each fix stands alone, and quotes
// nothing that the user wrote, which may be a secret.

import { EXAMPLES } from '../catalog/examples.ts';
import { ADD } from '../catalog/reuse-keys.ts';
import { isObject, type Json, type JsonObject } from '../core/json.ts';

const PROGRAM = 'let a program write the manifest: edgeform/manifest has its types and formatManifest';
const PRESETS =
  'put the shared fields into a block NAME under `presets`, and write preset: NAME in each block that uses them';
const VARIABLES = 'declare each value with variables: { NAME: { default: VALUE } }, and write "${var.NAME}"';
const ENVIRONMENT =
  'declare variables: { NAME: {} }, write "${var.NAME}", and set EDGEFORM_VAR_NAME in the environment';

const OTHER_FILE = 'name the manifest with -f PATH, or write a first one with `edgeform init`';

const LOOP = `remove it: there are no loops; ${PROGRAM}`;

/** Keys, wherever they stand. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ['for_each', LOOP],
  ['count', `${LOOP}; a block that only some environments have stands under add: of an overlay, --overlay FILE`],
  ['locals', VARIABLES],
  ['depends_on', `remove it: references such as "${EXAMPLES.reference}" decide the order`],
]);

/** Keys of a variable. */
const KEYS_OF_VARIABLES: ReadonlyMap<string, string> = new Map(
  ['secret', 'is_secret', 'masked'].map((key) => [key, 'write sensitive: true']),
);

const NOTE = `make it a comment: # TEXT; for a value that several blocks share, ${VARIABLES}`;

/** What to do about a key that a manifest does not have, in the block at the path; `value` is what stands under it. */
export function fixOfKey(key: string, path: readonly string[], value: Json | undefined): string | undefined {
  if (/^\/[/*]/.test(key)) return 'remove the comment: JSON has none, and those of YAML begin with #';
  if (key.startsWith('x-')) return isObject(value) ? PRESETS : NOTE;
  const [section] = path;
  if (key === ADD && (section === undefined || holdsBlocks(value))) return fixOfAdd(path);
  return (section === 'variables' && path.length === 2 ? KEYS_OF_VARIABLES.get(key) : undefined) ?? KEYS.get(key);
}

/** A file of another tool, and what to do in its place. */
export interface OtherFormat {
  readonly name: string;
  readonly fix: string;
}

/** Files of other tools, by the top-level keys that show them. */
const FORMATS: readonly (OtherFormat & { readonly keys: readonly string[] })[] = [
  { keys: ['apiVersion', 'kind'], name: 'a Kubernetes object', fix: OTHER_FILE },
  { keys: ['_format_version'], name: 'a file of decK', fix: OTHER_FILE },
  { keys: ['services'], name: 'a Compose file', fix: OTHER_FILE },
  {
    keys: ['terraform_version'],
    name: 'a state of Terraform',
    fix: 'convert it with `edgeform import terraform FILE`',
  },
  { keys: ['stacks', 'version'], name: 'a fleet file', fix: 'use the commands of a fleet, such as `fleet plan`' },
];

/** What a document is that has no `stack` and the top-level keys of another tool. */
export function otherFormatOf(document: JsonObject): OtherFormat | undefined {
  if (Object.hasOwn(document, 'stack')) return undefined;
  return FORMATS.find(({ keys }) => keys.every((key) => Object.hasOwn(document, key)));
}

/** Tags, without the exclamation mark. */
const TAGS: ReadonlyMap<string, string> = new Map([
  ['env', ENVIRONMENT],
  ['include', `for a text, write "\${file:PATH}"; give a file with blocks with -f; for shared fields, ${PRESETS}`],
]);

export function fixOfTag(name: string): string | undefined {
  return TAGS.get(name.toLowerCase());
}

/** What is said of an expression. */
interface ExpressionHabit {
  readonly why: string;
  readonly fix: string;
}

/** The first that matches what is between the braces. */
const EXPRESSIONS: readonly (ExpressionHabit & { readonly looksLike: RegExp })[] = [
  { looksLike: /^(?:each|count)\./, why: 'there are no loops', fix: PROGRAM },
  { looksLike: /^locals?\./, why: 'there are no locals', fix: VARIABLES },
  { looksLike: /^env[.:(]/i, why: 'only variables are read from the environment', fix: ENVIRONMENT },
  {
    looksLike: /[(?|]|:-|==|!=|&&/,
    why: 'there are no functions, conditions or defaults in it',
    fix: `give the result as a variable, which may be a list: "\${var.NAME}"; or ${PROGRAM}; for a literal \${ write $\${`,
  },
];

/** What is wrong with text between the braces that other tools would work out. */
export function habitOfExpression(inner: string): ExpressionHabit | undefined {
  const habit = EXPRESSIONS.find(({ looksLike }) => looksLike.test(inner));
  return habit && { why: habit.why, fix: habit.fix };
}

/** Blocks below `add`, in place of the values of headers. */
function holdsBlocks(value: Json | undefined): boolean {
  return isObject(value) && Object.values(value).some(isObject);
}

function fixOfAdd(path: readonly string[]): string {
  return path.length === 0
    ? 'add: stands in an overlay: give this file with --overlay in place of -f, or write what is below at the top'
    : `add: stands at the top of an overlay: move what is below it to ${[ADD, ...path].join('.')} there`;
}

export const FIX_OF_MERGE_KEY = PRESETS;

export const FIX_OF_SECOND_PLACE =
  'rename or remove one of them; if one of the files only changes the other, give it with --overlay in place of -f';
