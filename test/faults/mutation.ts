// Seeded mistakes as changes of a syntax tree: a place in a file, by the names of what holds it and of what it is about,
// and what stands there instead. A place that is missing, or that two parts of the file fit, is an error.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import ts from 'typescript-api';

/** Which part of the code is meant. Words are identifiers and texts that all occur in it. */
export type Find =
  | { readonly condition: readonly string[] }
  | { readonly operand: readonly string[] }
  /** The value of a constant or property of this name; of one inside it after a dot. */
  | { readonly value: string }
  /** The whole property or element of a table: `TABLE.name`, or that whose `name`, `id`, `code` or `rule` it is. */
  | { readonly row: string }
  /** A call of the function or method of this name, with these words in it; the only one, or that of this number from 0. */
  | { readonly call: string; readonly with?: readonly string[]; readonly nth?: number }
  | { readonly each: readonly string[] }
  /** A statement that throws. */
  | { readonly throws: readonly string[] }
  | { readonly text: string }
  | { readonly body: true };

/** One structural change of one file. */
export interface Edit {
  readonly file: string;
  /** The function, method or constant that holds the place; those around it before it, with dots. The whole file when missing. */
  readonly in?: string;
  readonly find: Find;
  /** What stands there instead: `$` is what stood there, `$0` the first argument of a call. Nothing when missing. */
  readonly to?: string;
}

/** Source of the file, from a folder that holds `src`. */
export function sourceOf(root: string, { file }: Pick<Edit, 'file'>): string {
  return readFileSync(join(root, 'src', file), 'utf8');
}

/** The changed source; throws when the place is not there exactly once, or nothing differs afterwards. */
export function mutate(source: string, edit: Edit): string {
  const tree = parse(source, edit.file);
  const places = scopesOf(tree, edit.in).flatMap((scope) => findIn(scope, edit.find));
  const [node] = places;
  const what = `${edit.file}${edit.in === undefined ? '' : ` ${edit.in}`}: ${JSON.stringify(edit.find)}`;
  if (node === undefined || places.length > 1) throw new Error(`${what} is there ${places.length} times`);
  const { start, end } = edit.to === undefined ? withoutComma(node) : { start: node.getStart(tree), end: node.end };
  const text = edit.to === undefined ? '' : filled(edit.to, node, tree);
  const changed = `${source.slice(0, start)}${text}${source.slice(end)}`;
  if (bare(changed, edit.file) === bareOriginal(source, edit.file)) throw new Error(`${what} changes nothing`);
  return changed;
}

/** What was made of a file's source, for the many mistakes in one file. */
function kept<T>(make: (source: string, file: string) => T): (source: string, file: string) => T {
  const made = new Map<string, { readonly source: string; readonly value: T }>();
  return (source, file) => {
    const before = made.get(file);
    if (before?.source === source) return before.value;
    const value = make(source, file);
    made.set(file, { source, value });
    return value;
  };
}

const parse = kept((source, file) => ts.createSourceFile(file, source, ts.ScriptTarget.ES2023, true));
const bareOriginal = kept(bare);
/** The source as the module that runs; throws when it is not TypeScript. */
export const compile = kept(transpile);

/** The source without types and without a form of its own, by a quicker compiler; throws when it is not TypeScript. */
function bare(source: string, file: string): string {
  return transformSync(source, { loader: 'ts', sourcefile: file, logLevel: 'silent' }).code;
}

function transpile(source: string, file: string): string {
  const { outputText, diagnostics = [] } = ts.transpileModule(source, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
    },
  });
  const [first] = diagnostics;
  if (first !== undefined) throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(first.messageText, ' ')}`);
  return outputText;
}

/** Names of the rows of a table, for mistakes that are made for each of them. */
export function rowNames(source: string, file: string, table: string): string[] {
  const [value] = valuesOf(parse(source, file), table.split('.'));
  const list = value === undefined ? undefined : tableOf(value);
  if (list === undefined) throw new Error(`${file} has no table ${table}`);
  return list.map((row, index) => nameOfRow(row) ?? String(index));
}

/** How often a function or method of this name is called, for mistakes that are made at each call. */
export function countCalls(source: string, file: string, name: string): number {
  // Most files do not even have the word.
  return source.includes(name) ? callsIn(parse(source, file), name).length : 0;
}

/** All nodes with these names, one in the other. */
function scopesOf(tree: ts.SourceFile, path: string | undefined): ts.Node[] {
  let scopes: ts.Node[] = [tree];
  for (const name of path?.split('.') ?? [])
    scopes = scopes.flatMap((scope) => outermost(scope, (node) => isHolder(node) && nameOf(node) === name));
  if (scopes.length !== 1) throw new Error(`${tree.fileName} has ${scopes.length} times ${path ?? ''}`);
  return scopes;
}

function isHolder(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isClassDeclaration(node)) return true;
  return (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) && node.initializer !== undefined;
}

function nameOf(node: ts.Node): string | undefined {
  const name = (node as { readonly name?: ts.Node }).name;
  if (name === undefined) return undefined;
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isPrivateIdentifier(name) ? name.text : undefined;
}

/** Nodes below one that fit; what lies in one that fits is not looked at. */
function outermost(scope: ts.Node, fits: (node: ts.Node) => boolean): ts.Node[] {
  const found: ts.Node[] = [];
  const walk = (node: ts.Node): void => {
    if (fits(node)) found.push(node);
    else ts.forEachChild(node, walk);
  };
  ts.forEachChild(scope, walk);
  return found;
}

function all(scope: ts.Node, fits: (node: ts.Node) => boolean): ts.Node[] {
  const found: ts.Node[] = [];
  const walk = (node: ts.Node): void => {
    if (fits(node)) found.push(node);
    ts.forEachChild(node, walk);
  };
  walk(scope);
  return found;
}

function findIn(scope: ts.Node, find: Find): ts.Node[] {
  if ('condition' in find) return conditionsIn(scope).filter((node) => hasWords(node, find.condition));
  if ('operand' in find) return operandsIn(scope).filter((node) => hasWords(node, find.operand));
  if ('value' in find) return valuesOf(scope, find.value.split('.'));
  if ('row' in find) return rowsOf(scope, find.row);
  if ('call' in find) {
    const calls = callsIn(scope, find.call).filter((node) => hasWords(node, find.with ?? []));
    return find.nth === undefined ? calls : calls.slice(find.nth, find.nth + 1);
  }
  if ('each' in find)
    return all(scope, ts.isForOfStatement)
      .map((node) => (node as ts.ForOfStatement).expression)
      .filter((node) => hasWords(node, find.each));
  if ('throws' in find) return all(scope, ts.isThrowStatement).filter((node) => hasWords(node, find.throws));
  if ('text' in find) return all(scope, (node) => ts.isStringLiteralLike(node) && node.text === find.text);
  return bodiesOf(scope);
}

function hasWords(node: ts.Node, words: readonly string[]): boolean {
  const found = new Set(
    all(node, (one) => ts.isIdentifier(one) || ts.isPrivateIdentifier(one) || ts.isLiteralExpression(one)).map(
      (one) => (one as ts.Identifier | ts.LiteralExpression).text,
    ),
  );
  return words.every((word) => found.has(word));
}

function conditionsIn(scope: ts.Node): ts.Node[] {
  return all(scope, () => true).flatMap((node): ts.Node[] => {
    if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return [node.expression];
    if (ts.isConditionalExpression(node)) return [node.condition];
    return ts.isForStatement(node) && node.condition !== undefined ? [node.condition] : [];
  });
}

function isLogical(node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken;
}

/** Operands of chains, each chain taken apart whole. */
function operandsIn(scope: ts.Node): ts.Node[] {
  return all(scope, isLogical).flatMap((node) => {
    const { left, right } = node as ts.BinaryExpression;
    return [left, right].filter((side) => !isLogical(side));
  });
}

/** Values of the constant or property with the first name, and in it of the others. */
function valuesOf(scope: ts.Node, [first = '', ...rest]: readonly string[]): ts.Node[] {
  const declared = all(
    scope,
    (node) => (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) && nameOf(node) === first,
  ).flatMap((node) => (node as ts.VariableDeclaration | ts.PropertyAssignment).initializer ?? []);
  const inner = rest.reduce<ts.Node[]>(
    (values, name) =>
      values.flatMap((value) => (tableOf(value) ?? []).filter((row) => nameOfRow(row) === name)).flatMap(valueOfRow),
    declared,
  );
  return inner;
}

function valueOfRow(row: ts.Node): ts.Node[] {
  return ts.isPropertyAssignment(row) ? [row.initializer] : [row];
}

/** Properties of an object, or elements of a list, whatever type is put on it. */
function tableOf(value: ts.Node): readonly ts.Node[] | undefined {
  if (ts.isAsExpression(value) || ts.isSatisfiesExpression(value) || ts.isParenthesizedExpression(value))
    return tableOf(value.expression);
  if (ts.isCallExpression(value) && value.arguments.length === 1) return tableOf(value.arguments[0]!);
  if (ts.isNewExpression(value) && value.arguments?.length === 1) return tableOf(value.arguments[0]!);
  if (ts.isObjectLiteralExpression(value)) return value.properties;
  return ts.isArrayLiteralExpression(value) ? value.elements : undefined;
}

const NAMING = ['name', 'id', 'code', 'rule'];

function nameOfRow(row: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(row) || ts.isIdentifier(row)) return row.text;
  if (!ts.isObjectLiteralExpression(row)) return nameOf(row);
  const naming = row.properties.find((one) => NAMING.includes(nameOf(one) ?? ''));
  const value = naming !== undefined && ts.isPropertyAssignment(naming) ? naming.initializer : undefined;
  return value !== undefined && ts.isStringLiteralLike(value) ? value.text : undefined;
}

function rowsOf(scope: ts.Node, path: string): ts.Node[] {
  const at = path.indexOf('.');
  const [table, name] = [path.slice(0, at), path.slice(at + 1)];
  return valuesOf(scope, [table]).flatMap((value) =>
    (tableOf(value) ?? []).filter((row, index) => (nameOfRow(row) ?? String(index)) === name),
  );
}

function callsIn(scope: ts.Node, name: string): ts.Node[] {
  return all(scope, (node) => {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
    const { expression } = node;
    return (ts.isPropertyAccessExpression(expression) ? expression.name : expression).getText() === name;
  });
}

function bodiesOf(scope: ts.Node): ts.Node[] {
  if (ts.isVariableDeclaration(scope) || ts.isPropertyAssignment(scope))
    return scope.initializer === undefined ? [] : bodiesOf(scope.initializer);
  const body = (scope as { readonly body?: ts.Node }).body;
  return body === undefined ? [] : [body];
}

/** A row goes with the comma that follows it, an operand with its operator. */
function withoutComma(node: ts.Node): { readonly start: number; readonly end: number } {
  const { parent } = node;
  const tree = node.getSourceFile();
  if (isLogical(parent))
    return parent.left === node
      ? { start: node.getStart(tree), end: parent.right.getStart(tree) }
      : { start: parent.left.end, end: node.end };
  const comma = /^\s*,/.exec(tree.text.slice(node.end))?.[0] ?? '';
  return { start: node.getStart(tree), end: node.end + comma.length };
}

function filled(to: string, node: ts.Node, tree: ts.SourceFile): string {
  const given = ts.isCallExpression(node) || ts.isNewExpression(node) ? (node.arguments ?? []) : [];
  return to.replace(/\$(\d?)(?!\{)/g, (_, index: string) =>
    index === '' ? node.getText(tree) : (given[Number(index)]?.getText(tree) ?? ''),
  );
}
