// The texts of policy files → compiled policies, with every problem at its place. Reads no files.

import { managedKinds } from '../catalog/lookup.ts';
import { hasErrors, sortDiagnostics, type Diagnostic, type Result, type SourceRange } from '../core/diagnostic.ts';
import { sha256 } from '../core/digest.ts';
import { isList, type Json, type JsonObject, type Path } from '../core/json.ts';
import { didYouMean } from '../core/text/closest.ts';
import { tokensOf } from '../core/text/template.ts';
import type { SourceMap } from '../manifest/source-map.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Action } from '../plan/plan.ts';
import type { UserPolicies } from '../plan/policies/user-policies.ts';
import { compile, Meter, type CelProblem, type Evaluate } from './cel.ts';
import { judgeManifest, judgePlan, type PolicySet } from './judge.ts';
import type { Expressions, Policy } from './policy.ts';
import { readEntries, type PolicyText } from './read.ts';
import { scopesOf, type Scope } from './types.ts';
import { SUBJECTS, type Subject } from './visible.ts';

const MAX_POLICIES = 500;
const TRUTH = ['bool'];
const SHOWN = ['string', 'int', 'double', 'bool'];

export interface CompiledPolicies extends UserPolicies {
  readonly judgeManifest: (manifest: Manifest) => Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
  readonly count: number;
}

/** All policies of these files. There is no value if there is any error. */
export function compilePolicies(files: readonly PolicyText[]): Result<CompiledPolicies> {
  const compiler = new Compiler();
  for (const file of files) compiler.read(file);
  const { policies, found } = compiler;
  const diagnostics = sortDiagnostics(found);
  if (hasErrors(diagnostics)) return { diagnostics };
  const sources = new Map(files.map(({ name, text }) => [name, text]));
  const set: PolicySet = { policies, sources, meter: compiler.meter, scopeOf: (on, kind) => compiler.scope(on, kind) };
  const texts = files.map(({ text }) => sha256(text)).sort();
  const value: CompiledPolicies = {
    digest: sha256(texts.join('\n')),
    judge: (plan) => judgePlan(plan, set),
    judgeManifest: (manifest) => judgeManifest(manifest, set),
    sources,
    count: policies.length,
  };
  return { value, diagnostics };
}

/** The policies so far, and their problems. */
class Compiler {
  readonly policies: Policy[] = [];
  readonly found: Diagnostic[] = [];
  readonly meter = new Meter();
  readonly #scopes = new Map<string, ReturnType<typeof scopesOf>>();
  readonly #names = new Map<string, () => SourceRange>();

  scope(on: Subject, kind: string): Scope {
    const ofKind = this.#scopes.get(kind) ?? scopesOf(managedKinds.find(({ name }) => name === kind));
    this.#scopes.set(kind, ofKind);
    return ofKind(on);
  }

  read(file: PolicyText): void {
    const { entries, places, diagnostics } = readEntries(file, 'policies');
    this.found.push(...diagnostics);
    const lines = file.text.split('\n');
    for (const [index, one] of entries.entries()) this.#add(one, { path: ['policies', String(index)], places, lines });
  }

  #add(given: JsonObject, at: Place): void {
    const { name, on: subject, expression, message, when, severity } = given;
    const on = SUBJECTS.find((one) => one === subject);
    const range = () => at.places.value([...at.path, 'name']);
    if (typeof name === 'string') this.#checkName(name, range);
    if (on === undefined || typeof name !== 'string' || typeof expression !== 'string' || typeof message !== 'string')
      return;
    if (this.policies.length === MAX_POLICIES)
      this.#report(at, ['name'], { message: `there are more than ${MAX_POLICIES} policies`, fix: 'join some of them' });
    if (this.policies.length >= MAX_POLICIES) return;
    this.#checkSelection(given, on, at);
    const byKind = new Map<string, Expressions>();
    for (const kind of on === 'plan' ? [''] : kindsOf(given['kinds'])) {
      const problems = this.found.length;
      const cel = (text: string, types: readonly string[], key: string) =>
        this.#compile(text, types, { ...at, kind, on, key });
      const made = {
        when: typeof when === 'string' ? cel(when, TRUTH, 'when') : undefined,
        expression: cel(expression, TRUTH, 'expression'),
        message: this.#message(message, (text) => cel(text, SHOWN, 'message'), at),
      };
      byKind.set(kind, made);
      // The others would have the same problems.
      if (this.found.length > problems) break;
    }
    const actions = given['actions'] === undefined ? undefined : new Set(listOf(given['actions']) as Action[]);
    this.policies.push({ name, on, severity: severity === 'warning' ? 'warning' : 'error', actions, byKind, range });
  }

  #checkName(name: string, range: () => SourceRange): void {
    const first = this.#names.get(name);
    if (first === undefined) this.#names.set(name, range);
    else
      this.found.push({
        code: 'bad-policy',
        severity: 'error',
        message: `two policies have the name ${name}`,
        range: range(),
        fix: 'rename one of them',
        related: [{ message: 'first given here', range: first() }],
      });
  }

  /** A key that would choose nothing is a mistake. */
  #checkSelection(given: JsonObject, on: Subject, at: Place): void {
    const wrong = [...(on === 'plan' ? ['kinds'] : []), ...(on === 'step' ? [] : ['actions'])];
    for (const key of wrong.filter((one) => one in given))
      this.#report(at, [key], { message: `a policy on: ${on} has no ${key}`, fix: `remove ${key}` });
    for (const key of ['kinds', 'actions'])
      if (listOf(given[key]).length === 0 && given[key] !== undefined)
        this.#report(at, [key], {
          message: `${key} is empty, so the policy would never be evaluated`,
          fix: `remove ${key}`,
        });
  }

  #message(text: string, compiled: (text: string) => Evaluate, at: Place): Expressions['message'] {
    return tokensOf(text).map((token) => {
      if (token.is === 'text') return token.text;
      if (token.isClosed) return compiled(token.inner);
      this.#report(at, ['message'], { message: 'the closing } is missing', fix: 'close the expression, or write $${' });
      return '';
    });
  }

  #compile(
    text: string,
    types: readonly string[],
    at: Place & { readonly kind: string; readonly on: Subject; readonly key: string },
  ): Evaluate {
    const { environment, names } = this.scope(at.on, at.kind);
    const made = compile(text, types, environment, this.meter);
    if (typeof made === 'function') return made;
    const { message, unknownName } = made;
    const about = at.kind === '' ? '' : ` (for ${at.kind})`;
    const fix = unknownName === undefined ? undefined : didYouMean(unknownName, names);
    this.found.push({
      code: 'bad-policy',
      severity: 'error',
      message: `${at.key}: ${message}${about}`,
      range: rangeOf(made, text, at),
      fix: fix ?? '`edgeform explain policy` lists what expressions can see',
    });
    return () => false;
  }

  #report({ path, places }: Place, below: Path, words: { readonly message: string; readonly fix: string }): void {
    this.found.push(places.error('bad-policy', [...path, ...below], words));
  }
}

/** Where a policy is, in which file. */
interface Place {
  readonly path: Path;
  readonly places: SourceMap;
  readonly lines: readonly string[];
}

/** The place of a part of an expression: its line is looked for in the lines of the value. */
function rangeOf(
  { start, end }: CelProblem,
  text: string,
  { path, places, lines, key }: Place & { readonly key: string },
): SourceRange {
  const whole = places.value([...path, key]);
  const before = text.slice(0, start).split('\n');
  const own = text.split('\n')[before.length - 1] ?? '';
  for (let line = whole.line; line <= whole.endLine; line++) {
    const at = lines[line - 1]?.indexOf(own, line === whole.line ? whole.column - 1 : 0) ?? -1;
    if (at < 0) continue;
    const column = at + 1 + (before.at(-1)?.length ?? 0);
    return { file: whole.file, line, column, endLine: line, endColumn: column + Math.max(1, end - start) };
  }
  return whole;
}

function listOf(json: Json | undefined): readonly Json[] {
  return json !== undefined && isList(json) ? json : [];
}

function kindsOf(json: Json | undefined): string[] {
  return managedKinds.map(({ name }) => name).filter((name) => json === undefined || listOf(json).includes(name));
}
