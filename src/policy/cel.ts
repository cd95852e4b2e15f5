// One CEL expression: parsed, checked and evaluated by the library, with a `has()` that checks its field, `matches` in linear time,
// `all` and `exists` over elements that cannot be read, and an estimate of what it costs (ADR-0037). Knows nothing of policies.

import { RE2JS } from '@bufbuild/re2';
import { Environment, ParseError, TypeError as TypeProblem } from '@marcbachmann/cel-js';

/** Longest expression in characters. */
const MAX_LENGTH = 4_000;
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

/** The longest list, object or text among the values that an expression can see. */
export interface Sizes {
  list: number;
  text: number;
}

export interface Expression {
  /** Its value; throws `Undecided` or another error. */
  readonly evaluate: (variables: Readonly<Record<string, unknown>>) => unknown;
  /** The variables that it reads. */
  readonly reads: readonly string[];
  /** Steps that it takes at most, each less than a microsecond. Undefined without loops and patterns: then it only reads texts. */
  readonly costOf?: (sizes: Readonly<Sizes>) => number;
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
    const nodes = nodesIn(parsed.ast);
    const reading = nodes.reduce((sum, node) => sum + prepareCall(node), 0);
    const { error, type = '' } = parsed.check();
    if (error !== undefined) throw error;
    if (!types.includes(type)) return { message: `it is of type ${type}, not ${types.join(' or ')}`, at: whole };
    const names = new Set(nodes.flatMap(({ op, args }) => (op === 'id' ? [String(args)] : [])));
    const reads = [...names].filter((name) => environment.hasVariable(name));
    return { evaluate: parsed, reads, ...estimateOf(nodes, reading) };
  } catch (error) {
    if (!(error instanceof ParseError || error instanceof TypeProblem)) throw error;
    const { code, range: at = whole, node } = error;
    const name = code === 'no_such_key' && isNode(node) ? partsOf(node)[1] : undefined;
    if (typeof name === 'string') return { message: `there is no field "${name}"`, at, unknownName: name };
    return { message: wordsOf(error), at };
  }
}

/** A part of a parsed expression, as the library has it. */
interface Node {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly end: number;
  /** Set by the check. */
  readonly checkedType?: { readonly kind: string; readonly name: string };
  /** What a macro was expanded to. */
  readonly meta: { readonly alternate?: Node };
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

/** The part, and all that are in it. */
function nodesIn(value: unknown): Node[] {
  return isNode(value) ? [value, ...partsOf(value).flatMap(nodesIn)] : [];
}

/** The function that is called, if one is. */
function nameOf(node: Node): unknown {
  return node.op === 'call' || node.op === 'rcall' ? partsOf(node)[0] : undefined;
}

/** Their results may be of any size, or need time: policies have no bytes, and no clock. */
const MISSING: readonly unknown[] = ['bytes', 'json', 'timestamp', 'duration'];

/** Puts what is ours in place of the library's, and returns the steps for each character that a call reads. */
function prepareCall(node: Node): number {
  const name = nameOf(node);
  if (MISSING.includes(name)) throw problemAt(`there is no function ${String(name)}()`, node);
  if (name === 'has') node.setMeta('macro', hasField(node)).setMeta('async', false);
  if (name === 'all' || name === 'exists') node.meta.alternate?.setMeta('evaluate', quantify);
  if (name === 'matches') return prepareMatch(node);
  return name === 'split' ? 1 / 5 : 0;
}

function problemAt(message: string, { start, end }: Node): TypeProblem {
  return new TypeProblem({ message, range: { start, end } });
}

interface Runner {
  readonly run: (node: unknown, context: unknown) => unknown;
  /** The value, or the error in place of it. */
  readonly tryEval: (node: unknown, context: unknown) => unknown;
}

/** `text.matches("pattern")`; the pattern is compiled once. */
function prepareMatch(node: Node): number {
  const [, text, source] = partsOf(node);
  if (!isNode(source) || source.op !== 'value' || typeof source.args !== 'string')
    throw problemAt('the pattern of matches() must be a literal text', node);
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

/** A context of variables. */
interface Context {
  readonly forkWithVariable: (name: string, type: unknown) => object;
}

/** What `all` and `exists` were expanded to. */
interface Loop {
  readonly args: {
    readonly iterable: Node;
    readonly iterVarName: string;
    readonly init: Node;
    readonly step: Node;
    readonly condition: (found: unknown) => boolean;
  };
  readonly handle: (items: unknown, args: Loop['args'], runner: Runner, context: Context) => unknown;
}

/**
 * `all` and `exists` over a list with elements that cannot be read, which the library reads too early: each counts as undecided only
 * where it is read, and any other element can decide.
 */
function quantify(runner: Runner, { args, handle }: Loop, context: Context): unknown {
  const items = runner.run(args.iterable, context);
  if (!Array.isArray(items) || !Object.hasOwn(items, Symbol.iterator)) return handle(items, args, runner, context);
  let problem: Error | undefined;
  for (const at of items.keys()) {
    const inner = context.forkWithVariable(args.iterVarName, undefined);
    Object.defineProperty(inner, 'iterValue', { get: () => items[at] as unknown });
    const found = runner.tryEval(args.step, inner);
    if (found instanceof Error) problem ??= found;
    else if (!args.condition(found)) return found;
  }
  if (problem !== undefined) throw problem;
  return runner.run(args.init, context);
}

const LOOPS: readonly unknown[] = ['all', 'exists', 'exists_one', 'filter', 'map', 'bind'];
const SCALARS: readonly unknown[] = ['int', 'double', 'bool', 'string'];

/** How many loops are inside of each other; lists are compared in a loop, too. */
function depthOf(node: Node): number {
  const parts = partsOf(node).filter(isNode);
  const isComparison = ['==', '!=', 'in'].includes(node.op) && !parts.every(isScalar);
  const isLoop = isComparison || LOOPS.includes(nameOf(node));
  const depths = parts.map((part, at) => depthOf(part) + (isLoop && (isComparison || at > 0) ? 1 : 0));
  return Math.max(isComparison ? 1 : 0, ...depths);
}

function isScalar({ checkedType }: Node): boolean {
  return SCALARS.includes(checkedType?.name);
}

/**
 * The steps of an expression from above. Each loop repeats what is in it as often as the longest list is long, and can make every
 * list and text as many times as large as there are places that join. `reading` is the steps for each character of the longest text.
 */
function estimateOf(nodes: readonly Node[], reading: number): Pick<Expression, 'costOf'> {
  const calls = nodes.map(nameOf);
  const depth = nodes.slice(0, 1).reduce((_, whole) => depthOf(whole), 0);
  if (depth === 0 && reading === 0) return {};
  const loops = calls.filter((name) => LOOPS.includes(name)).length;
  const literals = nodes.filter(({ op }) => op === 'list' || op === 'map').map(partsOf);
  const sums = nodes.filter(
    ({ op, checkedType }) => op === '+' && !['int', 'double'].includes(checkedType?.name ?? ''),
  );
  const joins = sums.length + literals.flat().filter((part) => isNode(part) && part.op !== 'value').length;
  const longestText = Math.max(1, ...nodes.map(({ op, args }) => (op === 'value' ? String(args).length : 0)));
  const longestList = Math.max(1, ...literals.map(({ length }) => length));
  const [splits, joinsLists] = [calls.includes('split'), calls.includes('join')];
  const costOf = (sizes: Sizes) => {
    const text = Math.max(sizes.text, longestText);
    const list = Math.max(sizes.list, longestList, splits ? text : 1);
    const growth = (1 + joins + (joinsLists ? list : 0)) ** loops;
    return (list * growth) ** depth * (nodes.length + text * growth * (reading + nodes.length / 1_000));
  };
  return { costOf };
}

/** The first line of an error of the library; the rest is a code frame. */
export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0] ?? '';
}
