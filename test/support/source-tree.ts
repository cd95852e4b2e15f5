// The files of src as syntax trees, for the tests that hold the code to the house rules. Knows no rule itself.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-api';
import { visit } from './visit.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

export interface Source {
  /** Relative to src, for example `plan/build.ts`. */
  readonly path: string;
  /** The folder directly under src; empty for the files of src itself. */
  readonly folder: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

export interface Import {
  readonly from: Source;
  readonly specifier: string;
  /** Gone after compilation. `import { type X }` is not: the import itself stays. */
  readonly isType: boolean;
  readonly isExport: boolean;
}

export const sources: readonly Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .sort()
  .map((path) => {
    const text = readFileSync(join(SRC, path), 'utf8');
    const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
    return { path, folder: path.includes('/') ? (path.split('/')[0] ?? '') : '', text, tree };
  });

const nodes = new Map<Source, readonly ts.Node[]>();

/** All nodes of a file, listed once for the many rules that look at each of them. */
function nodesOf(source: Source): readonly ts.Node[] {
  const known = nodes.get(source);
  if (known !== undefined) return known;
  const made: ts.Node[] = [];
  visit(source.tree, (node) => void made.push(node));
  nodes.set(source, made);
  return made;
}

/** What `find` says of the nodes of the chosen files, each with its place. */
export function findings(
  where: (source: Source) => boolean,
  find: (node: ts.Node, source: Source) => string | undefined,
): string[] {
  return sources.filter(where).flatMap((source) => {
    const found: string[] = [];
    for (const node of nodesOf(source)) {
      const what = find(node, source);
      if (what === undefined) continue;
      const { line } = source.tree.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${source.path}:${line + 1} ${what}`);
    }
    return found;
  });
}

/** Every import of src, written in any form; one whose target is computed has the specifier `(computed)`. */
export const imports: readonly Import[] = sources.flatMap((from) =>
  nodesOf(from).flatMap((node) => {
    const one = importOf(node);
    return one === undefined ? [] : [{ from, ...one }];
  }),
);

function importOf(node: ts.Node): Omit<Import, 'from'> | undefined {
  if (ts.isImportDeclaration(node)) {
    const isType = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return { specifier: textOf(node.moduleSpecifier), isType, isExport: false };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
    return { specifier: textOf(node.moduleSpecifier), isType: node.isTypeOnly, isExport: true };
  if (ts.isImportTypeNode(node)) {
    const argument = ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
    return { specifier: textOf(argument), isType: true, isExport: false };
  }
  if (!ts.isCallExpression(node)) return undefined;
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require';
  return isImport || isRequire ? { specifier: textOf(node.arguments[0]), isType: false, isExport: false } : undefined;
}

function textOf(node: ts.Node | undefined): string {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : '(computed)';
}

/** The imported file, relative to src. */
export function target({ from, specifier }: Import): string {
  return relative(SRC, resolve(join(SRC, dirname(from.path)), specifier));
}

/** `yaml` of `yaml`, `@scope/name` of `@scope/name/part`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Whether the identifier only names a property, as `now` does in `x.now` and in `{ now: 1 }`. */
export function namesProperty(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) return parent.name === node;
  return ts.isPropertySignature(parent) || ts.isMethodSignature(parent) || ts.isMethodDeclaration(parent);
}

/** The text of a property name that is written out, in a literal, a type, a destructuring or an access. */
export function propertyName(node: ts.Node): string | undefined {
  if (!ts.isIdentifier(node)) return undefined;
  const { parent } = node;
  const isName =
    namesProperty(node) ||
    (ts.isShorthandPropertyAssignment(parent) && parent.name === node) ||
    (ts.isPropertyDeclaration(parent) && parent.name === node) ||
    (ts.isBindingElement(parent) &&
      ts.isObjectBindingPattern(parent.parent) &&
      (parent.propertyName ?? parent.name) === node);
  return isName ? node.text : undefined;
}

/** The written text of a string, or of a piece of a template with a mark where the next value goes. */
export function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isTemplateTail(node)) return node.text;
  return ts.isTemplateHead(node) || ts.isTemplateMiddle(node) ? `${node.text}\${` : undefined;
}

/** Lines of code of a function that has a body, without blank lines and comments. */
export function functionLines(node: ts.Node, source: Source): number | undefined {
  if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return undefined;
  const lines = source.text.slice(node.getStart(), node.getEnd()).split('\n');
  return lines.filter((line) => !/^\s*($|\/\/|\/\*|\*)/.test(line)).length;
}
