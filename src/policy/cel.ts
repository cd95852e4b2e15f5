// One CEL expression: parsed, checked and evaluated by a library (ADR-0037). Knows nothing of policies.
//
// Expressions come from a repository that may be a stranger's, so three things are not left to the library:
//
//   has(a.b)       is checked against the type of `a`, so that a misspelt field is an error and not "absent"
//   matches()      takes a literal pattern, runs in linear time (RE2), and its size is bounded
//   steps          each part of the expression is charged for what it reads and makes, where it does so (meter.ts)
//
// The library turns a text into a tree of nodes and evaluates it by calling each node's `evaluate`. After it has checked the
// types, this file replaces that function in every node with one that charges and then calls the original.
//
// Example: `object.hostports.all(h, h.endsWith(":443"))` is a call of the macro `all`, which the library expands to a
// comprehension: an iterable (`object.hostports`), and a step for each element (`h.endsWith(":443")`, a call with two parts).
// With 500 hostports of 64 characters, the comprehension is charged 1, each step 1 for the call and 1 for the text it read. A
// nested loop over the same list multiplies by itself, exceeds the budget, and ends as an error at the same step each time.
//
// What depends on the library's insides: the shape of `Node` below, `meta.alternate` (what a macro was expanded to), and that
// `evaluate` is read from the node at each call. The tests of this folder fail if one of them changes.

import { RE2JS } from '@bufbuild/re2';
import { Environment, ParseError, TypeError as TypeProblem } from '@marcbachmann/cel-js';
import { evaluateWithin, metered, type Budget } from './meter.ts';

export type { Environment };

/** Longest expression in characters. */
const MAX_LENGTH = 4_000;
/** Largest pattern: its characters, times what it counts. */
const MAX_PATTERN = 20_000;
const LIMITS = { maxAstNodes: 1_000, maxDepth: 40, maxListElements: 500, maxMapEntries: 500, maxCallArguments: 8 };

/** Thrown by values that are not known, or not to be seen; the message names them. */
export class Undecided extends Error {}

/** What is wrong with an expression, and the part of it that is. */
export interface CelProblem {
  readonly message: string;
  readonly at: Pick<Node, 'start' | 'end'>;
  /** The name that a value does not have. */
  readonly unknownName?: string;
}

type Variables = Readonly<Record<string, unknown>>;

/** A value that an expression names: a variable, and the path below it. */
export interface Member {
  readonly variable: string;
  readonly path: readonly string[];
}

export interface Expression {
  /** Its value; throws `Undecided` or another error, also when the budget is exceeded. */
  readonly evaluate: (variables: Variables, budget: Budget) => unknown;
  /** The variables that it reads. */
  readonly reads: readonly string[];
  /** The members of a variable that it names, such as `object.backend.backend_id`, in the order of the text. */
  readonly members: readonly Member[];
}

export function newEnvironment(): Environment {
  return new Environment({ limits: LIMITS });
}

/** The expression, if it is valid and has one of those types. */
export function compile(text: string, types: readonly string[], environment: Environment): Expression | CelProblem {
  const whole = { start: 0, end: text.length };
  if (text.length > MAX_LENGTH) return { message: `it has more than ${MAX_LENGTH} characters`, at: whole };
  try {
    const parsed = environment.parse(text);
    // Before the check, which asks for macros; what is metered is known after it.
    const costs = new Map([...nodesIn(parsed.ast)].map((node) => [node, prepareCall(node)]));
    const { error, type = '' } = parsed.check();
    if (error !== undefined) throw error;
    if (!types.includes(type)) return { message: `it is of type ${type}, not ${types.join(' or ')}`, at: whole };
    const names = new Set([...costs.keys()].flatMap(({ op, args }) => (op === 'id' ? [String(args)] : [])));
    const reads = [...names].filter((name) => environment.hasVariable(name));
    for (const [node, perCharacter] of costs) meterNode(node, perCharacter);
    return {
      evaluate: (variables, budget) => evaluateWithin(() => parsed(variables), budget),
      reads,
      members: membersIn([...costs.keys()]),
    };
  } catch (error) {
    if (!(error instanceof ParseError || error instanceof TypeProblem)) throw error;
    const { code, range: at = whole, node } = error;
    const name = code === 'no_such_key' && isNode(node) ? partsOf(node)[1] : undefined;
    if (typeof name === 'string') return { message: `there is no field "${name}"`, at, unknownName: name };
    return { message: wordsOf(error), at };
  }
}

type Evaluate<Of> = (runner: Runner, of: Of, context: unknown) => unknown;

/** A part of a parsed expression, as the library has it. */
interface Node {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly end: number;
  /** The library asks for it each time. */
  evaluate: Evaluate<Node>;
  /** What a macro was expanded to, a macro that is not expanded, or how the part is evaluated. */
  readonly meta: {
    readonly alternate?: Node;
    readonly macro?: { readonly evaluate: Evaluate<unknown> };
    readonly evaluate: Evaluate<Node>;
  };
  /** Replaces how the part is checked and evaluated, or only how it is evaluated. */
  readonly setMeta: (key: 'macro' | 'evaluate' | 'async', value: unknown) => Node;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

/** Names and parts of parts, all in one list. */
function partsOf({ args }: Node): readonly unknown[] {
  return Array.isArray(args) ? args.flat(2) : [args];
}

/** The part and all that are in it, with those that macros were expanded to; each once. */
function nodesIn(value: unknown, found = new Set<Node>()): Set<Node> {
  if (Array.isArray(value)) for (const one of value) nodesIn(one, found);
  else if (isNode(value)) {
    if (found.has(value)) return found;
    found.add(value);
    nodesIn([value.args, value.meta.alternate], found);
  } else if (typeof value === 'object' && value !== null) {
    const { iterable, init, step } = value as Partial<Record<'iterable' | 'init' | 'step', Node>>;
    nodesIn([iterable, init, step], found);
  }
  return found;
}

/** The longest members of variables that the parts name. */
function membersIn(nodes: readonly Node[]): Member[] {
  const named = nodes.flatMap((node) => {
    const member = memberOf(node);
    return member === undefined || member.path.length === 0 ? [] : [{ node, member }];
  });
  const inner = new Set(named.map(({ node }) => partsOf(node)[0]));
  return named
    .filter(({ node }) => !inner.has(node))
    .sort((a, b) => a.node.start - b.node.start)
    .map(({ member }) => member);
}

function memberOf(node: unknown): Member | undefined {
  if (!isNode(node)) return undefined;
  if (node.op === 'id') return { variable: String(node.args), path: [] };
  if (node.op !== '.') return undefined;
  const [holder, name] = partsOf(node);
  const above = memberOf(holder);
  return above === undefined || typeof name !== 'string' ? undefined : { ...above, path: [...above.path, name] };
}

/** The function that is called, if one is. */
function nameOf(node: Node): unknown {
  return node.op === 'call' || node.op === 'rcall' ? partsOf(node)[0] : undefined;
}

/** Their results may be of any size, or need time: policies have no bytes, and no clock. */
const MISSING: readonly unknown[] = ['bytes', 'json', 'timestamp', 'duration'];

/** Puts what is ours in place of the library's, and returns the steps for each character that a pattern reads. */
function prepareCall(node: Node): number {
  const name = nameOf(node);
  if (MISSING.includes(name)) throw problemAt(`there is no function ${String(name)}()`, node);
  if (name === 'has') node.setMeta('macro', hasField(node)).setMeta('async', false);
  return name === 'matches' ? prepareMatch(node) : 0;
}

function problemAt(message: string, { start, end }: Node): TypeProblem {
  return new TypeProblem({ message, range: { start, end } });
}

interface Runner {
  readonly run: (node: unknown, context: unknown) => unknown;
}

/** `text.matches("pattern")`; the pattern is compiled once. */
function prepareMatch(node: Node): number {
  const [, text, source] = partsOf(node);
  if (!isNode(source) || source.op !== 'value' || typeof source.args !== 'string')
    throw problemAt('the pattern of matches() must be a literal text', node);
  if (source.args.length * (1 + repeatsIn(source.args)) > MAX_PATTERN)
    throw problemAt('the pattern is too large, or repeats too often', node);
  try {
    const pattern = new RE2JS(source.args);
    const evaluate = (runner: Runner, _: unknown, context: unknown) => {
      const value = runner.run(text, context);
      if (typeof value === 'string') return pattern.test(value);
      throw new Error('matches() is for a text');
    };
    node.setMeta('evaluate', evaluate);
    return pattern.re2Input.prog.numInst() / 20;
  } catch (error) {
    throw problemAt(`the pattern is not a regular expression of RE2: ${wordsOf(error)}`, node);
  }
}

/** The sum of all counts in braces, of which each may copy what stands before it: `a{2,5}`. */
function repeatsIn(pattern: string): number {
  const counts = [...pattern.matchAll(/\{([\d,]*)\}/g)].flatMap(([, inner = '']) => inner.split(','));
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

interface Checker {
  readonly check: (node: unknown, context: unknown) => unknown;
  readonly getType: (name: string) => unknown;
}

/** The macro `has(a.b)`: the field must be one of `a`, and its value is not read. */
function hasField(node: Node) {
  const [, field] = partsOf(node);
  const [owner, name] = isNode(field) ? partsOf(field) : [];
  return {
    typeCheck: (checker: Checker, _: unknown, context: unknown) => {
      if (!isNode(field) || field.op !== '.') throw problemAt('has() takes a field, such as has(a.b)', node);
      checker.check(field, context);
      return checker.getType('bool');
    },
    evaluate: (runner: Runner, _: unknown, context: unknown) => {
      const value = runner.run(owner, context);
      return typeof value === 'object' && value !== null && Object.hasOwn(value, String(name));
    },
  };
}

/** Parts that read what their parts made, or make a text or a list. */
const READING: readonly unknown[] = ['call', 'rcall', '==', '!=', 'in', '+', 'list', 'map'];
const SEARCHES: readonly unknown[] = ['contains', 'indexOf', 'lastIndexOf'];

/** Charges what the evaluation of a part takes. */
function meterNode(node: Node, perCharacter: number): void {
  if (node.op === 'value') return;
  const { alternate, macro, evaluate } = node.meta;
  const literals = partsOf(node).map((part) => (isNode(part) && part.op === 'value' ? String(part.args).length : 0));
  const expanded: Evaluate<Node> | undefined =
    alternate && ((runner, _, context) => alternate.evaluate(runner, alternate, context));
  const own =
    expanded ?? (macro === undefined ? evaluate : (runner, _, context) => macro.evaluate(runner, macro, context));
  const searched = SEARCHES.includes(nameOf(node)) ? literals[2] || Infinity : 0;
  const isReading = READING.includes(node.op);
  const made = { makesList: isReading || node.op === 'comprehension', makesMap: node.op === 'map' };
  node.evaluate = metered(own, { isReading, ...made, searched, perCharacter, literal: Math.max(0, ...literals) });
}

/** The first line of an error of the library; the rest is a code frame. */
export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0] ?? '';
}
