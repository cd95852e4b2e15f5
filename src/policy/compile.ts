// The texts of policy files → compiled policies, with every problem at its place. Reads no files.

import { managedKinds } from '../catalog/lookup.ts';
import { hasErrors, sortDiagnostics, type Diagnostic, type Result, type SourceRange } from '../core/diagnostic.ts';
import { sha256 } from '../core/digest.ts';
import { isList, type Json, type JsonObject, type Path } from '../core/json.ts';
import { didYouMean } from '../core/text/closest.ts';
import { tokensOf } from '../core/text/template.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { SourceMap } from '../manifest/source-map.ts';
import type { UserPolicies } from '../plan/policies/user-policies.ts';
import { CelProblem, compile, Meter, type Evaluate } from './cel.ts';
import { judgeManifest, judgePlan, type Policy, type PolicySet } from './judge.ts';
import { readEntries, type PolicyText } from './read.ts';
import { scopesOf } from './types.ts';
import { VARIABLES, type Subject } from './visible.ts';

const MAX_POLICIES = 500;
/** Types that a message can show. */
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
  const diagnostics = sortDiagnostics(compiler.found);
  if (hasErrors(diagnostics)) return { diagnostics };
  const { policies, meter, scopeOf } = compiler;
  const sources = new Map(files.map(({ name, text }) => [name, text]));
  const set: PolicySet = { policies, meter, scopeOf, sources };
  const value: CompiledPolicies = {
    digest: sha256([...sources.values()].map(sha256).sort().join('\n')),
    judge: (plan) => judgePlan(plan, set),
    judgeManifest: (manifest) => judgeManifest(manifest, set),
    sources,
    count: policies.length,
  };
  return { value, diagnostics };
}

/** A text of a policy that is compiled. */
interface Place {
  readonly path: Path;
  readonly places: SourceMap;
  /** The lines of its file. */
  readonly lines: readonly string[];
}

class Compiler {
  readonly policies: Policy[] = [];
  readonly found: Diagnostic[] = [];
  readonly meter = new Meter();
  readonly #scopes = new Map<string, ReturnType<typeof scopesOf>>();
  readonly #names = new Map<string, () => SourceRange>();

  scopeOf: PolicySet['scopeOf'] = (on, kind) => {
    const scopes = this.#scopes.get(kind) ?? scopesOf(managedKinds.find(({ name }) => name === kind));
    this.#scopes.set(kind, scopes);
    return scopes(on);
  };

  read(file: PolicyText): void {
    const { entries, places, diagnostics } = readEntries(file, 'policies');
    this.found.push(...diagnostics);
    const lines = file.text.split('\n');
    for (const [index, one] of entries.entries()) this.#add(one, { path: ['policies', String(index)], places, lines });
  }

  #add(given: JsonObject, at: Place): void {
    const { name, on, expression, message, when, severity, actions } = given;
    const texts = [name, expression, message];
    // What is wrong was reported.
    if (!texts.every((text) => typeof text === 'string') || !isSubject(on)) return;
    const range = () => at.places.value([...at.path, 'name']);
    this.#checkName(String(name), range);
    if (this.#names.size > MAX_POLICIES) return;
    for (const key of on === 'step' ? [] : ['actions', ...(on === 'plan' ? ['kinds'] : [])])
      if (key in given) this.#report(at, key, `a policy on: ${on} has no ${key}`, `remove ${key}`);
    const byKind: Policy['byKind'] & Map<string, unknown> = new Map();
    for (const kind of on === 'plan' ? [''] : kindsOf(given['kinds'])) {
      const problems = this.found.length;
      const cel = (text: Json, key: string, types = ['bool']) =>
        this.#compile(String(text), key, types, { ...at, on, kind });
      byKind.set(kind, {
        when: when === undefined ? undefined : cel(when, 'when'),
        expression: cel(String(expression), 'expression'),
        message: tokensOf(String(message)).map((token) => {
          if (token.is === 'text') return token.text;
          return cel(token.isClosed ? token.inner : token.source, 'message', SHOWN);
        }),
      });
      // The other kinds would have the same problems.
      if (this.found.length > problems) break;
    }
    const chosen = new Set(listOf(actions));
    this.policies.push({
      name: String(name),
      on,
      severity: severity === 'warning' ? severity : 'error',
      actions: chosen,
      byKind,
      range,
    });
  }

  #checkName(name: string, range: () => SourceRange): void {
    const first = this.#names.get(name);
    this.#names.set(name, first ?? range);
    const isOver = first === undefined && this.#names.size === MAX_POLICIES + 1;
    if (first === undefined && !isOver) return;
    const message = isOver ? `there are more than ${MAX_POLICIES} policies` : `two policies have the name ${name}`;
    this.found.push({
      code: 'bad-policy',
      severity: 'error',
      message,
      range: range(),
      fix: isOver ? 'join some of them' : 'rename one of them',
      ...(first && { related: [{ message: 'first given here', range: first() }] }),
    });
  }

  #compile(
    text: string,
    key: string,
    types: readonly string[],
    at: Place & { readonly on: Subject; readonly kind: string },
  ): Evaluate {
    const { environment, names } = this.scopeOf(at.on, at.kind);
    try {
      return compile(text, types, environment, this.meter);
    } catch (error) {
      if (!(error instanceof CelProblem)) throw error;
      const about = at.kind === '' ? '' : ` (for ${at.kind})`;
      const near = error.unknownName === undefined ? undefined : didYouMean(error.unknownName, names);
      const fix = near ?? '`edgeform explain policy` lists what expressions can see';
      const range = rangeOf(error, text, at.places.value([...at.path, key]), at.lines);
      this.found.push({
        code: 'bad-policy',
        severity: 'error',
        message: `${key}: ${error.message}${about}`,
        range,
        fix,
      });
      return () => undefined;
    }
  }

  #report({ path, places }: Place, key: string, message: string, fix: string): void {
    this.found.push(places.error('bad-policy', [...path, key], { message, fix }));
  }
}

/** The place of a part of an expression: its line is looked for in the lines of the value. */
function rangeOf({ start, end }: CelProblem, text: string, value: SourceRange, lines: readonly string[]): SourceRange {
  const before = text.slice(0, start).split('\n');
  const own = text.split('\n')[before.length - 1] ?? '';
  for (let line = value.line; line <= value.endLine; line++) {
    const at = lines[line - 1]?.indexOf(own, line === value.line ? value.column - 1 : 0) ?? -1;
    if (at < 0) continue;
    const column = at + 1 + (before.at(-1)?.length ?? 0);
    return { file: value.file, line, column, endLine: line, endColumn: column + Math.max(1, end - start) };
  }
  return value;
}

function isSubject(text: Json | undefined): text is Subject {
  return typeof text === 'string' && Object.hasOwn(VARIABLES, text);
}

function listOf(json: Json | undefined): readonly Json[] {
  return json !== undefined && isList(json) ? json : [];
}

/** Names of kinds; all if none is given. */
function kindsOf(json: Json | undefined): string[] {
  const given = listOf(json);
  return managedKinds.map(({ name }) => name).filter((name) => given.length === 0 || given.includes(name));
}
