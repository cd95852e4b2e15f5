// Files → manifest: parse, merge, validate, fill in, check. Every problem of every file is reported at once.

import {
  hasErrors,
  sortDiagnostics,
  type Diagnostic,
  type QuotedFiles,
  type Result,
  type SourceRange,
} from '../core/diagnostic.ts';
import { isObject, type Json } from '../core/json.ts';
import { Secret } from '../core/secrets/secret.ts';
import { secretsIn } from '../core/value.ts';
import type { ExpandContext } from './values/convert-value.ts';
import { readOutputs } from './outputs.ts';
import type { Manifest } from './manifest.ts';
import { distinctProblems } from './distinct-problems.ts';
import { readImports, readStack } from './imports.ts';
import { checkCycles } from './rules/cycles.ts';
import { mergeFiles, type Merged } from './merge.ts';
import { ofAbsent } from './source-map.ts';
import { validateManifestDocument } from '../schema/validate.ts';
import { checkMoves } from './rules/moves.ts';
import { readTransfers } from './transfers.ts';
import { plainManifest } from './reuse/reuse.ts';
import { parseDocuments, type ParsedFile } from './text/parse.ts';
import { quotedFile, quotedLayer } from './text/quoted-file.ts';
import { checkReferences } from './rules/references.ts';
import { addressesOf, readResources, type StackInput } from './resources.ts';
import type { ReadInline } from './read-files.ts';
import { checkMetadataLength } from './rules/metadata-length.ts';
import { checkDoubts } from './rules/doubts.ts';
import { checkRules } from './rules/rules.ts';
import { checkUnique } from './rules/unique.ts';
import { checkStructure } from './structure.ts';
import type { GivenValues } from './values/given-values.ts';
import { waysToGive, type WaysToGive } from './values/from-outside.ts';
import {
  readVariables,
  VariableList,
  type Variables,
  type VariableSources,
  type VariableValue,
} from './values/variables.ts';
import { assemble, type WhatLacks } from './assemble.ts';

export interface LoadInput {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Files that are laid over them, in this order. */
  readonly overlays?: LoadInput['files'];
  /** Files beside the plain manifest, over which nothing is laid; their outputs may be lists. */
  readonly added?: LoadInput['files'];
  /** True when other parts could not be read: such a manifest can be inspected but not planned. */
  readonly isPartial?: boolean;
  /** Values of --var and --var-file. */
  readonly variables: GivenValues;
  /** Like `variables`, for those that the manifest may not declare. */
  readonly optionalVariables?: GivenValues;
  /** Variables whose value was to come from elsewhere, and did not: neither the environment nor a default takes its place. */
  readonly withheld?: ReadonlySet<string>;
  /** How a variable gets its value, for those that have none. */
  readonly waysToGive?: WaysToGive;
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
  /** Where it is named. */
  readonly stackRange: SourceRange | undefined;
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
  /** What was judged: one document, without presets and overlays. */
  readonly plain: Pick<Merged, 'document' | 'sourceMap'>;
  /** The files, for the lines that problems quote. */
  readonly sources: QuotedFiles;
}

/**
 * Loads one stack. There is no value if there is any error; warnings come with a value. Each stage checks all that is known,
 * even if earlier stages found errors.
 */
export function loadManifest(input: LoadInput): ManifestResult {
  const texts = readTexts(input);
  const stack = readStackInput(texts, input);
  const diagnostics = sortDiagnostics(
    distinctProblems([
      ...texts.diagnostics,
      ...stack.variables.diagnostics,
      ...stack.diagnostics,
      ...check(stack.facts),
    ]),
  );
  const { document, sourceMap } = texts.merged;
  const plain = { document, sourceMap };
  const result = { diagnostics, outline: outlineOf(stack.facts), plain, sources: texts.sources };
  return hasErrors(diagnostics)
    ? result
    : { ...result, value: assemble(stack.facts, { ...whatLacks(stack, input), baseStacks: texts.baseStacks }) };
}

/** The texts as one plain document, and every problem of their form. */
interface ReadTexts {
  readonly merged: Merged;
  /** Stacks of the files over which an environment is laid. */
  readonly baseStacks: readonly string[];
  /** Outputs that may be lists: those of the added files. */
  readonly freeOutputs: ReadonlySet<string>;
  readonly sources: QuotedFiles;
  readonly diagnostics: readonly Diagnostic[];
}

function readTexts(input: LoadInput): ReadTexts {
  const { overlays: laid = [] } = input;
  const quote = laid.length > 0 ? quotedLayer : quotedFile;
  const written = parseFiles(input.files, quote);
  const overlays = parseFiles(laid, quote);
  const added = parseFiles(input.added ?? [], quote);
  const plain = plainManifest({ files: written.files, overlays: overlays.files, isPartial: input.isPartial === true });
  const files = [...plain.files, ...added.files];
  const structure = files.flatMap((file) => checkStructure(file, validateManifestDocument, plain.drops));
  const merged = mergeFiles(files, plain.drops);
  if (input.isPartial === true) merged.unknownValues.addOpen([]);
  // A file of another tool lacks whatever a manifest needs.
  const isOther = structure.some(({ code }) => code === 'other-format');
  return {
    merged,
    baseStacks: plain.baseStacks,
    freeOutputs: new Set(added.files.flatMap(outputsOf)),
    sources: new Map([...written.sources, ...overlays.sources, ...added.sources]),
    diagnostics: [
      ...files.flatMap((file) => file.diagnostics),
      ...plain.diagnostics,
      ...structure,
      ...merged.diagnostics,
      ...(isOther ? [] : requiredKeys(merged)),
    ],
  };
}

function outputsOf({ json }: ParsedFile): string[] {
  const outputs = isObject(json) ? json['outputs'] : undefined;
  return isObject(outputs) ? Object.keys(outputs) : [];
}

/** What a document says, with variables filled in. */
interface ReadStack {
  readonly facts: StackInput;
  readonly variables: Variables;
  /** Problems of values. */
  readonly diagnostics: readonly Diagnostic[];
  /** Variables without a value; among the problems, unless the manifest may lack them. */
  readonly lacking: readonly Diagnostic[];
  /** Those of them that name the stack. */
  readonly lackingInName: readonly Diagnostic[];
  /** Those, and those that say which other stacks this one depends on. */
  readonly lackingInLinks: readonly Diagnostic[];
  readonly lackingInOutputs: Manifest['lacksInOutputs'];
}

function readStackInput({ merged, freeOutputs }: ReadTexts, input: LoadInput): ReadStack {
  const { document, sourceMap, unknownValues } = merged;
  const { readFile, mayLackValues = false } = input;
  const variables = readVariables(merged, sourcesOf(input));
  const diagnostics: Diagnostic[] = [];
  const lacking: Diagnostic[] = mayLackValues ? [] : diagnostics;
  // Variables are reported at their first use: here, what other stacks need to know comes first.
  const lackingInName: Diagnostic[] = [];
  const lackingInLinks: Diagnostic[] = [];
  const reported = new Set<string>();
  const context: ExpandContext = {
    lacking,
    reported,
    waysToGive: input.waysToGive ?? waysToGive,
    filled: { bytes: 0 },
    sourceMap,
    unknownValues,
    variables,
    readFile,
    diagnostics,
  };
  const stack = readStack(document, { ...context, lacking: lackingInName });
  const imported = readImports(document, stack, { ...context, lacking: lackingInLinks });
  const transfers = readTransfers(document, stack, { ...context, lacking: lackingInLinks });
  const resources = readResources(document, context);
  const { outputs, lackingInOutputs } = readOutputs(document['outputs'], freeOutputs, context);
  lackingInLinks.unshift(...lackingInName);
  lacking.push(...lackingInLinks);
  const facts = { ...merged, ...imported, transfers, stack, resources, addresses: addressesOf(resources), outputs };
  return { facts, variables, diagnostics, lacking, lackingInName, lackingInLinks, lackingInOutputs };
}

function sourcesOf({ variables: given, optionalVariables: optional, withheld, env }: LoadInput): VariableSources {
  return { given, env, ...(optional && { optional }), ...(withheld && { withheld }) };
}

/** The rules, of everything that is known. */
function check(facts: StackInput): Diagnostic[] {
  return [
    ...checkReferences(facts),
    ...checkCycles(facts),
    ...checkRules(facts),
    ...checkDoubts(facts),
    ...checkMetadataLength(facts),
    ...checkMoves(facts),
    ...checkUnique(facts),
  ];
}

function whatLacks(
  { facts, variables, lacking, lackingInName, lackingInLinks, lackingInOutputs = new Map() }: ReadStack,
  { mayLackValues = false, isPartial = false }: LoadInput,
): WhatLacks {
  const values = [...variables.values.values()].flatMap((value): readonly VariableValue[] =>
    value instanceof VariableList ? value.items : [value],
  );
  const given = values.filter((value) => value instanceof Secret);
  return {
    secrets: distinctSecrets([...given, ...facts.resources.flatMap(({ resource }) => secretsIn(resource.spec))]),
    lacks: [...(mayLackValues ? lacking : []), ...(isPartial ? [PARTIAL] : [])],
    lacksInName: mayLackValues ? lackingInName : [],
    lacksInLinks: mayLackValues ? lackingInLinks : [],
    lacksInOutputs: mayLackValues ? lackingInOutputs : new Map(),
  };
}

/** The documents of all files, and the files for the lines that problems quote. */
function parseFiles(given: LoadInput['files'], quote: typeof quotedLayer) {
  const parsed = given.map((file) => ({ file, documents: parseDocuments(file.name, file.text) }));
  return {
    files: parsed.flatMap(({ documents }) => documents),
    sources: new Map(parsed.map(({ file, documents }) => [file.name, quote(file, () => documents)])),
  };
}

const PARTIAL: Diagnostic = {
  code: 'file-unreadable',
  severity: 'error',
  message: 'some files of the manifest were not read',
  fix: 'load the manifest again with all of its files',
};

function outlineOf({ document, stack, addresses, sourceMap, unknownValues }: StackInput): ManifestOutline {
  const { variables } = document;
  return {
    stack,
    stackRange: document['stack'] === undefined ? undefined : sourceMap.value(['stack']),
    addresses,
    variables: isObject(variables) ? Object.keys(variables) : [],
    sensitive: isObject(variables) ? Object.keys(variables).filter((name) => isSensitive(variables[name] ?? null)) : [],
    mayHave: (address) => unknownValues.mayHave(address.split('.')),
  };
}

function isSensitive(declaration: Json): boolean {
  return isObject(declaration) && declaration['sensitive'] === true;
}

function requiredKeys({ document, sourceMap, unknownValues }: Merged): Diagnostic[] {
  return ['version', 'stack']
    .filter((key) => document[key] === undefined && !unknownValues.mayHave([key]))
    .map((key) =>
      ofAbsent(
        sourceMap.error('missing-field', [], {
          message: `"${key}" is missing`,
          fix: key === 'version' ? 'add `version: 1`' : 'add `stack: NAME`',
        }),
        sourceMap.dropOf([key]),
      ),
    );
}

function distinctSecrets(secrets: readonly Secret[]): Secret[] {
  return [...new Map(secrets.map((secret) => [secret.reveal(), secret])).values()];
}
