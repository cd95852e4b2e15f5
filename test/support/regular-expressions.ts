// Every regular expression that is written in our sources, in a literal or in a call of `RegExp`, as the text it is made from.
// Judges none of them.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-api';
import { visit } from './visit.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface WrittenExpression {
  /** `src/core/text/glob.ts:53` */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** A call whose argument is not made from constants alone. */
interface OpenExpression {
  /** Without a line, so that a list of them lasts. */
  readonly file: string;
  readonly call: string;
}

interface WrittenExpressions {
  readonly closed: readonly WrittenExpression[];
  readonly open: readonly OpenExpression[];
}

/** Those of all files below the folders, which are relative to the repository. */
export function expressionsIn(folders: readonly string[]): WrittenExpressions {
  return expressionsOf(folders.flatMap(filesBelow));
}

function filesBelow(folder: string): ts.SourceFile[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).sort();
  return names.filter((name) => /\.[cm]?[jt]s$/.test(name)).map((name) => parse(join(folder, name)));
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
}

export function expressionsOf(files: readonly ts.SourceFile[]): WrittenExpressions {
  const closed: WrittenExpression[] = [];
  const open: OpenExpression[] = [];
  const constants = new Constants(files);
  for (const file of files) {
    visit(file, (node) => {
      if (ts.isRegularExpressionLiteral(node)) closed.push({ place: placeOf(node), ...partsOf(node) });
      const text = textMadeIntoOne(node);
      if (text === undefined || isCopy(text.source, constants)) return;
      const source = constants.textOf(text.source);
      const flags = text.flags === undefined ? '' : constants.textOf(text.flags);
      if (source === undefined || flags === undefined)
        open.push({ file: file.fileName, call: node.getText().replaceAll(/\s+/g, ' ') });
      else closed.push({ place: placeOf(node), source, flags });
    });
  }
  return { closed, open };
}

function placeOf(node: ts.Node): string {
  const file = node.getSourceFile();
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

function partsOf({ text }: ts.RegularExpressionLiteral): Pick<WrittenExpression, 'source' | 'flags'> {
  const end = text.lastIndexOf('/');
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

/** Methods of strings that make an expression from a text. */
const MAKERS: readonly string[] = ['match', 'matchAll', 'search'];

/** The texts that a call makes into a regular expression. */
function textMadeIntoOne(node: ts.Node): Record<'source' | 'flags', ts.Expression | undefined> | undefined {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  const { expression: called, arguments: [source, flags] = [] } = node;
  if (isConstructor(called)) return { source, flags };
  const isMaker = ts.isPropertyAccessExpression(called) && MAKERS.includes(called.name.text);
  return isMaker && source !== undefined && ts.isStringLiteralLike(source) ? { source, flags: undefined } : undefined;
}

/** `RegExp`, also of `globalThis`. */
function isConstructor(called: ts.Expression): boolean {
  const name = ts.isPropertyAccessExpression(called) ? called.name : called;
  return ts.isIdentifier(name) && name.text === 'RegExp' && /^(?:globalThis\.)?RegExp$/.test(called.getText());
}

/** `new RegExp(OTHER)`, where the other one is counted already. */
function isCopy(node: ts.Expression | undefined, constants: Constants): boolean {
  return node !== undefined && ts.isRegularExpressionLiteral(constants.valueOf(node));
}

/** Looks through what changes types only. */
function bare(node: ts.Expression): ts.Expression {
  const isWrapped = ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node);
  return isWrapped ? bare(node.expression) : node;
}

/** What constants of the files stand for. */
class Constants {
  readonly #files: ReadonlyMap<string, ts.SourceFile>;

  constructor(files: readonly ts.SourceFile[]) {
    this.#files = new Map(files.map((file) => [file.fileName, file]));
  }

  /** The expression that a name stands for; the node itself if it is not the name of a constant. */
  valueOf(node: ts.Expression): ts.Expression {
    const inner = bare(node);
    if (ts.isIdentifier(inner))
      return (isLocal(inner) ? undefined : this.#initialValue(inner.text, inner.getSourceFile())) ?? inner;
    if (!ts.isPropertyAccessExpression(inner)) return inner;
    const owner = this.valueOf(inner.expression);
    const own = ts.isObjectLiteralExpression(owner) ? owner.properties : [];
    const property = own.find((one) => one.name?.getText() === inner.name.text);
    return property !== undefined && ts.isPropertyAssignment(property) ? this.valueOf(property.initializer) : inner;
  }

  #initialValue(name: string, file: ts.SourceFile): ts.Expression | undefined {
    for (const statement of file.statements) {
      if (ts.isVariableStatement(statement) && (statement.declarationList.flags & ts.NodeFlags.Const) !== 0) {
        const own = statement.declarationList.declarations.find((one) => one.name.getText() === name);
        if (own?.initializer !== undefined) return this.valueOf(own.initializer);
      }
      const origin = ts.isImportDeclaration(statement) ? this.#originOf(name, statement) : undefined;
      if (origin !== undefined) return this.#initialValue(origin.name, origin.file);
    }
    return undefined;
  }

  #originOf(name: string, { importClause, moduleSpecifier }: ts.ImportDeclaration) {
    const names = importClause?.namedBindings;
    if (names === undefined || !ts.isNamedImports(names) || !ts.isStringLiteral(moduleSpecifier)) return undefined;
    const element = names.elements.find((one) => one.name.text === name);
    const file = this.#files.get(join(dirname(importClause?.getSourceFile().fileName ?? ''), moduleSpecifier.text));
    return element && file && { name: (element.propertyName ?? element.name).text, file };
  }

  /** The text that an expression always has; undefined for any other. */
  textOf(node: ts.Expression | undefined): string | undefined {
    if (node === undefined) return '';
    const value = this.valueOf(node);
    if (ts.isStringLiteralLike(value) || ts.isNumericLiteral(value)) return value.text;
    if (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.PlusToken)
      return joined([this.textOf(value.left), this.textOf(value.right)]);
    if (ts.isTemplateExpression(value))
      return joined([
        value.head.text,
        ...value.templateSpans.flatMap(({ expression, literal }) => [this.textOf(expression), literal.text]),
      ]);
    return undefined;
  }
}

/** True for a name that is declared within the same statement of the file, such as a parameter. */
function isLocal(name: ts.Identifier): boolean {
  const file = name.getSourceFile();
  const around = file.statements.find((statement) => statement.pos <= name.pos && name.end <= statement.end);
  const own = around !== undefined && ts.isVariableStatement(around) ? around.declarationList.declarations : [];
  let found = false;
  visit(around ?? file, (node) => {
    const isDeclaration = ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node);
    if (isDeclaration && node.name.getText() === name.text) found ||= !own.some((one) => one === node);
  });
  return found;
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.some((part) => part === undefined) ? undefined : parts.join('');
}
