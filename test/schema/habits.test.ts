// What other tools have and a manifest has not: each problem says what takes its place, and a manifest that follows it is right.

import { expect, test } from 'vitest';
import type { Manifest } from '../../src/manifest.ts';
import { formatManifest } from '../../src/manifest.ts';
import { loadManifest } from '../../src/manifest/load.ts';

const HEAD = 'version: 1\nstack: shop\n';

interface Texts {
  readonly files: readonly string[];
  readonly overlays?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function problemsOf({ files, overlays = [], env = {} }: Texts): string[] {
  const named = (name: string, texts: readonly string[]) =>
    texts.map((text, index) => ({ name: `${name}${index + 1}.yaml`, text }));
  const { diagnostics } = loadManifest({
    files: named('a', files),
    overlays: named('o', overlays),
    variables: new Map(),
    env,
    readFile: () => ({ value: 'text', diagnostics: [] }),
  });
  return diagnostics.map(({ code, message, fix = '' }) => `${code}: ${message}\n  fix: ${fix}`);
}

const block = (fields: string, more = '') => `${HEAD}${more}reserved_addrs:\n  a: { ${fields} }\n`;
const written = (input: Omit<Manifest, 'version' | 'stack'>) => formatManifest({ version: 1, stack: 'shop', ...input });
const REGIONS = ['eu', 'us'] as const;
const BY_PROGRAM = written({
  reserved_addrs: Object.fromEntries(REGIONS.map((region) => [region, { region, description: `in ${region}` }])),
});

/** What somebody writes, and what the fix says to write. */
const HABITS: readonly { readonly what: string; readonly given: Texts; readonly followed: Texts }[] = [
  { what: 'for_each', given: { files: [block('for_each: [eu, us], region: eu')] }, followed: { files: [BY_PROGRAM] } },
  {
    what: 'count',
    given: { files: [block('count: 0, region: eu')] },
    followed: { files: [HEAD], overlays: ['stack: shop-eu\nadd:\n  reserved_addrs:\n    a: { region: eu }\n'] },
  },
  { what: '${each}', given: { files: [block('region: "${each.value}"')] }, followed: { files: [BY_PROGRAM] } },
  {
    what: '<<',
    given: { files: [`${HEAD}reserved_addrs:\n  a: &a { region: eu }\n  b: { <<: *a }\n`] },
    followed: { files: [block('preset: usual', 'presets: { usual: { region: eu } }\n')] },
  },
  {
    what: 'x-…',
    given: { files: [block('region: eu', 'x-usual: { region: eu }\n')] },
    followed: { files: [block('preset: usual', 'presets: { usual: { region: eu } }\n')] },
  },
  {
    what: 'x-… with a value',
    given: { files: [block('region: eu', 'x-region: eu\n')] },
    followed: { files: [block('region: "${var.region}"', 'variables: { region: { default: eu } }\n')] },
  },
  {
    what: 'x-… with fields in a block',
    given: { files: [block('x-usual: { region: eu }')] },
    followed: { files: [block('preset: usual', 'presets: { usual: { region: eu } }\n')] },
  },
  {
    what: 'x-… in a block',
    given: { files: [block('region: eu, x-note: a')] },
    followed: { files: [block('region: eu')] },
  },
  {
    what: 'locals',
    given: { files: [block('region: eu', 'locals: { region: eu }\n')] },
    followed: { files: [block('region: "${var.region}"', 'variables: { region: { default: eu } }\n')] },
  },
  {
    what: '${local}',
    given: { files: [block('region: "${local.region}"')] },
    followed: { files: [block('region: "${var.region}"', 'variables: { region: { default: eu } }\n')] },
  },
  {
    what: 'depends_on',
    given: { files: [block('region: eu, depends_on: [reserved_addrs.db]')] },
    followed: {
      files: [
        `${HEAD}reserved_addrs: { db: { region: eu } }\ntls_edges: { a: { hostports: ["\${reserved_addrs.db.addr}"] } }\n`,
      ],
    },
  },
  {
    what: 'a function',
    given: { files: [block('region: "${lower(var.region)}"', 'variables: { region: { default: EU } }\n')] },
    followed: { files: [block('region: "${var.region}"', 'variables: { region: { default: eu } }\n')] },
  },
  {
    what: 'a condition',
    given: {
      files: [block(`region: "\${var.env == 'prod' ? 'eu' : 'us'}"`, 'variables: { env: { default: prod } }\n')],
    },
    followed: { files: [block('description: "$${a ? b : c}"')] },
  },
  {
    what: 'a default, as in shells',
    given: { files: [block('region: "${REGION:-eu}"')] },
    followed: { files: [block('region: "${var.REGION}"', 'variables: { REGION: { default: eu } }\n')] },
  },
  {
    what: '!env',
    given: { files: [block('region: !env REGION')] },
    followed: {
      files: [block('region: "${var.NAME}"', 'variables: { NAME: {} }\n')],
      env: { EDGEFORM_VAR_NAME: 'eu' },
    },
  },
  {
    what: '${env}',
    given: { files: [block('region: "${env.REGION}"')] },
    followed: {
      files: [block('region: "${var.NAME}"', 'variables: { NAME: {} }\n')],
      env: { EDGEFORM_VAR_NAME: 'eu' },
    },
  },
  {
    what: '!include',
    given: { files: [`${HEAD}reserved_addrs: !include addrs.yaml\n`] },
    followed: { files: [HEAD, 'reserved_addrs:\n  a: { description: "${file:a.txt}" }\n'] },
  },
  {
    what: 'the same address in two files',
    given: { files: [block('region: eu, description: a'), block('description: b')] },
    followed: {
      files: [block('region: eu, description: a')],
      overlays: ['stack: shop\nreserved_addrs:\n  a: { description: b }\n'],
    },
  },
];

test('each says what takes its place', () => {
  const said = HABITS.map(({ what, given }) => `${what}\n${problemsOf(given).join('\n')}\n`);
  expect(said.join('\n')).toMatchInlineSnapshot(`
    "for_each
    unknown-field: unknown field "for_each" in reserved_addrs.a
      fix: remove it: there are no loops; let a program write the manifest: edgeform/manifest has its types and formatManifest

    count
    unknown-field: unknown field "count" in reserved_addrs.a
      fix: remove it: there are no loops; let a program write the manifest: edgeform/manifest has its types and formatManifest; a block that only some environments have stands under add: of an overlay, --overlay FILE

    \${each}
    bad-expression: \${each.value} is not an expression: there are no loops
      fix: let a program write the manifest: edgeform/manifest has its types and formatManifest

    <<
    merge-key: merge keys (<<) are not part of YAML 1.2
      fix: put the shared fields into a block NAME under \`presets\`, and write preset: NAME in each block that uses them

    x-…
    unknown-field: unknown field "x-usual" in the manifest
      fix: put the shared fields into a block NAME under \`presets\`, and write preset: NAME in each block that uses them

    x-… with a value
    unknown-field: unknown field "x-region" in the manifest
      fix: make it a comment: # TEXT; for a value that several blocks share, declare each value with variables: { NAME: { default: VALUE } }, and write "\${var.NAME}"

    x-… with fields in a block
    unknown-field: unknown field "x-usual" in reserved_addrs.a
      fix: put the shared fields into a block NAME under \`presets\`, and write preset: NAME in each block that uses them

    x-… in a block
    unknown-field: unknown field "x-note" in reserved_addrs.a
      fix: make it a comment: # TEXT; for a value that several blocks share, declare each value with variables: { NAME: { default: VALUE } }, and write "\${var.NAME}"

    locals
    unknown-field: unknown field "locals" in the manifest
      fix: declare each value with variables: { NAME: { default: VALUE } }, and write "\${var.NAME}"

    \${local}
    bad-expression: \${local.region} is not an expression: there are no locals
      fix: declare each value with variables: { NAME: { default: VALUE } }, and write "\${var.NAME}"

    depends_on
    unknown-field: unknown field "depends_on" in reserved_addrs.a
      fix: remove it: references such as "\${reserved_addrs.db.addr}" decide the order

    a function
    bad-expression: \${lower(var.region)} is not an expression: there are no functions, conditions or defaults in it
      fix: give the result as a variable, which may be a list: "\${var.NAME}"; or let a program write the manifest: edgeform/manifest has its types and formatManifest; for a literal \${ write $\${

    a condition
    bad-expression: \${var.env == 'prod' ? 'eu' : 'us'} is not an expression: there are no functions, conditions or defaults in it
      fix: give the result as a variable, which may be a list: "\${var.NAME}"; or let a program write the manifest: edgeform/manifest has its types and formatManifest; for a literal \${ write $\${

    a default, as in shells
    bad-expression: \${REGION:-eu} is not an expression: there are no functions, conditions or defaults in it
      fix: give the result as a variable, which may be a list: "\${var.NAME}"; or let a program write the manifest: edgeform/manifest has its types and formatManifest; for a literal \${ write $\${

    !env
    unknown-tag: tags such as !name are not supported
      fix: declare variables: { NAME: {} }, write "\${var.NAME}", and set EDGEFORM_VAR_NAME in the environment

    \${env}
    bad-expression: \${env.REGION} is not an expression: only variables are read from the environment
      fix: declare variables: { NAME: {} }, write "\${var.NAME}", and set EDGEFORM_VAR_NAME in the environment

    !include
    unknown-tag: tags such as !name are not supported
      fix: for a text, write "\${file:PATH}"; give a file with blocks with -f; for shared fields, put the shared fields into a block NAME under \`presets\`, and write preset: NAME in each block that uses them

    the same address in two files
    duplicate-address: reserved_addrs.a is given in two files
      fix: rename or remove one of them; if one of the files only changes the other, give it with --overlay in place of -f
    "
  `);
});

test.each(HABITS)('what the fix says about $what is right', ({ followed }) => {
  expect(problemsOf(followed)).toEqual([]);
});

test('a fix quotes nothing of an expression, which may be a secret', () => {
  const texts = ['hunter2 | base64', 'env.hunter2', 'local.hunter2', 'each.hunter2', 'hunter2:-x', 'f(hunter2)'];
  for (const text of texts) {
    const [problem = ''] = problemsOf({
      files: [`${HEAD}event_destinations:\n  a: { target: { datadog: { api_key: "\${${text}}" } } }\n`],
    });
    expect(problem).toMatch(/^bad-expression/);
    expect(problem).not.toContain('hunter2');
  }
});
