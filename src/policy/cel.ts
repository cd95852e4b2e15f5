// One CEL expression: parsed and checked by the library, and evaluated in bounded time. The library decides what an expression
// means; this file adds `matches` in linear time, `has()` with checked fields, and a meter (ADR-0037). Knows nothing of policies.

import { RE2JS } from '@bufbuild/re2';
import { Environment, ParseError, TypeError as TypeProblem } from '@marcbachmann/cel-js';

export type { Environment };

/** Longest expression in characters. */
const MAX_LENGTH = 4_000;
const LIMITS = { maxAstNodes: 1_000, maxDepth: 40, maxListElements: 500, maxMapEntries: 500, maxCallArguments: 8 };
/**
 * Steps of all evaluations for one manifest or plan: the parts of an expression, again for each element of a list, the elements
 * and texts that it makes, and the characters that `matches` reads.
 */
const MAX_STEPS = 30_000_000;
/** Largest value that an expression makes: elements at any depth, and characters of one text. */
const MAX_SIZE = 100_000;

/** Thrown by values that are not known, or not to be seen: what depends on `what` is not decided. */
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

  get isSpent(): boolean {
    return this.#left < 0;
  }

  charge(steps: number): void {
    this.#left -= steps;
  }

  /** Throws when nothing is left. */
  spend(steps: number): void {
    this.charge(steps);
    if (this.isSpent) throw new Error(`the policies need more than ${MAX_STEPS} steps`);
  }
}

/** As long as `has`, so that positions stay. */
const CHECKED_HAS = 'hs_';

export function newEnvironment(): Environment {
  return new Environment({ limits: LIMITS }).registerFunction(`${CHECKED_HAS}(dyn): bool`, () => true);
}

/** What is wrong with an expression, and the part of it that is. */
export class CelProblem extends Error {
  readonly start: number;
  readonly end: number;
  /** The name that a value does not have. */
  readonly unknownName: string | undefined;

  constructor(message: string, { start, end }: Pick<Node, 'start' | 'end'>, unknownName?: string) {
    super(message);
    this.start = start;
    this.end = end;
    this.unknownName = unknownName;
  }
}

export type Variables = Readonly<Record<string, unknown>>;

/** A checked expression: gives its value, or throws `Undecided` or another error. */
export type Evaluate = (variables: Variables) => unknown;

/** The expression, if it is valid and has one of those types; else throws a `CelProblem`. */
export function compile(text: string, types: readonly string[], environment: Environment, meter: Meter): Evaluate {
  const whole = { start: 0, end: text.length };
  try {
    if (text.length > MAX_LENGTH) throw new CelProblem(`it has more than ${MAX_LENGTH} characters`, whole);
    const parsed = environment.parse(text);
    const nodes = nodesIn(parsed.ast);
    // The library does not look at the argument of `has()`, so another function takes its place for the check.
    const places = nodes.filter((node) => argumentsOf('has', node) !== undefined).map(({ start }) => start);
    const checked = places.reduce((made, at) => made.slice(0, at) + CHECKED_HAS + made.slice(at + 3), text);
    const { error } = places.length === 0 ? parsed.check() : environment.check(checked);
    if (error !== undefined) throw error;
    const { type = '' } = parsed.check();
    if (!types.includes(type)) throw new CelProblem(`it is of type ${type}, not ${types.join(' or ')}`, whole);
    intercept(nodes, meter);
    return (variables) => {
      meter.spend(nodes.length);
      const value: unknown = parsed(variables);
      // The meter's error counts, even where `||` or `exists()` absorbed it.
      meter.spend(0);
      return value;
    };
  } catch (error) {
    if (!(error instanceof ParseError || error instanceof TypeProblem)) throw error;
    const { code, range = whole, node } = error;
    const name = code === 'no_such_key' && isNode(node) ? partsOf(node)[1] : undefined;
    if (typeof name === 'string') throw new CelProblem(`there is no field "${name}"`, range, name);
    throw new CelProblem(wordsOf(error), range);
  }
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
  return isObjectLike(value) && typeof value['evaluate'] === 'function' && 'op' in value;
}

function isObjectLike(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Names and parts of parts, all in one list. */
function partsOf({ args }: Node): readonly unknown[] {
  return Array.isArray(args) ? args.flat(2) : [args];
}

function nodesIn(value: unknown): Node[] {
  return isNode(value) ? [value, ...partsOf(value).flatMap(nodesIn)] : [];
}

/** The arguments of a call of this name, after the receiver if it has one. */
function argumentsOf(name: string, node: Node): readonly Node[] | undefined {
  if ((node.op !== 'call' && node.op !== 'rcall') || partsOf(node)[0] !== name) return undefined;
  return partsOf(node).filter(isNode);
}

/** How a part is evaluated that the library would evaluate without a limit, or by touching a value that is not known. */
function ownWay(node: Node, meter: Meter): Node['evaluate'] | undefined {
  const [field] = argumentsOf('has', node) ?? [];
  if (field !== undefined) return presenceOf(field);
  const [receiver, pattern] = argumentsOf('matches', node) ?? [];
  if (receiver === undefined || pattern === undefined) return undefined;
  const matches = regexOf(pattern);
  return (runner, _node, scope) => {
    const text = receiver.evaluate(runner, receiver, scope);
    if (typeof text !== 'string') throw new Error('matches() needs a text');
    meter.spend(text.length);
    return matches(text);
  };
}

/** True when the last field of `a.b.c` is there, whether or not its value is known; the fields before it must be. */
function presenceOf(field: Node): Node['evaluate'] {
  const names: string[] = [];
  let root = field;
  while (root.op === '.') {
    const [of, name] = partsOf(root);
    if (!isNode(of)) break;
    names.unshift(String(name));
    root = of;
  }
  const last = names.pop();
  if (last === undefined || root.op !== 'id') throw new CelProblem('has() takes a field, such as has(a.b)', field);
  return (runner, _node, scope) => {
    const within = names.reduce(memberOf, root.evaluate(runner, root, scope));
    return isObjectLike(within) && Object.hasOwn(within, last);
  };
}

function memberOf(value: unknown, name: string): unknown {
  if (isObjectLike(value) && Object.hasOwn(value, name)) return value[name];
  throw new Error(`No such key: ${name}`);
}

/** RE2 needs time in proportion to the text. */
function regexOf(pattern: Node): (text: string) => boolean {
  const [source] = partsOf(pattern);
  if (pattern.op !== 'value' || typeof source !== 'string')
    throw new CelProblem('the pattern of matches() must be a literal text', pattern);
  try {
    const regex = new RE2JS(source);
    return (text) => regex.test(text);
  } catch (error) {
    throw new CelProblem(`the pattern is not a regular expression of RE2: ${wordsOf(error)}`, pattern);
  }
}

const MAKERS = ['list', 'map', '+', 'call', 'rcall'];

/** Steps for an error that `all()` or `exists()` absorbs: the library makes a code frame for each. */
const ERROR_COST = 1_000;
/** What ends these loops, which absorb the meter's error like any other. */
const ENDS: Readonly<Record<string, boolean>> = { all: false, exists: true };

/** Puts our own ways in place, and the meter where a part is evaluated again and again, or may make something large. */
function intercept(nodes: readonly Node[], meter: Meter): void {
  const loops = nodes.flatMap((node) =>
    node.op === 'rcall'
      ? partsOf(node)
          .slice(2)
          .map((part) => [part, node] as const)
      : [],
  );
  const loopOf = new Map<unknown, Node>(loops);
  for (const node of nodes) {
    const own = ownWay(node, meter);
    const loop = loopOf.get(node);
    const end = loop === undefined ? undefined : ENDS[String(partsOf(loop)[0])];
    const cost = loop === undefined ? 0 : nodesIn(node).length;
    const isMaker = MAKERS.includes(node.op);
    if (own === undefined && cost === 0 && !isMaker) continue;
    let inner = own ?? node.evaluate;
    const metered: Node['evaluate'] = (runner, at, scope) => {
      try {
        if (cost > 0) meter.spend(cost);
        const value = inner.call(node, runner, at, scope);
        if (isMaker && typeof value !== 'boolean') meter.spend(sizeOf(value, { elements: 0 }));
        return value;
      } catch (error) {
        if (!meter.isSpent && end !== undefined) meter.charge(ERROR_COST);
        if (meter.isSpent && end !== undefined) return end;
        throw error;
      }
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
  const isText = typeof value === 'string';
  if (isText ? value.length > MAX_SIZE : ++seen.elements > MAX_SIZE)
    throw new Error(`a value has more than ${MAX_SIZE} elements or characters`);
  if (isText) return value.length >> 4;
  if (!isObjectLike(value) || (value.constructor !== Array && value.constructor !== Object)) return 0;
  return Object.values(value).reduce<number>((size, item) => size + 1 + sizeOf(item, seen), 0);
}

/** The first line of an error of the library; the rest is a code frame. */
export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n')[0] ?? '').replaceAll(CHECKED_HAS, 'has');
}
