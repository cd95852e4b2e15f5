// The house rules as tests: who may import whom, what pure folders may touch, sizes, and counted exceptions.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-api';
import { describe, expect, test } from 'vitest';
import { kinds } from '../src/catalog/kinds/index.ts';
import type { Import } from './support/source-tree.ts';
import {
  findings,
  functionLines,
  imports,
  literalText,
  namesProperty,
  packageOf,
  propertyName,
  sources,
  target,
} from './support/source-tree.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

type Table = Readonly<Record<string, readonly string[]>>;

/** Folder → other folders that it may import. Those that may import everything are in `TOP`. */
const MAY_IMPORT: Table = {
  core: [],
  platform: ['core'],
  catalog: ['core'],
  schema: ['catalog', 'core'],
  resource: ['catalog', 'core'],
  journal: ['platform', 'core'],
  manifest: ['schema', 'resource', 'catalog', 'platform', 'core'],
  service: ['resource', 'catalog', 'platform', 'core'],
  plan: ['manifest', 'export', 'resource', 'catalog', 'core'],
  policy: ['plan', 'manifest', 'schema', 'resource', 'catalog', 'core'],
  drift: ['plan', 'resource', 'catalog', 'core'],
  export: ['resource', 'catalog', 'core'],
  migrate: ['export', 'resource', 'catalog', 'core'],
  accept: ['drift', 'plan', 'export', 'manifest', 'resource', 'catalog', 'core'],
  apply: ['plan', 'service', 'resource', 'catalog', 'core', 'platform'],
  reconcile: ['apply', 'drift', 'plan', 'service', 'journal', 'manifest', 'resource', 'catalog', 'platform', 'core'],
  fleet: [
    'reconcile',
    'apply',
    'drift',
    'plan',
    'service',
    'manifest',
    'schema',
    'resource',
    'catalog',
    'platform',
    'core',
  ],
  render: ['plan', 'drift', 'apply', 'catalog', 'core'],
  emulator: ['catalog', 'core', 'platform'],
};
const TOP = ['', 'commands'];

/** `folder -> folder` → the files that may be imported as values, all pure; of all others only types. */
const TYPES_ONLY: Table = {
  'journal -> platform': ['platform/file-error.ts'],
  'service -> platform': ['platform/clock.ts'],
  'apply -> platform': [],
  'manifest -> resource': ['resource/digests.ts', 'resource/marker/marker-codec.ts'],
  'plan -> manifest': [],
  'plan -> export': ['export/adoption.ts', 'export/names.ts'],
  'apply -> plan': ['plan/decide/returned-once.ts', 'plan/fingerprint.ts'],
  'accept -> plan': ['plan/decide/cause.ts'],
  'render -> plan': [],
  'render -> drift': [],
  'render -> apply': [],
};

/** Package that the bundles hold, or that the build runs → the only file that imports it. */
const PACKAGES: Table = {
  yaml: [
    'accept/text/layout.ts',
    'manifest/text/comment-tokens.ts',
    'manifest/text/compose.ts',
    'manifest/text/format.ts',
    'manifest/text/yaml.ts',
  ],
  ajv: ['schema/compile.ts'],
  undici: ['service/http/undici-exchange.ts'],
  diff: ['core/text/sequence.ts'],
  'fast-deep-equal': ['core/equal.ts'],
  'fastest-levenshtein': ['core/text/closest.ts'],
  commander: ['commands/shell/program.ts'],
  '@bufbuild/re2': ['policy/cel.ts'],
  '@marcbachmann/cel-js': ['policy/cel.ts'],
};

const PURE = [
  'core',
  'catalog',
  'resource',
  'plan',
  'policy',
  'drift',
  'accept',
  'export',
  'migrate',
  'render',
  'journal',
];
const BUILTINS_OF_PURE: Table = {
  'catalog/host.ts': ['node:url'],
  'core/digest.ts': ['node:crypto'],
  'core/secrets/secret.ts': ['node:util'],
  'render/render-options.ts': ['node:util'],
};
const IMPURE_NAMES = new Set(
  'console process globalThis global Date performance fetch crypto setTimeout setInterval setImmediate queueMicrotask'.split(
    ' ',
  ),
);

/** Files that write out names of kinds, and how often. */
const KIND_NAMES: Readonly<Record<string, number>> = {
  // A key of the emulator's own output that happens to be called like a kind.
  'commands/emulator.ts': 1,
};

/** Files that pass on names of other files: the entries of the package, and types that belong to the emulator's face. */
const RE_EXPORTS = ['index.ts', 'manifest.ts', 'emulator/http/server.ts'];

const CASTS = 28;
const SUPPRESSIONS = 0;

const local = imports.filter((one) => one.specifier.startsWith('.'));
const show = (list: readonly Import[]) => list.map((one) => `${one.from.path} -> ${one.specifier}`);

function counted(list: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const path of list) counts[path] = (counts[path] ?? 0) + 1;
  return counts;
}

describe('imports', () => {
  test('every folder is in the table', () => {
    const known = [...Object.keys(MAY_IMPORT), ...TOP].sort();
    expect([...new Set(sources.map((source) => source.folder))].sort()).toEqual(known);
  });

  test('each folder imports only the folders that it may know', () => {
    const wrong = local.filter((one) => {
      const allowed = MAY_IMPORT[one.from.folder];
      const folder = target(one).split('/')[0] ?? '';
      return allowed !== undefined && folder !== one.from.folder && !allowed.includes(folder);
    });
    expect(show(wrong)).toEqual([]);
  });

  test('some folders are known as types only, but for the files named', () => {
    const wrong = local.filter((one) => {
      const values = TYPES_ONLY[`${one.from.folder} -> ${target(one).split('/')[0] ?? ''}`];
      return values !== undefined && !one.isType && !values.includes(target(one));
    });
    expect(show(wrong)).toEqual([]);
  });

  test('writers draw the view model and know nothing of plans', () => {
    const writer = /^render\/(?:text|markdown|html|reports)\//;
    const wrong = local.filter(
      (one) =>
        writer.test(one.from.path) &&
        !writer.test(target(one)) &&
        !/^(?:core\/|render\/(?:view|document)\/|render\/render-options\.ts$)/.test(target(one)),
    );
    expect(show(wrong)).toEqual([]);
    const inView = local.filter(({ from }) => from.path.startsWith('render/view/'));
    expect(show(inView.filter((one) => writer.test(target(one))))).toEqual([]);
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

  test('each package has one importing file, and whoever installs ours gets no other', () => {
    const found: Record<string, string[]> = {};
    for (const { from, specifier } of imports) {
      if (specifier.startsWith('.') || specifier.startsWith('node:')) continue;
      found[packageOf(specifier)] = [...new Set([...(found[packageOf(specifier)] ?? []), from.path])];
    }
    expect(found).toEqual(PACKAGES);
    const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).toMatchObject({
      devDependencies: Object.fromEntries(Object.keys(PACKAGES).map((name) => [name, expect.any(String)])),
    });
  });

  test('only the files named re-export, and nothing inside imports the library entry', () => {
    expect(show(imports.filter((one) => one.isExport && !RE_EXPORTS.includes(one.from.path)))).toEqual([]);
    expect(show(local.filter((one) => target(one) === 'index.ts'))).toEqual([]);
  });
});

describe('purity', () => {
  test('pure folders use no platform module but the listed ones', () => {
    const wrong = imports.filter(
      ({ from, specifier }) =>
        PURE.includes(from.folder) &&
        specifier.startsWith('node:') &&
        !(BUILTINS_OF_PURE[from.path] ?? []).includes(specifier),
    );
    expect(show(wrong)).toEqual([]);
  });

  test('pure folders use no console, process, clock, randomness or timer', () => {
    const found = findings(
      (source) => PURE.includes(source.folder),
      (node) => {
        if (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random') return 'Math.random';
        if (!ts.isIdentifier(node) || !IMPURE_NAMES.has(node.text) || namesProperty(node)) return undefined;
        // It reads a text, and no clock.
        return node.parent.getText() === 'Date.parse' ? undefined : node.text;
      },
    );
    expect(found).toEqual([]);
  });
});

test('ids get into paths at one place only: nobody else encodes or decodes parts of a URL', () => {
  const found = findings(
    ({ path, folder }) => path !== 'catalog/path.ts' && !['core', 'service', 'emulator'].includes(folder),
    (node) => {
      if (ts.isIdentifier(node) && /^(?:en|de)codeURI(?:Component)?$/.test(node.text)) return node.text;
      // An operation's template is filled by `catalog/path.ts` alone; the emulator is not the client.
      const isPath = ts.isPropertyAccessExpression(node) && node.name.text === 'replace';
      return isPath && /\.path$/.test(node.expression.getText()) ? node.getText() : undefined;
    },
  );
  expect(found).toEqual([]);
});

/** Functions of `node:fs` that put nothing into a file. All others count as writing. */
const READING = new Set(
  'closeSync constants existsSync fstatSync lstatSync openSync readFileSync readSync readdirSync readlinkSync realpathSync statSync'.split(
    ' ',
  ),
);
/** Files that write files; what they write has passed the filter (ADR-0019). */
const WRITERS = ['platform/write.ts'];
/** What hands bytes to somebody else, and who may use it. */
const WAYS_OUT: Table = {
  // Asks git what has changed; no credential is in its environment.
  'node:child_process': ['platform/git.ts'],
  'node:cluster': [],
  'node:dgram': [],
  'node:fs/promises': [],
  'node:http': ['emulator/http/exchange.ts', 'emulator/http/server.ts'],
  'node:https': [],
  'node:inspector': [],
  // To read what a shell hands over as a pipe, and to see the end of the pipe of a parent.
  'node:net': ['platform/read.ts'],
  'node:tls': [],
  'node:worker_threads': [],
};

describe('no text leaves without the filter', () => {
  test('only the files named write files', () => {
    const found = sources.filter(({ tree }) =>
      tree.statements.some((node) => fsNames(node).some((name) => !READING.has(name))),
    );
    expect(found.map((source) => source.path)).toEqual(WRITERS);
  });

  test('files are opened at one place for reading and at one for writing, and looked at in one more', () => {
    const found = sources.filter(({ tree }) => tree.statements.some((node) => fsNames(node).length > 0));
    // The process reads its own version.
    expect(found.map(({ path }) => path)).toEqual([
      'main.ts',
      'platform/paths.ts',
      'platform/read.ts',
      'platform/write.ts',
    ]);
  });

  test('only the files named hand bytes to anyone', () => {
    const found = imports.filter(
      ({ from, specifier, isType }) => !isType && !(WAYS_OUT[specifier] ?? [from.path]).includes(from.path),
    );
    expect(show(found)).toEqual([]);
  });

  test('the bare files are known where they are put behind the filter, and nowhere else', () => {
    const importers = (path: string) =>
      local.filter((one) => !one.isType && target(one) === path).map((one) => one.from.path);
    expect(importers('platform/files.ts')).toEqual(['reconcile/platform.ts']);
    expect(importers('platform/shared.ts')).toEqual(['commands/files/starter-files.ts']);
    expect(importers('platform/write.ts')).toEqual([
      'emulator/state/state.ts',
      'platform/files.ts',
      'platform/shared.ts',
    ]);
    expect(naming('tokenFiles')).toEqual(['reconcile/execution/token-files.ts', 'reconcile/platform.ts']);
    expect(naming('journalFiles')).toEqual(['reconcile/platform.ts', 'reconcile/run-journal.ts']);
    // Ports of a host are bare; `platformOf` gives them as a command may have them.
    const bare = findings(
      ({ folder }) => folder === 'commands',
      (node) => (propertyName(node) === 'ports' ? 'ports' : undefined),
    );
    const readers = [...new Set(bare.map((line) => line.split(':')[0] ?? ''))];
    expect(readers).toEqual([
      'commands/shell/host.ts',
      'commands/shell/invocation.ts',
      'commands/shell/output-filter.ts',
    ]);
  });

  test('the executable writes files that the package has, and nothing takes a module of the platform as it does', () => {
    expect(naming('getBuiltinModule')).toEqual(['cli.ts']);
    const text = sources.find(({ path }) => path === 'cli.ts')?.tree.text ?? '';
    expect(text).toContain('readFileSync(new URL(`answers/');
    expect(text.match(/\w+Sync\(/g)).toEqual(['readFileSync(', 'writeSync(']);
  });

  test('streams of the process are known to `main`, which gives them to the commands', () => {
    const streams = findings(
      () => true,
      (node) => (/^process\.(?:stdout|stderr)$/.test(node.getText()) ? node.getText() : undefined),
    );
    const files = streams.map((line) => line.split(':')[0] ?? '');
    expect([...new Set(files)]).toEqual(['main.ts']);
    const written = findings(
      ({ path }) => path === 'main.ts',
      (node) => (ts.isPropertyAccessExpression(node) && node.name.text === 'write' ? node.getText() : undefined),
    );
    expect(written).toEqual([]);
    expect(naming('console')).toEqual([]);
  });
});

function fsNames(node: ts.Statement): string[] {
  if (!ts.isImportDeclaration(node) || !/^['"](?:node:)?fs['"]$/.test(node.moduleSpecifier.getText())) return [];
  const bindings = node.importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return ['*'];
  return bindings.elements.map((one) => (one.propertyName ?? one.name).text);
}

function naming(name: string): string[] {
  const found = findings(
    () => true,
    (node) => (ts.isIdentifier(node) && node.text === name ? name : undefined),
  );
  return [...new Set(found.map((line) => line.split(':')[0] ?? ''))];
}

test('names of kinds and manifest keys are written only in the catalogue', () => {
  const names = new Set(kinds.flatMap((kind) => [kind.name, kind.manifestKey]));
  // Also inside a text, where the name is followed by that of an object, or has an underscore and so is no word of English.
  const long = [...names].filter((name) => name.includes('_'));
  const address = new RegExp(
    `(?<![a-z0-9_])(?:(?:${[...names].join('|')})\\.(?![\\s"'\`]|$)|(?:${long.join('|')})(?![a-z0-9_]))`,
  );
  const found = findings(
    (source) => source.folder !== 'catalog',
    (node) => {
      const text = literalText(node);
      if (text !== undefined && (names.has(text) || address.test(text))) return text;
      const property = propertyName(node);
      return property !== undefined && names.has(property) ? property : undefined;
    },
  );
  expect(counted(found.map((line) => line.split(':')[0] ?? '')), found.join('\n')).toEqual(KIND_NAMES);
});

function isDefaultExport(node: ts.Node): boolean {
  // The `default` of a switch is a clause, not a keyword of its own.
  return ts.isExportAssignment(node) || node.kind === ts.SyntaxKind.DefaultKeyword;
}

describe('the write gate', () => {
  /** Files that get a client which can write, to hand it to the gate. */
  const HOLDERS = [
    'apply/gate/gate.ts',
    'apply/step-run.ts',
    'fleet/service.ts',
    'reconcile/apply.ts',
    'reconcile/sessions.ts',
  ];

  test('only the gate calls the write of a client', () => {
    const found = findings(
      (source) => HOLDERS.includes(source.path),
      (node) => {
        if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'write') return undefined;
        return /(?:stdout|stderr|sink)$/.test(node.expression.getText()) ? undefined : node.getText();
      },
    );
    expect(found.map((line) => line.replace(/:\d+ /, ' '))).toEqual(['apply/gate/gate.ts client.write']);
  });

  test('only the files named know of a client that can write', () => {
    const words = /\b(?:WriteClient|createClients)\b/;
    const found = sources
      .filter(({ folder, text }) => folder !== 'service' && words.test(text))
      .map((source) => source.path);
    expect(found).toEqual(HOLDERS);
  });
});

test('whose an object is decides resource/marker/ownership.ts; few read the stack of a marker for something else', () => {
  const reads = sources
    .filter(({ folder, text }) => folder !== 'resource' && /marker\??\.stack\b/iu.test(text))
    .map(({ path }) => path);
  expect(reads.sort()).toEqual([
    // The object of a lost creation lies where it was created, and has the kind of the list that it is in.
    'apply/find-created.ts',
    // The stack of whoever uses what is deleted, for a message; whether an import is still the object that it names.
    'apply/gate/asked-again.ts',
    // An adoption may take what carries our own name in the wrong place.
    'apply/gate/gate-rules.ts',
    // Names of stacks, for a message.
    'export/select.ts',
    // Whose object an import by id is, for the order of stacks.
    'fleet/open.ts',
    // What a stack sees is found by the names in markers; whose it is, is decided afterwards.
    'fleet/view.ts',
    // Policies see the stack that a marker names, whatever becomes of the object.
    'policy/judge.ts',
  ]);
});

describe('words', () => {
  const glossary = readFileSync(new URL('../docs/GLOSSARY.md', import.meta.url), 'utf8');
  const never = new Set(
    glossary
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .flatMap((line) => [...(line.split('|').at(-2) ?? '').matchAll(/\*\*(\w+)\*\*/g)].map(([, word = '']) => word)),
  );

  /** The words of a name: `hasDuplicate` has two. */
  const wordsOf = (name: string) =>
    name
      .replace(/^#/, '')
      .split(/(?<=[a-z0-9])(?=[A-Z])|_/)
      .map((word) => word.toLowerCase());

  test('no name in the source has a word that the glossary never uses', () => {
    expect(never.size).toBeGreaterThan(8);
    const found = findings(
      ({ folder }) => folder !== 'emulator',
      (node) => {
        const name = (node as { readonly name?: ts.Node }).name;
        if (name === undefined || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) return undefined;
        if (ts.isPropertyAccessExpression(node)) return undefined;
        return wordsOf(name.text).some((word) => never.has(word)) ? name.text : undefined;
      },
    );
    expect(found).toEqual([]);
  });
});

describe('facts are data', () => {
  /** Members that hold words for people. */
  const WORDS = ['message', 'reason', 'why', 'cost', 'evidence', 'fix', 'sentence', 'explanation'];
  const LOOKS = [
    'split',
    'startsWith',
    'endsWith',
    'includes',
    'indexOf',
    'lastIndexOf',
    'match',
    'matchAll',
    'search',
  ];
  const CUTS = ['replace', 'replaceAll', 'slice', 'substring', 'at', 'charAt'];
  const FINDS = ['test', 'exec', 'has', 'get', 'includes', 'indexOf', 'lastIndexOf'];
  /** Files that look into the words of libraries or of Node, which say nothing in another way. */
  const OF_OTHERS = [
    'commands/shell/unexpected-error.ts',
    'policy/cel.ts',
    'policy/judge.ts',
    'service/http/undici-exchange.ts',
  ];

  const isWords = (node: ts.Node | undefined): boolean => {
    if (node === undefined) return false;
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
      return isWords(node.left);
    const name = ts.isPropertyAccessExpression(node) ? node.name : node;
    return ts.isIdentifier(name) && WORDS.includes(name.text);
  };
  const isAbsence = (node: ts.Node) =>
    node.kind === ts.SyntaxKind.NullKeyword || node.getText() === 'undefined' || literalText(node) === '';
  const EQUALITY = [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken];

  function looksIntoWords(node: ts.Node): boolean {
    if (ts.isSwitchStatement(node)) return isWords(node.expression);
    if (ts.isBinaryExpression(node)) {
      const { left, right, operatorToken } = node;
      const sides = [left, right];
      return EQUALITY.includes(operatorToken.kind) && sides.some(isWords) && !sides.some(isAbsence);
    }
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
    const { name, expression } = node.expression;
    if ([...LOOKS, ...CUTS].includes(name.text) && isWords(expression)) return true;
    return FINDS.includes(name.text) && node.arguments.some(isWords);
  }

  test('no code looks into a sentence to find a fact; only what draws one breaks it into lines', () => {
    const found = findings(
      ({ path }) => !OF_OTHERS.includes(path) && !/^render\/(?:html|markdown|text)\//.test(path),
      (node) => (looksIntoWords(node) ? node.getText().slice(0, 80) : undefined),
    );
    expect(found).toEqual([]);
  });

  test('the object that something is about is `live_id`, as in the documents, so that nothing renames it', () => {
    const found = findings(
      ({ folder }) => folder !== 'emulator',
      (node) => (ts.isIdentifier(node) && node.text === 'liveId' ? node.text : undefined),
    );
    expect(found).toEqual([]);
  });

  test('the files that look into the words of others are those named', () => {
    const found = findings(
      ({ path }) => OF_OTHERS.includes(path),
      (node) => (looksIntoWords(node) ? 'looks' : undefined),
    );
    expect([...new Set(found.map((place) => place.replace(/:.*/, '')))].sort()).toEqual(OF_OTHERS);
  });
});

describe('size and form', () => {
  test('files have at most 300 lines, the tables of kinds and of codes aside', () => {
    const long = sources.filter(
      (source) => !/^(?:catalog\/kinds\/|core\/codes\.ts$)/.test(source.path) && source.text.split('\n').length > 301,
    );
    expect(long.map((source) => `${source.path}: ${source.text.split('\n').length - 1}`)).toEqual([]);
  });

  test('functions have at most 60 lines', () => {
    const found = findings(
      () => true,
      (node, source) => {
        const lines = functionLines(node, source) ?? 0;
        return lines > 60 ? `${lines} lines` : undefined;
      },
    );
    expect(found).toEqual([]);
  });

  test('every file begins with a comment that says what it knows', () => {
    expect(sources.filter((source) => !/^(#!.*\n)?\/\/ \S/.test(source.text)).map((source) => source.path)).toEqual([]);
  });

  test('there is no any, enum, namespace, default export or non-null assertion', () => {
    const found = findings(
      () => true,
      (node) => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) return 'any';
        if (ts.isEnumDeclaration(node)) return 'enum';
        if (ts.isModuleDeclaration(node)) return 'namespace';
        if (ts.isNonNullExpression(node)) return 'non-null assertion';
        return isDefaultExport(node) ? 'default export' : undefined;
      },
    );
    expect(found).toEqual([]);
  });

  test(`there are at most ${CASTS} casts, const assertions aside`, () => {
    const casts = findings(
      () => true,
      (node) =>
        (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) && node.type.getText() !== 'const'
          ? node.getText().slice(0, 60)
          : undefined,
    );
    expect(casts.length, `${casts.length} casts:\n${casts.join('\n')}`).toBeLessThanOrEqual(CASTS);
  });

  test(`${SUPPRESSIONS} checks are suppressed, and nothing is left to do`, () => {
    const lines = (words: RegExp) =>
      sources.flatMap(({ path, text }) =>
        text
          .split('\n')
          .filter((line) => words.test(line))
          .map((line) => `${path}: ${line.trim()}`),
      );
    const suppressed = lines(/(?:eslint|oxlint)-disable|@ts-(?:ignore|expect-error|nocheck)/);
    expect(suppressed.length, suppressed.join('\n')).toBeLessThanOrEqual(SUPPRESSIONS);
    expect(lines(/\b(?:TODO|FIXME|XXX)\b/)).toEqual([]);
  });
});

test('files, functions and imports keep their limits (npm run house)', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/house.mjs'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(status, `${stdout}${stderr}`).toBe(0);
});
