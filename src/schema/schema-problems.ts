// Schema errors about one value, in our words: what was expected and got, and the likely fix.
// Never repeats values of sensitive fields.

import type { ProblemText } from '../core/diagnostic.ts';
import { closest } from '../core/text/closest.ts';
import type { Code } from '../core/codes.ts';
import { isList, isObject, type Json, type JsonObject, type Path } from '../core/json.ts';
import { codePoint } from '../core/text/text.ts';
import { FINAL_BREAK, forbiddenCharacterMessage, withoutBlanks } from '../catalog/fields/forms.ts';
import { kindByIdPrefix } from '../catalog/lookup.ts';
import { FORM } from './hints.ts';
import { expressionFor } from './fix-unknown.ts';
import { article, isSecret, show, typeOf, safeKey } from './describe-value.ts';

const VARIABLES = 'variables';

export interface SchemaProblem extends ProblemText {
  readonly path: Path;
  readonly code: Code;
  /** Point at the key rather than at the value. */
  readonly atKey?: boolean;
  /** Name of the field missing at the path. */
  readonly missing?: string;
  /** Name of the absent field that an unknown one probably stands for. */
  readonly near?: string;
}

/** One value, and the part of the schema that describes it. */
export interface SchemaLocation {
  readonly path: Path;
  readonly schema: JsonObject;
  readonly value: Json | undefined;
  /** The source text of the value, if it is a scalar. */
  readonly text: string;
  /** True when the line cannot simply be removed, because something is required. */
  readonly isRequired?: boolean;
}

/** A value of another type. */
export function wrongType(at: SchemaLocation, name: string): SchemaProblem {
  const types = typesOf(at.schema);
  const expected = types.map(article).join(' or ');
  return {
    path: at.path,
    code: 'wrong-type',
    message: `${name} must be ${expected}`,
    expected,
    got: article(typeOf(at.value)),
    fix: fixOfType(at, types),
    ...(at.value === null && { atKey: true }),
  };
}

/** The pattern or closed set would match without the final line break or the invisible characters. */
export function hiddenIn({ path, schema: { pattern }, text }: SchemaLocation): SchemaProblem | undefined {
  const problem = (character: string, fix: string): SchemaProblem => {
    return { path, code: 'hidden-character', message: forbiddenCharacterMessage(character), fix };
  };
  const meant = text.replace(FINAL_BREAK.pattern, '');
  if (meant !== text) return problem(codePoint(text.charAt(meant.length)), FINAL_BREAK.fix);
  const shown = typeof pattern === 'string' ? withoutBlanks(text, new RegExp(pattern, 'u')) : undefined;
  return shown && problem(shown.first, 'remove the character');
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Other spellings of booleans, in other YAML versions and by people. */
function switchOf(text: string): boolean | undefined {
  if (/^(?:yes|on|true|y)$/i.test(text)) return true;
  return /^(?:no|off|false|n)$/i.test(text) ? false : undefined;
}

/** Numbers and booleans may be given as variables, which are text; messages should suggest neither text nor `null`. */
function typesOf({ type, pattern }: JsonObject): string[] {
  const all = (isList(type) ? type : [type]).map(String).filter((one) => one !== 'null');
  return pattern === undefined || all.length === 1 ? all : all.filter((one) => one !== 'string');
}

function fixOfType(at: SchemaLocation, types: readonly string[]): string {
  const { path, schema, value } = at;
  const own = safeKey(path.at(-1) ?? '');
  const isShown = !isSecret(schema);
  if (isObject(value) || isList(value)) return fixOfBlock(at, types);
  if (types.includes('object')) return fixOfScalar(at, own);
  if (value === null) return fixOfNothing(own, at, types);
  if (types.includes('array')) {
    const items = isObject(schema['items']) ? schema['items'] : {};
    if (typesOf(items).includes('object')) return `write it as a list; in it, ${fixOfEntry(items)}`;
    const isShort = isShown && at.text.length <= LONGEST_SHOWN;
    return isShort ? `write it as a list: ${own}: [${inList(at.text)}]` : 'write it as a list';
  }
  if (types.includes('string')) return isShown ? `quote it: "${at.text}"` : 'quote it';
  if (types.includes('boolean')) return literalFix(at, types);
  return typeof value === 'number' ? 'write a whole number' : literalFix(at, types);
}

/** A scalar where a list expects a block. */
function fixOfEntry({ required }: JsonObject): string {
  const names = isList(required) ? required.map(String) : [];
  return names.length === 0 ? 'write the entry as a block' : `write the entry as a block with ${names.join(', ')}`;
}

/** A block or a list where something else is expected. */
function fixOfBlock({ path, schema, value }: SchemaLocation, types: readonly string[]): string {
  if (types.includes('array')) return 'write it as a list: begin each entry with "- "';
  if (!types.includes('object')) return 'write a single value here, not a block or list';
  const own = safeKey(path.at(-1) ?? '');
  if (path.length === 0) return FIX_OF_ALL;
  if (isList(value) && value.length === 0) return `write \`${own}: {}\`, or remove it`;
  const entry = schema['additionalProperties'];
  if (isObject(entry)) return `give each entry a name: NAME: ${typesOf(entry).includes('object') ? '{ … }' : 'VALUE'}`;
  return `write its fields without a list: \`${own}: { … }\``;
}

const FIX_OF_ALL = 'begin it with `version: 1` and `stack: NAME`, and write the kinds below';

/** A scalar where a block is expected. */
function fixOfScalar({ path, value, schema, isRequired }: SchemaLocation, own: string): string {
  if (path.length === 0) return FIX_OF_ALL;
  if (/^\d+$/.test(own)) return fixOfEntry(schema);
  if (value === null && own !== path.at(-1)) return 'put a space after the ":"';
  if (value === null && isRequired === true) return `write \`${own}: { … }\` with its fields`;
  if (value === null) return path.length > 2 ? 'remove the line' : `write \`${own}: {}\`, or remove the line`;
  if (typeof value === 'string' && /^[\w-]+:[^\s/]/.test(value)) return 'put a space after the ":"';
  if (path.length === 2 && path[0] === VARIABLES) return `write \`${own}: { default: VALUE }\``;
  return `write \`${own}: {}\`, with its fields inside`;
}

/** Suggests empty text only where it is certainly allowed. */
function fixOfNothing(own: string, { schema, isRequired }: SchemaLocation, types: readonly string[]): string {
  if (/^\d+$/.test(own)) return 'remove the entry, or write a value in its place';
  const empty = types.includes('array') ? '[]' : schema['default'] === '' ? '""' : 'VALUE';
  return `write \`${own}: ${empty}\`${isRequired === true ? '' : ', or remove the line'}`;
}

const LONGEST_SHOWN = 60;

/** In quotes if YAML would read it as something else. */
function inList(text: string): string {
  return /^(?!(?:true|false|null)$)[a-z_/][\w./*-]*(?::\d+)?$/i.test(text) ? text : JSON.stringify(text);
}

/** A value outside a closed set, or neither suggested nor in the form of an open one. */
export function wrongValue(
  at: SchemaLocation,
  name: string,
  params: Readonly<Record<string, unknown>>,
): SchemaProblem | undefined {
  const allowed = params['allowedValues'] ?? [params['allowedValue']];
  if (!Array.isArray(allowed)) return undefined;
  const choices = allowed.map(String);
  const form = openForm(at.schema);
  // Suggestions are an open set: their enum error only occurs together with the pattern's.
  const near = closest(String(at.value), choices);
  if (name === 'version' && at.path.length === 1) return wrongVersion(at);
  return {
    path: at.path,
    code: 'wrong-value',
    message: form === undefined ? `${name} has a value that is not allowed` : `${name} does not have the right form`,
    expected: form ?? (choices.length === 1 ? choices.join() : `one of ${choices.join(', ')}`),
    got: show(at),
    fix:
      near !== undefined
        ? `did you mean "${near}"?`
        : form === undefined
          ? 'use one of the allowed values'
          : exampleFix(at),
  };
}

function wrongVersion(at: SchemaLocation): SchemaProblem {
  const isNewer = typeof at.value === 'number' && at.value > 1;
  return {
    path: at.path,
    code: 'wrong-value',
    message: isNewer ? 'the manifest is written for a newer edgeform' : 'version has a value that is not allowed',
    expected: '1',
    got: show(at),
    fix: isNewer
      ? 'install that version of edgeform, or write the manifest for this one: version: 1'
      : 'write version: 1',
  };
}

function openForm({ anyOf }: JsonObject): string | undefined {
  const forms = (isList(anyOf) ? anyOf : []).map((one) => (isObject(one) ? one[FORM] : undefined));
  return forms.find((form) => typeof form === 'string');
}

/** A value that does not match its field's pattern. */
export function wrongForm(at: SchemaLocation, name: string): SchemaProblem {
  const { path, schema, value } = at;
  const types = typesOf(schema);
  if (!types.includes('string')) return { ...wrongType(at, name), got: show(at) };
  const form = schema[FORM] ?? openForm(schema);
  return {
    path,
    code: 'wrong-value',
    message: `${name} does not have the right form`,
    ...(typeof form === 'string' && { expected: form }),
    ...(!isSecret(schema) && typeof value === 'string' && { got: JSON.stringify(value.slice(0, 60)) }),
    ...otherKind(at),
  };
}

/** Text where a number or a boolean is expected. */
function literalFix({ text }: SchemaLocation, types: readonly string[]): string {
  if (types.includes('boolean')) {
    const meant = switchOf(text);
    return meant === undefined ? 'write true or false, or "${var.NAME}"' : `write \`${String(meant)}\``;
  }
  return NUMBER.test(text) ? `write it without quotes: ${text}` : 'write a number, or "${var.NAME}"';
}

/** The fix for an id of another kind names that kind; other values get an example. */
function otherKind(at: SchemaLocation): { readonly fix?: string } {
  const { path, value } = at;
  if (path.at(-2) !== 'lifecycle' || typeof value !== 'string') return { fix: exampleFix(at) };
  const kind = kindByIdPrefix(value);
  const start = /starts with (\S+)/.exec(String(at.schema[FORM]))?.[1] ?? '';
  if (kind === undefined || value.startsWith(start)) return { fix: `give the id that the service shows, ${start}…` };
  return { fix: `that is the id of another kind of object (${kind.title}); give the one of this object, ${start}…` };
}

function exampleFix({ schema, value }: SchemaLocation): string {
  const { examples } = schema;
  const meant = typeof value === 'string' ? expressionFor(value) : undefined;
  if (meant !== undefined) return `did you mean "${meant}"?`;
  const example = isList(examples) ? examples.find((one) => typeof one === 'string') : undefined;
  return example === undefined ? 'correct the value' : `for example ${JSON.stringify(example)}`;
}
