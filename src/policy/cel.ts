// One CEL expression: parsed and checked by the library, and evaluated in bounded time. The library decides what an expression
// means; this file adds linear-time `matches`, `has()` with checked fields, and a meter (ADR-0037). Knows nothing of policies.

import { RE2JS } from '@bufbuild/re2';
import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { BugError } from '../core/diagnostic.ts';

/** Longest expression in characters. */
const MAX_LENGTH = 4_000;
const LIMITS = { maxAstNodes: 1_000, maxDepth: 40, maxListElements: 500, maxMapEntries: 500, maxCallArguments: 8 };
/**
 * Steps of all evaluations of one manifest or plan: the parts of an expression, counted anew for each element of a list, the
 * elements and texts that it makes, and the characters that `matches` reads.
 */
const MAX_STEPS = 30_000_000;
/** Largest value that an expression makes: elements, at any depth, and characters of text. */
const MAX_ELEMENTS = 100_000;
const MAX_TEXT = 1_000_000;

/** Thrown by values that are not known, or not to be seen: whatever depends on one is not decided. */
export class Undecided extends Error {
  readonly what: string;

  constructor(what: string) {
    super(`depends on ${what}`);
    this.what = what;
  }
}

/** What the evaluations for one manifest or plan may cost together. Once it is used up, nothing more is evaluated. */
export class Meter {
  #left = MAX_STEPS;

  restart(): void {
    this.#left = MAX_STEPS;
  }

  spend(steps: number): void {
    this.#left -= steps;
    this.check();
  }

  check(): void {
    if (this.#left < 0) throw new Error(`the policies need more than ${MAX_STEPS} steps`);
  }
}

export type { Environment };

export function newEnvironment(): Environment {
  return new Environment({ limits: LIMITS }).registerFunction(`${CHECKED_HAS}(dyn): bool`, () => true);
}

/** What is wrong with an expression, and the part of it that is. */
export interface CelProblem {
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** The name that the value does not have. */
  readonly unknownName?: string;
}

export type Variables = Readonly<Record<string, unknown>>;

/** A checked expression: gives its value, or throws `Undecided` or another error. */
export type Evaluate = (variables: Variables) => unknown;

/** The expression, if it is valid and its type is one of those. */
export function compile(
  text: string,
  types: readonly string[],
  environment: Environment,
  meter: Meter,
): Evaluate | CelProblem {
  try {
    if (text.length > MAX_LENGTH) throw problem(`the expression has more than ${MAX_LENGTH} characters`, text);
    const parsed = environment.parse(text);
    const nodes = nodesIn(parsed.ast as unknown as Node);
    checkNames(text, nodes, environment);
    const { type = '', error } = parsed.check();
    if (error !== undefined) throw error;
    if (!types.includes(type)) throw problem(`the expression is of type ${type}, not ${types.join(' or ')}`, text);
    intercept(nodes, meter);
    return evaluator(parsed, nodes.length, meter);
  } catch (error) {
    return problemOf(error, text);
  }
}

/** An error that `||` or `exists()` absorbed still counts if it was the meter's. */
function evaluator(parsed: ParseResult, cost: number, meter: Meter): Evaluate {
  return (variables) => {
    meter.spend(cost);
    const value: unknown = parsed(variables);
    meter.check();
    return value;
  };
}

/** A part of a parsed expression. `evaluate` is the library's own, which we take the place of; its version is pinned. */
interface Node {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly end: number;
  evaluate: (runner: unknown, node: Node, scope: unknown) => unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'evaluate' in value;
}

function nodesIn(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return isNode(value) ? [value, ...nodesIn(value.args)] : [];
}

/** The arguments of a call of this name: its receiver, if it has one, and the others. */
function callOf(name: string, { op, args }: Node): readonly Node[] | undefined {
  if ((op !== 'call' && op !== 'rcall') || !Array.isArray(args) || args[0] !== name) return undefined;
  return args.slice(1).flat().filter(isNode);
}

/** As long as `has`, so that positions stay. */
const CHECKED_HAS = 'hs_';

/** The library does not look at the argument of `has()`, so the expression is checked with a function in its place. */
function checkNames(text: string, nodes: readonly Node[], environment: Environment): void {
  const places = nodes.filter((node) => callOf('has', node) !== undefined).map(({ start }) => start);
  if (places.length === 0) return;
  const checked = places.reduce((made, at) => made.slice(0, at) + CHECKED_HAS + made.slice(at + 3), text);
  const { error } = environment.check(checked);
  if (error !== undefined) throw error;
}

/** How a part is evaluated that the library would evaluate without a limit, or by touching a value that is not known. */
function ownWay(node: Node, meter: Meter): Node['evaluate'] | undefined {
  const [field] = callOf('has', node) ?? [];
  if (field !== undefined) return presenceOf(field);
  const [receiver, pattern, ...more] = callOf('matches', node) ?? [];
  if (receiver === undefined) return undefined;
  if (pattern?.op !== 'value' || typeof pattern.args !== 'string' || more.length > 0)
    throw problem('the pattern of matches() must be a literal text', pattern ?? node);
  const regex = regexOf(pattern.args, pattern);
  return (runner, _node, scope) => {
    const text = receiver.evaluate(runner, receiver, scope);
    if (typeof text !== 'string') throw new Error('matches() needs a text');
    meter.spend(text.length);
    return regex(text);
  };
}

/** True when the last field of `a.b.c` is there, whether or not its value is known; the fields before it must be. */
function presenceOf(field: Node): Node['evaluate'] {
  const names: string[] = [];
  let root = field;
  for (; root.op === '.'; root = (root.args as [Node])[0]) names.unshift((root.args as [Node, string])[1]);
  const last = names.pop();
  if (last === undefined || root.op !== 'id') throw problem('has() takes a field, such as has(a.b)', field);
  return (runner, _node, scope) => {
    const within = names.reduce(memberOf, root.evaluate(runner, root, scope));
    return isObjectLike(within) && Object.hasOwn(within, last);
  };
}

function memberOf(value: unknown, name: string): unknown {
  if (isObjectLike(value) && Object.hasOwn(value, name)) return value[name];
  throw new Error(`No such key: ${name}`);
}

function isObjectLike(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** RE2 needs time in proportion to the text and the pattern, and so do its steps here. */
function regexOf(pattern: string, node: Node): (text: string) => boolean {
  try {
    const regex = new RE2JS(pattern);
    return (text) => regex.test(text);
  } catch (error) {
    throw problem(`the pattern is not a regular expression of RE2: ${wordsOf(error)}`, node);
  }
}

const MAKERS = ['list', 'map', '+', 'call', 'rcall'];

/** Puts our own ways in place, and the meter where a part is evaluated again and again, or may make something large. */
function intercept(nodes: readonly Node[], meter: Meter): void {
  const costs = new Map(
    nodes.flatMap(({ op, args }) =>
      op === 'rcall' ? (args as [string, Node, Node[]])[2].map((part) => [part, nodesIn(part).length] as const) : [],
    ),
  );
  for (const node of nodes) {
    const own = ownWay(node, meter);
    const cost = costs.get(node) ?? 0;
    const isMaker = MAKERS.includes(node.op);
    if (own === undefined && cost === 0 && !isMaker) continue;
    let inner = own ?? node.evaluate;
    if (typeof inner !== 'function') throw new BugError('a part of a CEL expression cannot be evaluated');
    const metered: Node['evaluate'] = (runner, at, scope) => {
      if (cost > 0) meter.spend(cost);
      const value = inner.call(node, runner, at, scope);
      if (isMaker && typeof value !== 'boolean') meter.spend(sizeOf(value, { elements: 0 }));
      return value;
    };
    // The library puts another one in place at the first evaluation.
    const set = (next: Node['evaluate']) => {
      inner = own ?? next;
    };
    Object.defineProperty(node, 'evaluate', { get: () => metered, set });
  }
}

/** Objects of the manifest or the service have a class, and are not looked into. */
function sizeOf(value: unknown, seen: { elements: number }): number {
  if (typeof value === 'string') {
    if (value.length > MAX_TEXT) throw new Error(`a text has more than ${MAX_TEXT} characters`);
    return value.length >> 4;
  }
  const isPlain = typeof value === 'object' && value !== null && [Array, Object].includes(value.constructor as never);
  if (!isPlain) return 0;
  let size = 0;
  for (const item of Object.values(value)) {
    seen.elements += 1;
    if (seen.elements > MAX_ELEMENTS) throw new Error(`a value has more than ${MAX_ELEMENTS} elements`);
    size += 1 + sizeOf(item, seen);
  }
  return size;
}

class ProblemError extends Error {
  readonly problem: CelProblem;

  constructor(found: CelProblem) {
    super(found.message);
    this.problem = found;
  }
}

function problem(message: string, at: string | Pick<Node, 'start' | 'end'>): ProblemError {
  const { start, end } = typeof at === 'string' ? { start: 0, end: at.length } : at;
  return new ProblemError({ message, start, end });
}

/** An error of the library, without its own code frame. */
interface LibraryError {
  readonly code?: string;
  readonly range?: { readonly start: number; readonly end: number };
  readonly node?: { readonly op?: string; readonly args?: unknown };
}

function problemOf(error: unknown, text: string): CelProblem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof BugError || !(error instanceof Error)) throw error;
  const { code, range = { start: 0, end: text.length }, node } = error as LibraryError;
  const name = code === 'no_such_key' && Array.isArray(node?.args) ? String(node.args[1]) : undefined;
  const { start, end } = range;
  return {
    message: name === undefined ? wordsOf(error) : `there is no field "${name}"`,
    start,
    end,
    ...(name !== undefined && { unknownName: name }),
  };
}

/** The first line of an error of the library; the rest is a code frame. */
export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n')[0] ?? '').replaceAll(CHECKED_HAS, 'has');
}
