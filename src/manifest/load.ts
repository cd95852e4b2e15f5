// Files → manifest: parse, merge, validate, fill in, check. Every problem of every file is reported at once.

import {
  hasErrors,
  rangeText,
  sortDiagnostics,
  type Diagnostic,
  type QuotedFiles,
  type Result,
} from '../core/diagnostic.ts';
import { sha256 } from '../core/digest.ts';
import { canonicalJson, isObject, mapObject, type Json } from '../core/json.ts';
import { groupBy } from '../core/group.ts';
import { lazy } from '../core/lazy.ts';
import { plural } from '../core/text/text.ts';
import { SECRET_MASK } from '../core/secrets/known.ts';
import { Secret } from '../core/secrets/secret.ts';
import { Expression, secretsIn, toJson, type Value } from '../core/value.ts';
import type { ExpandContext } from './values/convert-value.ts';
import { expandFree } from './values/expand.ts';
import type { Manifest } from './manifest.ts';
import { readImports, readStack } from './imports.ts';
import { checkCycles } from './rules/cycles.ts';
import { mergeFiles, type Merged } from './merge.ts';
import { checkMoves, readMoves } from './rules/moves.ts';
import { readTransfers } from './transfers.ts';
import { plainManifest } from './reuse/reuse.ts';
import { parseDocuments } from './text/parse.ts';
import { quotedFile } from './text/quoted-file.ts';
import { checkReferences } from './rules/references.ts';
import { addressesOf, readResources, type StackInput } from './resources.ts';
import type { ReadInline } from './read-files.ts';
import { checkMetadataLength } from './rules/metadata-length.ts';
import { checkRules } from './rules/rules.ts';
import { checkUnique } from './rules/unique.ts';
import { checkStructure } from './structure.ts';
import type { GivenValues } from './values/given-values.ts';
import { readVariables } from './values/variables.ts';

export interface LoadInput {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Files that are laid over them, in this order. */
  readonly overlays?: LoadInput['files'];
  /** True when other parts could not be read: such a manifest can be inspected but not planned. */
  readonly isPartial?: boolean;
  /** Values of --var and --var-file. */
  readonly variables: GivenValues;
  /** Like `variables`, for those that the manifest may not declare. */
  readonly optionalVariables?: GivenValues;
  /** Only names that start with EDGEFORM_VAR_ are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads a text file that a manifest refers to. */
  readonly readFile: ReadInline;
  /** Load without the values of variables; such a manifest can be inspected but not planned. */
  readonly mayLackValues?: boolean;
}

/** What is known of a manifest even if it is invalid. */
export interface ManifestOutline {
  /** Undefined when it is unknown. */
  readonly stack: string | undefined;
  readonly addresses: readonly string[];
  /** Those that are declared. */
  readonly variables: readonly string[];
  /** Those of them that are sensitive. */
  readonly sensitive: readonly string[];
  /** True when an unknown part of the manifest may contain the block. */
  readonly mayHave: (address: string) => boolean;
}

export interface ManifestResult extends Result<Manifest> {
  readonly outline: ManifestOutline;
  /** The files, for the lines that problems quote. */
  readonly sources: QuotedFiles;
}

/**
 * Loads one stack. There is no value if there is any error; warnings come with a value. Each stage checks all that is known,
 * even if earlier stages found errors.
 */
export function loadManifest(input: LoadInput): ManifestResult {
  const { files: written, sources } = parseFiles(input.files);
  const overlays = parseFiles(input.overlays ?? []);
  const allSources = new Map([...sources, ...overlays.sources]);
  const { files, diagnostics: reuse } = plainManifest({ files: written, overlays: overlays.files });
  const structure = files.flatMap((file) => checkStructure(file));
  const merged = mergeFiles(files);
  const { document, sourceMap, unknownValues } = merged;
  if (input.isPartial === true) unknownValues.addOpen([]);
  const { optionalVariables: optional } = input;
  const variables = readVariables(merged, { given: input.variables, env: input.env, ...(optional && { optional }) });
  const { readFile, mayLackValues = false } = input;
  const diagnostics: Diagnostic[] = [];
  const context: ExpandContext = {
    lacking: mayLackValues ? [] : diagnostics,
    reported: new Set(),
    filled: { bytes: 0 },
    sourceMap,
    unknownValues,
    variables,
    readFile,
    diagnostics,
  };
  // Variables are reported at their first use: here, what other stacks need to know comes first.
  const inLinks: Diagnostic[] = [];
  const naming = { ...context, lacking: inLinks };
  const stack = readStack(document, naming);
  const imported = readImports(document, stack, naming);
  const resources = readResources(document, context);
  const transfers = readTransfers(document, stack, context);
  const outputs = readOutputs(document['outputs'], context);
  context.lacking.push(...inLinks);
  const addresses = addressesOf(resources);
  const facts: StackInput = { ...merged, ...imported, transfers, stack, resources, addresses, outputs };
  const all = sortDiagnostics(
    distinct([
      ...files.flatMap((file) => file.diagnostics),
      ...reuse,
      ...structure,
      ...merged.diagnostics,
      ...requiredKeys(merged),
      ...variables.diagnostics,
      ...diagnostics,
      ...checkReferences(facts),
      ...checkCycles(facts),
      ...checkRules(facts),
      ...checkMetadataLength(facts),
      ...checkMoves(facts),
      ...checkUnique(facts),
    ]),
  );
  const outline = outlineOf(facts);
  if (hasErrors(all)) return { diagnostics: all, outline, sources: allSources };
  const given = [...variables.values.values()].filter((value) => value instanceof Secret);
  const secrets = distinctSecrets([...given, ...resources.flatMap(({ resource }) => secretsIn(resource.spec))]);
  const lacks = [...(mayLackValues ? context.lacking : []), ...(input.isPartial === true ? [PARTIAL] : [])];
  const lacksInLinks = mayLackValues ? inLinks : [];
  return { value: assemble(facts, { secrets, lacks, lacksInLinks }), diagnostics: all, outline, sources: allSources };
}

/** The documents of all files, and the files for the lines that problems quote. */
function parseFiles(given: LoadInput['files']) {
  const parsed = given.map((file) => ({ file, documents: parseDocuments(file.name, file.text) }));
  return {
    files: parsed.flatMap(({ documents }) => documents),
    sources: new Map(parsed.map(({ file, documents }) => [file.name, quotedFile(file, () => documents)])),
  };
}

const PARTIAL: Diagnostic = {
  code: 'file-unreadable',
  severity: 'error',
  message: 'some files of the manifest were not read',
  fix: 'load the manifest again with all of its files',
};

function outlineOf({ document: { variables }, stack, addresses, unknownValues }: StackInput): ManifestOutline {
  return {
    stack,
    addresses,
    variables: isObject(variables) ? Object.keys(variables) : [],
    sensitive: isObject(variables) ? Object.keys(variables).filter((name) => isSensitive(variables[name] ?? null)) : [],
    mayHave: (address) => unknownValues.mayHave(address.split('.')),
  };
}

function isSensitive(declaration: Json): boolean {
  return isObject(declaration) && declaration['sensitive'] === true;
}

function distinctSecrets(secrets: readonly Secret[]): Secret[] {
  return [...new Map(secrets.map((secret) => [secret.reveal(), secret])).values()];
}

/** Codes for errors in the form of a value or key: they have to be fixed before anything else can be said about it. */
const OF_THE_FORM: readonly string[] = ['wrong-type', 'bad-key', 'hidden-character'];

/**
 * Keeps one problem per place and message, and only the first one where the form is wrong. What is wrong in a preset is one problem,
 * however many blocks use it.
 */
function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const placeOf = ({ range, message }: Diagnostic) =>
    range === undefined ? message : `${range.file} ${range.line} ${range.column}`;
  const firstOfForm = new Map<string, Diagnostic>();
  for (const problem of diagnostics)
    if (OF_THE_FORM.includes(problem.code) && !firstOfForm.has(placeOf(problem)))
      firstOfForm.set(placeOf(problem), problem);
  const isKept = (problem: Diagnostic) => {
    const first = firstOfForm.get(placeOf(problem)) ?? problem;
    return first === problem || (problem.uses !== undefined && first.code === problem.code);
  };
  const same = groupBy(diagnostics.filter(isKept), (problem) =>
    [placeOf(problem), problem.code, problem.uses === undefined ? problem.message : ''].join(' '),
  );
  return [...same.values()].map(withUses);
}

/** Most uses that a problem lists. */
const SHOWN_USES = 3;

/** One of several equal problems, with the places that use it. */
function withUses([first, ...others]: readonly [Diagnostic, ...Diagnostic[]]): Diagnostic {
  if (first.uses === undefined) return first;
  const { uses: _, ...problem } = first;
  const all = [first, ...others].flatMap(({ uses = [] }) => uses);
  const uses = [...new Map(all.map((use) => [`${rangeText(use.range)} ${use.message}`, use])).values()];
  const shown = uses.slice(0, SHOWN_USES);
  const more = uses.length - shown.length;
  const last = shown.at(-1);
  const counted =
    more === 0 || last === undefined
      ? shown
      : [...shown.slice(0, -1), { ...last, message: `${last.message}, and in ${plural(more, 'more place')}` }];
  return { ...problem, related: [...(problem.related ?? []), ...counted] };
}

function requiredKeys({ document, sourceMap, unknownValues }: Merged): Diagnostic[] {
  return ['version', 'stack']
    .filter((key) => document[key] === undefined && !unknownValues.mayHave([key]))
    .map((key) =>
      sourceMap.error('missing-field', [], {
        message: `"${key}" is missing`,
        fix: key === 'version' ? 'add `version: 1`' : 'add `stack: NAME`',
      }),
    );
}

function readOutputs(given: Json | undefined, context: ExpandContext): Map<string, Value> {
  const outputs = new Map<string, Value>();
  for (const [name, json] of Object.entries(isObject(given) ? given : {})) {
    const path = ['outputs', name];
    const value = context.unknownValues.has(path) ? undefined : expandFree(json, path, context);
    if (value !== undefined) outputs.set(name, value);
  }
  return outputs;
}

function assemble(
  { document, stack = String(document['stack']), imports, transfers, resources, outputs, sourceMap }: StackInput,
  rest: Pick<Manifest, 'secrets' | 'lacks' | 'lacksInLinks'>,
): Manifest {
  const list = resources.map((one) => one.resource);
  const { moved, removed } = readMoves(document, sourceMap);
  const digest = lazy(() => {
    const fromOthers = transfers.map(({ stack: owner, ends }) => ({ stack: owner, ...ends }));
    const moves = [...[...moved, ...removed].map(({ range: _, ...entry }) => entry), ...fromOthers];
    const content = list.map(({ address, spec, lifecycle }) => ({
      address,
      spec: opaque(spec),
      lifecycle: mapObject<Json | undefined, Json>({ ...lifecycle }, (value) => value),
    }));
    const values = [...outputs].map(([name, value]) => [name, opaque(value)]);
    const wanted = imports.map(({ name, kind, from }) => ({ name, kind, from }));
    const others = wanted.length === 0 ? {} : { imports: wanted };
    return sha256(canonicalJson({ stack, content, moves, outputs: values, ...others }));
  });
  return {
    stack,
    resources: list,
    imports,
    outputs,
    moved,
    transfers: transfers.map(({ path: _, ...entry }) => entry),
    removed,
    ...rest,
    get digest() {
      return digest();
    },
  };
}

/** The value without secrets, with references in source form. */
function opaque(value: Value): Json {
  return toJson(value, (leaf) => {
    if (leaf instanceof Secret) return SECRET_MASK;
    if (!(leaf instanceof Expression)) return leaf;
    return leaf.written(
      () => SECRET_MASK,
      ({ address, attr }) => `\${${address}.${attr}}`,
    );
  });
}
