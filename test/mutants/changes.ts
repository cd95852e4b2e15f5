// All small mistakes of a few sorts that one file of the program can have, made from its syntax tree without knowing what it is about: a
// condition that is always or never true, an operand or a row of a table that is missing, a function that finds nothing, a call that is
// passed by, a problem that is not thrown.

import { transformSync } from 'esbuild';
import ts from 'typescript-api';

/** One mistake: what stands there in place of `start` to `end`. */
export interface Change {
  readonly line: number;
  /** `condition always true: a === b` */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

/** Every mistake of a source, in the order of its lines; those that change nothing or are no program are left out. */
export function changesIn(source: string, file: string): Change[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2023, true);
  const before = bare(source, file);
  const seen = new Set([before]);
  const isNew = (change: Change) => {
    const after = bare(applied(source, change), file);
    return after !== undefined && !seen.has(after) && seen.add(after);
  };
  return nodesOf(tree)
    .flatMap((node) => SORTS.flatMap((sort) => sort(node)))
    .map(({ node, sort, to, end }) => {
      const start = node.getStart(tree);
      const text = node.getText(tree).replaceAll(/\s+/g, ' ').slice(0, 70);
      const line = tree.getLineAndCharacterOfPosition(start).line + 1;
      return { line, name: `${sort}: ${text}`, start, end: end ?? node.end, to };
    })
    .filter(isNew);
}

export function applied(source: string, { start, end, to }: Change): string {
  return `${source.slice(0, start)}${to}${source.slice(end)}`;
}

/** The source without types and form; undefined if it is no program. */
export function bare(source: string, file: string): string | undefined {
  try {
    return transformSync(source, { loader: 'ts', sourcefile: file, logLevel: 'silent' }).code;
  } catch {
    return undefined;
  }
}

interface Made {
  readonly node: ts.Node;
  readonly sort: string;
  readonly to: string;
  /** Where what goes ends, if not with the node. */
  readonly end?: number;
}

type Sort = (node: ts.Node) => Made[];

const SORTS: readonly Sort[] = [conditions, operands, values, bodies, rows, calls, statements];

function conditions(node: ts.Node): Made[] {
  const condition =
    ts.isIfStatement(node) || ts.isWhileStatement(node)
      ? node.expression
      : ts.isConditionalExpression(node)
        ? node.condition
        : undefined;
  return condition === undefined ? [] : either(condition, 'condition');
}

/** What is joined by `&&` or `||`, and what an arrow answers at once. */
function operands(node: ts.Node): Made[] {
  if (isLogical(node))
    return [node.left, node.right].filter((side) => !isLogical(side)).flatMap((one) => either(one, 'operand'));
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
    return [{ node, sort: 'no other value', to: node.left.getText() }];
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body) && isComparison(node.body)) return either(node.body, 'answer');
  return ts.isReturnStatement(node) && node.expression !== undefined && isComparison(node.expression)
    ? either(node.expression, 'answer')
    : [];
}

function either(node: ts.Node, sort: string): Made[] {
  return ['true', 'false'].map((to) => ({ node, sort: `${sort} always ${to}`, to }));
}

/** A collection that is empty. */
function values(node: ts.Node): Made[] {
  if (!ts.isNewExpression(node) || (node.arguments ?? []).length === 0) return [];
  const name = node.expression.getText();
  return name === 'Set' || name === 'Map' ? [{ node, sort: 'empty', to: `new ${name}()` }] : [];
}

/** A named function that finds nothing, by what it says that it returns. */
function bodies(node: ts.Node): Made[] {
  if (!(ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) || node.body === undefined) return [];
  const name = node.name?.getText() ?? '';
  return nothings(node.type).map((nothing) => ({
    node: node.body as ts.Node,
    sort: `${name} returns ${nothing || 'at once'}`,
    to: `{ return ${nothing}; }`,
  }));
}

/** What a type has in place of a value; none for types that have nothing of the sort. */
function nothings(type: ts.TypeNode | undefined): readonly string[] {
  const text = type?.getText() ?? '';
  if (text === 'boolean') return ['true', 'false'];
  if (text === 'void') return [''];
  if (/\[\]$/.test(text)) return ['[]'];
  if (/\bundefined$/.test(text)) return ['undefined'];
  const [, collection] = /^(?:Readonly)?(Map|Set)\b/.exec(text) ?? [];
  return collection === undefined ? [] : [`new ${collection}()`];
}

/** Rows of tables: of the lists and objects in constants with names in capitals. */
function rows(node: ts.Node): Made[] {
  if (!ts.isVariableDeclaration(node) || node.initializer === undefined) return [];
  const name = node.name.getText();
  const table = /^[A-Z][A-Z\d_]+$/.test(name) ? tableIn(node.initializer) : undefined;
  return (table ?? []).map((row) => ({ node: row, sort: `${name} without`, to: '', end: withComma(row) }));
}

function tableIn(value: ts.Expression): readonly ts.Node[] | undefined {
  if (ts.isAsExpression(value) || ts.isSatisfiesExpression(value)) return tableIn(value.expression);
  if (ts.isCallExpression(value) || ts.isNewExpression(value)) {
    const [only] = value.arguments ?? [];
    return only === undefined ? undefined : tableIn(only);
  }
  if (ts.isObjectLiteralExpression(value)) return value.properties;
  return ts.isArrayLiteralExpression(value) ? value.elements : undefined;
}

/** Methods that are passed by: what they would have chosen from is taken whole, as it is. */
const PASSED_BY = new Set(['filter', 'slice', 'sort', 'toSorted', 'reverse', 'trim']);
/** Methods of which an answer is taken. */
const ANSWERS = new Set(['some', 'every', 'includes', 'has', 'startsWith', 'endsWith', 'test']);

/** Methods that make a list. */
const LISTS = new Set(['map', 'flatMap', 'filter', 'keys', 'concat', 'split']);

function calls(node: ts.Node): Made[] {
  if (!ts.isCallExpression(node) || ts.isExpressionStatement(node.parent)) return [];
  return [...instead(node), ...passedBy(node)];
}

/** Nothing in place of what a call answers. */
function instead(node: ts.CallExpression): Made[] {
  const { expression } = node;
  if (ts.isIdentifier(expression)) return ['undefined', '[]'].map((to) => ({ node, sort: `${to} in place of`, to }));
  const isList = ts.isPropertyAccessExpression(expression) && LISTS.has(expression.name.text);
  // A link of a chain is passed by with its chain.
  return isList && !ts.isPropertyAccessExpression(node.parent) ? [{ node, sort: '[] in place of', to: '[]' }] : [];
}

function passedBy(node: ts.CallExpression): Made[] {
  if (!ts.isPropertyAccessExpression(node.expression)) return [];
  const { name, expression } = node.expression;
  if (ANSWERS.has(name.text)) return either(node, 'call');
  if (name.text === 'find') return [{ node, sort: 'nothing found', to: 'undefined' }];
  return PASSED_BY.has(name.text) ? [{ node, sort: `no ${name.text}`, to: expression.getText() }] : [];
}

/** What is not done: a call for its effect, a throw, an early end. */
function statements(node: ts.Node): Made[] {
  if (ts.isThrowStatement(node)) return [{ node, sort: 'not thrown', to: ';' }];
  const isEarly = ts.isContinueStatement(node) || ts.isBreakStatement(node);
  if (isEarly && !ts.isCaseClause(node.parent)) return [{ node, sort: 'goes on', to: ';' }];
  if (!ts.isExpressionStatement(node)) return [];
  const { expression } = node;
  const called = ts.isAwaitExpression(expression) ? expression.expression : expression;
  return ts.isCallExpression(called) ? [{ node, sort: 'not called', to: ';' }] : [];
}

function isLogical(node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken;
}

function isComparison(node: ts.Node): boolean {
  if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.ExclamationToken;
  return ts.isBinaryExpression(node) && COMPARING.has(node.operatorToken.kind);
}

const COMPARING = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);

function withComma(node: ts.Node): number {
  const { text } = node.getSourceFile();
  return node.end + (/^\s*,/.exec(text.slice(node.end))?.[0].length ?? 0);
}

function nodesOf(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  const walk = (one: ts.Node): void => {
    found.push(one);
    ts.forEachChild(one, walk);
  };
  walk(node);
  return found;
}
