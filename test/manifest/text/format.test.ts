// Formatting: the same meaning, the same comments, and nothing left to do the second time.

import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../src/core/json.ts';
import { formatManifest } from '../../../src/manifest/text/format.ts';
import { parseDocuments } from '../../../src/manifest/text/parse.ts';
import { IS_FULL } from '../../support/full.ts';

const FOLDERS = ['examples', 'test/examples', 'test/export/golden'];
const ROOT = new URL('../../../', import.meta.url);

const corpus = [
  ...FOLDERS.flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.ya?ml$/.test(name))
      .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(new URL(`${folder}/${name}`, ROOT), 'utf8') })),
  ),
  ...['README.md', 'docs/export.md', 'docs/fleets.md', 'docs/migration.md'].flatMap((name) =>
    [...readFileSync(new URL(name, ROOT), 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ''], index) => ({
      name: `${name} ${index + 1}`,
      text,
    })),
  ),
].filter(({ name, text }) => parseDocuments(name, text).every(({ diagnostics }) => diagnostics.length === 0));

const meaning = (text: string) => parseDocuments('a.yaml', text).map(({ json }) => canonicalJson(json));

function format(text: string): string {
  const { value, diagnostics } = formatManifest('a.yaml', text);
  expect(diagnostics).toEqual([]);
  return value ?? '';
}

function holds(text: string): string {
  const made = format(text);
  expect(meaning(made)).toEqual(meaning(text));
  expect(format(made)).toBe(made);
  return made;
}

/** Each comment with the text of the next line that is none. */
function placesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line, at) =>
    line.startsWith('#') ? `${line} | ${lines.slice(at).find((below) => below !== '' && !below.startsWith('#'))}` : [],
  );
}

test('the corpus is not empty', () => {
  expect(corpus.length).toBeGreaterThan(15);
});

test.each(corpus)('$name keeps its meaning, and is formatted once', ({ text }) => {
  holds(text);
});

test.each(['test/export/golden/account.yaml', 'test/migrate/golden/edgeform.yaml'])('%s has its form', (name) => {
  const text = readFileSync(new URL(name, ROOT), 'utf8');
  expect(format(text)).toBe(text);
});

/** Lines of a text that stand inside a scalar of several lines, where a comment would be text. */
function insideScalars(lines: readonly string[]): ReadonlySet<number> {
  const inside = new Set<number>();
  let above = -1;
  for (const [index, line] of lines.entries()) {
    const indent = line.search(/\S/);
    if (above >= 0 && (indent > above || indent < 0)) inside.add(index);
    else above = /[|>][-+]?$/.test(line) ? indent : -1;
  }
  return inside;
}

test('comments and blank lines anywhere, wide indentation and other quotes change nothing, or the file is left alone', () => {
  const any = fc.record({
    file: fc.constantFrom(...corpus),
    seeds: fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
    width: fc.integer({ min: 1, max: 3 }),
  });
  fc.assert(
    fc.property(any, ({ file, seeds, width }) => {
      // What follows a hyphen is aligned with the text behind it.
      const times = /^ *- /m.test(file.text) ? 1 : width;
      const lines = file.text.split('\n').map((line) => line.replace(/^ */, (spaces) => spaces.repeat(times)));
      const inside = insideScalars(lines);
      const marks = seeds.flatMap((seed, number) => {
        const at = seed % lines.length;
        const line = lines[at] ?? '';
        if (inside.has(at) || line.trim() === '' || /[[{(]$/.test(line)) return [];
        const beside = number % 2 === 0 && !line.includes('#') && !/[|>][-+]?$/.test(line);
        const indent = line.slice(0, line.search(/\S/));
        lines[at] = beside ? `${line} # mark ${number}` : `\n${indent}# mark ${number}\n${line}`;
        return [`# mark ${number}`];
      });
      const given = lines.join('\n');
      const { value, diagnostics } = formatManifest('a.yaml', given);
      if (value === undefined) {
        expect(diagnostics).toMatchObject([{ message: expect.stringContaining('# mark') }]);
        return;
      }
      const made = holds(given);
      for (const mark of marks) expect(made.split('\n').filter((line) => line.endsWith(mark))).toHaveLength(1);
    }),
    { numRuns: IS_FULL ? 400 : 50 },
  );
});

const MESSY = `# schema

# the stack
stack: 'shop' # inline
version: 1


outputs: { b: 1,   a: "x" }
reserved_addrs:
    # the database
    db: # beside
        # where
        region: 'eu'
        description: >-
            folded text
            goes on

            further
        # how
        lifecycle: {prevent_destroy: true,
           adopt: ra_1}
        metadata: |
            line 1
              line 2

        # at the end
    it: {description: 'it''s "q"', region: eu}
    nothing:
https_edges:
  shop:
    hostports:
    - shop.example.com:443   # one
    # two
    - "b\\u00e9:1"
    routes:
       api: {match: /api, match_type: path_prefix, oauth: {provider: {github: {client_secret: "\${var.secret_of_github}", client_id: abc}}}}
# end
`;

describe('formatManifest', () => {
  test('order, quotes and indentation', () => {
    expect(holds(MESSY)).toMatchInlineSnapshot(`
      "# schema

      version: 1
      # the stack
      stack: "shop" # inline
      reserved_addrs:
        # the database
        db:
          # beside
          # where
          region: "eu"
          description: >-
            folded text goes on

            further
          # how
          lifecycle: { prevent_destroy: true, adopt: ra_1 }
          metadata: |
            line 1
              line 2

          # at the end
        it: { description: 'it''s "q"', region: eu }
        nothing:
      https_edges:
        shop:
          hostports:
            - shop.example.com:443 # one
            # two
            - "b\\u00e9:1"
          routes:
            api:
              match_type: path_prefix
              match: /api
              oauth: { provider: { github: { client_id: abc, client_secret: "\${var.secret_of_github}" } } }

      outputs: { b: 1, a: "x" }

      # end
      "
    `);
  });

  test('presets stand after the variables, and what is used stands first in a block', () => {
    const text = `without: [reserved_addrs.old]
tls_edges:
  db:
    hostports: [a.test:443]
    # what is common
    preset: [signin, guarded]
    without:
      - backend
https_edges:
  site:
    routes:
      api: { match: /, preset: signin, without: [oauth] }
presets:
  # of every route
  signin:
    oauth: {}
    preset: is a field here
imports: {}
variables: {}
version: 1
`;
    expect(holds(text)).toBe(`version: 1
without: [reserved_addrs.old]
variables: {}
presets:
  # of every route
  signin:
    oauth: {}
    preset: is a field here
imports: {}
tls_edges:
  db:
    # what is common
    preset: [signin, guarded]
    without:
      - backend
    hostports: [a.test:443]
https_edges:
  site:
    routes:
      api: { preset: signin, without: [oauth], match: / }
`);
  });

  test('comments stay with what they stand above', () => {
    const text = `reserved_addrs:
  # the first
  a: # beside
    # where
    region: eu
    # what
    description: x

  # the second
  b: {}
# at the end
`;
    expect(holds(text)).toBe(`reserved_addrs:
  # the first
  a:
    # beside
    # where
    region: eu
    # what
    description: x

  # the second
  b: {}

# at the end
`);
  });

  test.each([
    'a: [ # one\n  1, # two\n  # three\n  2 # four\n]\n',
    'a: | # one\n  text\n# two\nb: > # three\n  text\n  more\n',
    'a:\n  # one\n\n  # two\n\n  b: 1\n\n  # three\n',
    'reserved_addrs:\n\n  a:\n\n    region: eu\n\n    description: x\n\n\noutputs: {}\n# z',
    'a: |+\n  x\n\nb: 1\n',
    'a: |2\n    x\n',
    'a: 0x1F\nb: 1.20\nc: 1e3\nd: ~\ne: True\nf: +5\ng:\n',
    "a: ''\nb: 'x\n\n  y'\nc: 'tab\\t'\nd: \"\\xe9 \\\n   z\"\n",
    'a: { # one\n  b: 1, # two\n  # three\n  c: 2 # four\n}\n',
    '# zero\n--- # one\n# two\na: 1\n',
  ])('%j', (text) => {
    holds(text);
  });

  test.each([
    { name: 'a comment above a key', text: 'a:\n  x: 1\n# about b\nb: 2\n' },
    {
      name: 'a comment above a block',
      text: 'reserved_addrs:\n  a:\n    region: eu\n  # about b\n  b:\n    region: us\n',
    },
    { name: 'below a list', text: 'a:\n  - 1\n  # about 2\n  - 2\n# about b\nb: 2\n' },
    { name: 'at the end of a section', text: 'a:\n  x: 1\n\n  # ends a\nb: 2\n' },
    { name: 'at the end of the file', text: 'a:\n  x: |\n    t\n\n# ends all\n' },
    { name: 'at the end of a text', text: 'a:\n  x: |\n    t\n\n  # ends a\nb: 1\n' },
    { name: 'at the beginning', text: '# of the file\n\n# of a\na: 1\n' },
    { name: 'of a flow map', text: 'a: { x: 1 } # of a\n# about b\nb: 2\n' },
  ])('keeps the place of a comment: $name', ({ text }) => {
    expect(holds(text)).toBe(text);
  });

  test.each([
    { text: 'a:\n  b:\n# about c\n  c: 1\n', line: 3 },
    { text: 'reserved_addrs:\n  a:\n   # about b\n  b: {}\n', line: 3 },
    { text: 'reserved_addrs:\n  a: {}\n    # of a\n\n  b: {}\n', line: 3 },
    { text: 'reserved_addrs:\n  a:\n    region: eu\n    # about b\n  b: {}\n', line: 4 },
    { text: 'a:\n  b: {}\n  # about c\nc: {}\n# about d\nd: {}\n', line: 3 },
    { text: 'a: { # one\n  b: 1, # two\n  # three\n  c: 2 # four\n  # five\n} # six\n', line: 5 },
    { text: 'a:\n  - # one\n    b: 1\n', line: 2 },
    { text: 'a:\n  - b: 1\n  # ends a\n# ends all\n', line: 4 },
    { text: 'a: 1\n... # three\n# four\n', line: 2 },
    { text: '? a # one\n: b # two\n', line: 1 },
    { text: 'a: {\n  b: { # s\n    x: 1, y: 2 }, # t\n  }\n', line: 3 },
  ])('leaves a comment where it is, or the file alone: $text', ({ text, line }) => {
    const { value, diagnostics } = formatManifest('a.yaml', text);
    const before = placesOf(text);
    if (value !== undefined) expect(placesOf(value).sort()).toEqual(before.sort());
    else expect(diagnostics).toMatchObject([{ code: 'not-formatted', range: { line } }]);
  });

  test('line breaks and a byte order mark', () => {
    expect(holds('\ufeffversion: 1\r\nstack:   shop\r\n')).toBe('version: 1\r\nstack: shop\r\n');
  });

  test('free names keep their order', () => {
    const text = 'variables:\n  outputs: {}\n  lifecycle: {}\n  a: {}\noutputs:\n  z: "1"\n  removed: "2"\n  b: "3"\n';
    expect(holds(text)).toBe(text);
  });

  test.each([
    { given: 'a: &x 1\nb: *x\n', code: 'not-formatted', severity: 'warning' },
    { given: 'a: 1\n---\nb: 2\n', code: 'several-documents', severity: 'error' },
    { given: 'a: [1\n', code: 'yaml-syntax', severity: 'error' },
    { given: 'a: 1\na: 2\n', code: 'duplicate-key', severity: 'error' },
    { given: '['.repeat(100), code: 'too-deep', severity: 'error' },
  ])('$code: the text is left alone', ({ given, code, severity }) => {
    const { value, diagnostics } = formatManifest('a.yaml', given);
    expect(value).toBeUndefined();
    expect(diagnostics).toContainEqual(expect.objectContaining({ code, severity }));
  });
});
