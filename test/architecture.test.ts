// The house rules as tests: who may import whom, what pure folders may touch, sizes, and counted exceptions.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { kinds } from '../src/catalog/kinds/index.ts';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
const GENERATED = ['catalog/kinds/index.ts'];

interface Source {
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

const sources: readonly Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map((name) => {
    const text = readFileSync(join(SRC, name), 'utf8');
    const tree = ts.createSourceFile(name, text, ts.ScriptTarget.ES2023, true);
    return { path: name, folder: name.includes('/') ? (name.split('/')[0] ?? '') : '', text, tree };
  });

/** Folder → folders whose files it may import. Folders not listed may import everything below them. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  catalog: ['base'],
  schema: ['catalog', 'base'],
  manifest: ['schema', 'catalog', 'base'],
  wire: ['catalog', 'base'],
  api: ['wire', 'catalog', 'base'],
  live: ['api', 'wire', 'catalog', 'base'],
  plan: ['wire', 'catalog', 'base', 'live', 'manifest'],
  apply: ['plan', 'api', 'wire', 'live', 'catalog', 'base'],
  render: ['plan', 'apply', 'catalog', 'base'],
  emulator: ['wire', 'catalog', 'base'],
};

/** The planner sees other folders as types, but for the pure marker. */
const VALUES_FOR_PLAN = ['live/owner.ts'];

/** The folder's files may import these packages of ours. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  yaml: ['manifest/parse.ts'],
  ajv: ['schema/compile.ts'],
  undici: ['api/client.ts'],
  'fast-deep-equal': ['plan/diff.ts'],
  commander: ['commands/program.ts'],
};

const PURE = ['base', 'catalog', 'wire', 'plan', 'render'];
const BUILTINS_ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'base/digest.ts': ['node:crypto'],
  'base/secret.ts': ['node:util'],
  'render/style.ts': ['node:util'],
};

interface Import {
  readonly from: Source;
  readonly specifier: string;
  readonly isType: boolean;
}

const imports: readonly Import[] = sources.flatMap((from) =>
  from.tree.statements.flatMap((statement): Import[] => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const specifier = statement.moduleSpecifier;
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return [];
    const isType = ts.isImportDeclaration(statement)
      ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
      : statement.isTypeOnly;
    return [{ from, specifier: specifier.text, isType }];
  }),
);

function target({ from, specifier }: Import): string {
  return relative(SRC, resolve(join(SRC, dirname(from.path)), specifier));
}

const local = imports.filter((one) => one.specifier.startsWith('.'));

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => {
    visit(child, see);
  });
}

function findings(
  where: (source: Source) => boolean,
  find: (node: ts.Node, source: Source) => string | undefined,
): string[] {
  return sources.filter(where).flatMap((source) => {
    const found: string[] = [];
    visit(source.tree, (node) => {
      const what = find(node, source);
      if (what === undefined) return;
      const { line } = source.tree.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${source.path}:${line + 1} ${what}`);
    });
    return found;
  });
}

describe('imports', () => {
  test('each folder imports only the folders below it', () => {
    const wrong = local.filter((one) => {
      const allowed = MAY_IMPORT[one.from.folder];
      const folder = target(one).split('/')[0] ?? '';
      return allowed !== undefined && folder !== one.from.folder && !allowed.includes(folder);
    });
    expect(wrong.map((one) => `${one.from.path} -> ${target(one)}`)).toEqual([]);
  });

  test('the planner sees the manifest and the live state as types only, but for the marker', () => {
    const wrong = local.filter((one) => {
      const to = target(one);
      return (
        one.from.folder === 'plan' && /^(live|manifest)\//.test(to) && !one.isType && !VALUES_FOR_PLAN.includes(to)
      );
    });
    expect(wrong.map((one) => `${one.from.path} -> ${target(one)}`)).toEqual([]);
  });

  test('there is no cycle, type imports included', () => {
    const links = new Map<string, string[]>();
    for (const one of local) links.set(one.from.path, [...(links.get(one.from.path) ?? []), target(one)]);
    const done = new Set<string>();
    const walk = (file: string, path: readonly string[]): string | undefined => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(' -> ');
      if (done.has(file)) return undefined;
      for (const next of links.get(file) ?? []) {
        const cycle = walk(next, [...path, file]);
        if (cycle !== undefined) return cycle;
      }
      done.add(file);
      return undefined;
    };
    expect([...links.keys()].map((file) => walk(file, [])).filter((cycle) => cycle !== undefined)).toEqual([]);
  });

  test('each runtime dependency has one importing file', () => {
    const found: Record<string, string[]> = {};
    for (const { from, specifier } of imports) {
      if (specifier.startsWith('.') || specifier.startsWith('node:')) continue;
      const name = specifier.split('/')[0] ?? '';
      found[name] = [...new Set([...(found[name] ?? []), from.path])];
    }
    expect(found).toEqual(PACKAGES);
  });
});

describe('purity', () => {
  test('pure folders use no platform module but the listed ones', () => {
    const wrong = imports.filter(
      ({ from, specifier }) =>
        PURE.includes(from.folder) &&
        specifier.startsWith('node:') &&
        !(BUILTINS_ALLOWED[from.path] ?? []).includes(specifier),
    );
    expect(wrong.map(({ from, specifier }) => `${from.path} -> ${specifier}`)).toEqual([]);
  });

  test('pure folders use no console, process, clock, randomness or timer', () => {
    const banned = ['console', 'process', 'setTimeout', 'setInterval', 'fetch', 'performance'];
    const found = findings(
      (source) => PURE.includes(source.folder),
      (node) => {
        if (
          ts.isIdentifier(node) &&
          banned.includes(node.text) &&
          !ts.isPropertyAccessExpression(node.parent) &&
          !ts.isPropertyAssignment(node.parent)
        )
          return node.text;
        if (ts.isPropertyAccessExpression(node) && /^(Date\.now|Math\.random)$/.test(node.getText()))
          return node.getText();
        return ts.isNewExpression(node) && node.expression.getText() === 'Date' ? 'new Date' : undefined;
      },
    );
    expect(found).toEqual([]);
  });
});

/** Words that are also ordinary English or code, with why a file may use them. */
const KIND_NAME_EXCEPTIONS: readonly string[] = [
  // The demo tells a story about one object of the example.
  'demo/main.ts',
  // The command line says `explain routes`, and words such as `routes` name a capability.
];

test('names of kinds and manifest keys appear only in the catalogue', () => {
  const names = new Set(kinds.flatMap((kind) => [kind.name, kind.manifestKey]));
  const found = findings(
    (source) => source.folder !== 'catalog' && !KIND_NAME_EXCEPTIONS.includes(source.path),
    (node) => (ts.isStringLiteralLike(node) && names.has(node.text) ? node.text : undefined),
  );
  expect(found).toEqual([]);
});

describe('size and form', () => {
  test('files have at most 300 lines', () => {
    const long = sources.filter(
      (source) =>
        !GENERATED.includes(source.path) && source.path !== 'base/codes.ts' && source.text.split('\n').length > 301,
    );
    expect(long.map((source) => `${source.path}: ${source.text.split('\n').length}`)).toEqual([]);
  });

  test('every file begins with a comment that says what it knows', () => {
    expect(sources.filter((source) => !/^(#!.*\n)?\/\/ /.test(source.text)).map((source) => source.path)).toEqual([]);
  });

  test('there is no any, enum, namespace, default export or barrel', () => {
    const found = findings(
      () => true,
      (node) => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) return 'any';
        if (ts.isEnumDeclaration(node)) return 'enum';
        if (ts.isModuleDeclaration(node)) return 'namespace';
        return ts.isExportAssignment(node) ? 'default export' : undefined;
      },
    );
    expect(found).toEqual([]);
  });

  test('casts are counted', () => {
    const casts = findings(
      () => true,
      (node) => (ts.isAsExpression(node) && node.type.getText() !== 'const' ? node.getText().slice(0, 60) : undefined),
    );
    expect(casts.length, casts.join('\n')).toBeLessThanOrEqual(28);
  });

  test('no lint rule is suppressed, and nothing is left to do', () => {
    const words = /eslint-disable|@ts-ignore|@ts-expect-error|\b(?:TODO|FIXME|XXX)\b/;
    expect(sources.filter((source) => words.test(source.text)).map((source) => source.path)).toEqual([]);
  });
});
