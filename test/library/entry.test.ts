// The library entry of the built package: exactly the reviewed names, each with words on what it is, and usable as they are.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-api';
import { expect, test } from 'vitest';

const ENTRY = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
const TYPES = ENTRY.replace(/\.js$/, '.d.ts');

interface Name {
  readonly name: string;
  readonly kind: 'function' | 'class' | 'const' | 'type';
  readonly doc: string;
}

let read: readonly Name[] | undefined;
const publicNames = () => (read ??= readNames());

function readNames(): Name[] {
  const program = ts.createProgram([TYPES], { module: ts.ModuleKind.NodeNext, skipLibCheck: true });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(TYPES);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error('the entry has no types');
  return checker
    .getExportsOfModule(module)
    .map((symbol): Name => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const kind =
        target.flags & ts.SymbolFlags.Function
          ? 'function'
          : target.flags & ts.SymbolFlags.Class
            ? 'class'
            : target.flags & ts.SymbolFlags.Variable
              ? 'const'
              : 'type';
      return { name: symbol.name, kind, doc: ts.displayPartsToString(target.getDocumentationComment(checker)) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

test('the names are those that were reviewed', async () => {
  expect(existsSync(ENTRY), 'build the package first').toBe(true);
  const text = publicNames()
    .map(({ kind, name }) => `${kind} ${name}\n`)
    .join('');
  await expect(text).toMatchFileSnapshot('golden/entry.txt');
});

test('what exists at run time is what the types say', async () => {
  const entry = (await import(ENTRY)) as Readonly<Record<string, unknown>>;
  const values = publicNames().filter(({ kind }) => kind !== 'type');
  expect(Object.keys(entry).sort()).toEqual(values.map(({ name }) => name));
});

test('every value is explained', () => {
  const silent = publicNames().filter(({ kind, doc }) => kind !== 'type' && doc === '');
  expect(silent.map(({ name }) => name)).toEqual([]);
});
