// The texts of policy files → compiled policies, with every problem at its place. Reads no files.

import { findKind } from '../catalog/lookup.ts';
import {
  hasErrors,
  sortDiagnostics,
  type Diagnostic,
  type Result,
  type SourceRange,
  type QuotedFiles,
} from '../core/diagnostic.ts';
import { sha256 } from '../core/digest.ts';
import { groupBy } from '../core/group.ts';
import type { Json } from '../core/json.ts';
import { didYouMean } from '../core/text/closest.ts';
import { tokensOf } from '../core/text/template.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { ManifestFiles } from '../manifest/read-files.ts';
import { quotedFiles } from '../manifest/text/quoted-file.ts';
import type { UserPolicies } from '../plan/policies/user-policies.ts';
import { compile, type CelProblem, type Expression } from './cel.ts';
import { EVERY_KIND, judgeManifest, judgePlan, type Policy } from './judge.ts';
import { listIn, readEntries, type Entry } from './read.ts';
import { scopeOf, type PolicyScope } from './types.ts';
import { VARIABLES, type Subject } from './visible.ts';

/** Types that a message can show. */
const SHOWN = ['string', 'int', 'double', 'bool'];

export interface CompiledPolicies extends UserPolicies {
  readonly judgeManifest: (manifest: Manifest) => Diagnostic[];
  readonly sources: QuotedFiles;
  readonly count: number;
}

/** All policies of these files. There is no value if there is any error. */
export function compilePolicies(files: ManifestFiles['files']): Result<CompiledPolicies> {
  const scopes = new Map<string, PolicyScope>();
  const scopeFor: ScopeFor = (on, name) => {
    const scope = scopes.get(`${on} ${name}`) ?? scopeOf(on, findKind(name));
    scopes.set(`${on} ${name}`, scope);
    return scope;
  };
  const read = files.map((file) => readEntries(file, 'policies'));
  const all = read.flatMap(({ entries }) => entries);
  const made = all.map((entry) => compileEntry(entry, scopeFor));
  const found = [...read, ...made].flatMap((one) => one.diagnostics);
  const diagnostics = sortDiagnostics([...found, ...repeatedIn(all)]);
  if (hasErrors(diagnostics)) return { diagnostics };
  const sources = quotedFiles(files);
  const texts = new Map(files.map(({ name, text }) => [name, text]));
  const policies = made.flatMap(({ value }) => value);
  const value: CompiledPolicies = {
    digest: sha256([...texts.values()].map(sha256).sort().join('\n')),
    judge: (plan) => judgePlan(plan, policies, sources),
    judgeManifest: (manifest) => judgeManifest(manifest, policies),
    sources,
    count: all.length,
  };
  return { value, diagnostics };
}

type ScopeFor = (on: Subject, kind: string) => PolicyScope;

function problem(range: SourceRange, message: string, fix: string): Diagnostic {
  return { code: 'bad-policy', severity: 'error', message, range, fix };
}

/** Names that were given before. */
function repeatedIn(all: readonly Entry[]): Diagnostic[] {
  const named = groupBy(all, ({ given: { name } }) => (typeof name === 'string' ? name : undefined));
  return [...named].flatMap(([name, [first, ...others]]) =>
    others.map(({ rangeOf }) => ({
      ...problem(rangeOf('name'), `two policies have the name ${name}`, 'rename one of them'),
      related: [{ message: 'first given here', range: first.rangeOf('name') }],
    })),
  );
}

/** The policy, for each kind that it names. */
function compileEntry(entry: Entry, scopeFor: ScopeFor): Required<Result<Policy[]>> {
  const { given, rangeOf } = entry;
  const { name, on, expression, message } = given;
  // What is wrong was reported.
  if (![name, expression, message].every((text) => typeof text === 'string') || !isSubject(on))
    return { value: [], diagnostics: [] };
  const unfit = UNFIT[on].filter((key) => key in given);
  const diagnostics = unfit.map((key) => problem(rangeOf(key), `a policy on: ${on} has no ${key}`, `remove ${key}`));
  const value: Policy[] = [];
  for (const kind of kindsOf(given)) {
    const compiled = compileFor({ entry, on, kind, scope: scopeFor(on, kind) });
    value.push(compiled.policy);
    diagnostics.push(...compiled.diagnostics);
    // The other kinds would have the same problems.
    if (compiled.diagnostics.length > 0) break;
  }
  return { value, diagnostics };
}

/** Keys that have no meaning, by what a policy is on. */
const UNFIT: Readonly<Record<Subject, readonly string[]>> = {
  object: ['actions'],
  live: ['actions'],
  step: [],
  plan: ['actions', 'kinds'],
};

function kindsOf(given: Entry['given']): readonly string[] {
  const kinds = listIn(given['kinds']).map(String);
  return kinds.length === 0 ? [EVERY_KIND] : kinds.filter((kind) => findKind(kind) !== undefined);
}

/** A policy for one kind. */
interface EntryForKind {
  readonly entry: Entry;
  readonly on: Subject;
  readonly kind: string;
  readonly scope: PolicyScope;
}

function compileFor(entryForKind: EntryForKind): { readonly policy: Policy; readonly diagnostics: Diagnostic[] } {
  const { entry, on, kind, scope } = entryForKind;
  const { name, expression, message, when, severity, actions } = entry.given;
  const diagnostics: Diagnostic[] = [];
  const cel = (json: Json | undefined, key: string, types = ['bool']): Expression => {
    const compiled = compile(String(json), types, scope.environment);
    if ('evaluate' in compiled) return compiled;
    diagnostics.push(expressionProblem(compiled, String(json), key, entryForKind));
    return { evaluate: () => undefined, reads: [], members: [] };
  };
  const policy: Policy = {
    name: String(name),
    on,
    kind,
    actions: new Set(listIn(actions)),
    severity: severity === 'warning' ? severity : 'error',
    range: () => entry.rangeOf('name'),
    scope,
    when: when === undefined ? undefined : cel(when, 'when'),
    expression: cel(expression, 'expression'),
    message: tokensOf(String(message)).map((token) => {
      if (token.is === 'text') return token.text;
      return cel(token.isClosed ? token.inner : token.source, 'message', SHOWN);
    }),
  };
  return { policy, diagnostics };
}

function expressionProblem(wrong: CelProblem, text: string, key: string, about: EntryForKind): Diagnostic {
  const { entry, on, kind } = about;
  const near = wrong.unknownName === undefined ? undefined : nearName(wrong.unknownName, about);
  const whose = on === 'plan' ? '' : ` (for ${kind === EVERY_KIND ? 'every kind' : kind})`;
  const fix = near ?? '`edgeform explain policy` lists what expressions can see';
  const range = placeOf(wrong, text, entry.rangeOf(key), entry.lines);
  return problem(range, `${key}: ${wrong.message}${whose}`, fix);
}

/** A variable of that name is no field: it stands alone. */
function nearName(name: string, { scope }: EntryForKind): string | undefined {
  if (scope.environment.hasVariable(name)) return `write ${name} alone: it is a variable, not a field`;
  return didYouMean(
    name,
    scope.names.filter((other) => other !== name),
  );
}

/** The place of a part of an expression: its line is looked for in the lines of the value. */
function placeOf({ at }: CelProblem, text: string, value: SourceRange, lines: readonly string[]): SourceRange {
  const before = text.slice(0, at.start).split('\n');
  const own = text.split('\n')[before.length - 1] ?? '';
  for (let line = value.line; line <= value.endLine; line++) {
    const found = lines[line - 1]?.indexOf(own, line === value.line ? value.column - 1 : 0) ?? -1;
    if (found < 0) continue;
    const lead = before.at(-1)?.length ?? 0;
    const column = found + 1 + lead;
    // A mark ends with its line.
    const length = Math.max(1, Math.min(at.end - at.start, own.length - lead));
    return { file: value.file, line, column, endLine: line, endColumn: column + length };
  }
  return value;
}

function isSubject(text: Json | undefined): text is Subject {
  return typeof text === 'string' && Object.hasOwn(VARIABLES, text);
}
