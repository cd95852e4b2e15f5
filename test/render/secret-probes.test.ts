// A secret written into a broken manifest must not come back in any message, frame or document.

import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/catalog/field.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { errorJson } from '../../src/render/view/documents.ts';
import { plain, renderDiagnostics, diagnosticsJson } from './sample.ts';
import { quoting } from '../support/quoting.ts';

const PROBE = 'probe-7Qz3-hunter2';

/** Paths of secrets a manifest may hold, as lists of names below the resource. */
function secretPaths(fields: Fields): string[][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.write === 'never') return [];
    if (field.sensitive) return [[name]];
    return field.type === 'object' ? secretPaths(field.fields).map((path) => [name, ...path]) : [];
  });
}

function block(keys: readonly string[], last: string): string {
  return [...keys.map((key, depth) => `${'  '.repeat(depth)}${key}:`), `${'  '.repeat(keys.length)}${last}`].join('\n');
}

const places = managedKinds.flatMap((kind) => {
  const above = kind.parent === undefined ? [kind.manifestKey, 'a'] : ['https_edges', 'a', kind.manifestKey, 'b'];
  return secretPaths(kind.fields).map((path) => ({ above: [...above, ...path.slice(0, -1)], name: path.at(-1) ?? '' }));
});

const WAYS: readonly { readonly name: string; readonly line: (name: string) => string }[] = [
  { name: 'as a value', line: (name) => `${name}: ${PROBE}` },
  { name: 'in a list', line: (name) => `${name}: [${PROBE}]` },
  { name: 'in a map', line: (name) => `${name}: { value: ${PROBE} }` },
  { name: 'as a map below', line: (name) => `${name}:\n                  value: ${PROBE}` },
  { name: 'with a wrong reference beside it', line: (name) => `${name}: "${PROBE}\${nothing.here.id}"` },
  { name: 'with an open expression', line: (name) => `${name}: "${PROBE}\${"` },
  { name: 'behind an open expression', line: (name) => `${name}: "x\${${PROBE}"` },
  { name: 'as an expression that is none', line: (name) => `${name}: "\${${PROBE}}"` },
  { name: 'as an expression with spaces', line: (name) => `${name}: \${${PROBE} }` },
  { name: 'as two words in an expression', line: (name) => `${name}: "\${var.x ${PROBE}}"` },
  { name: 'with an open quote', line: (name) => `${name}: "${PROBE}` },
  { name: 'given twice', line: (name) => `${name}: x\n                  ${name}: ${PROBE}` },
  { name: 'without a colon', line: (name) => `${name} ${PROBE}` },
  { name: 'with a tag', line: (name) => `${name}: !secret ${PROBE}` },
  { name: 'behind a tab', line: (name) => `${name}:\t\t"${PROBE}"\t: x` },
  { name: 'as an alias', line: (name) => `${name}: *${PROBE}` },
];

describe.each(WAYS)('a secret $name', ({ line }) => {
  test.each(places)('at $above $name is in no output', ({ above, name }) => {
    const text = `version: 1\nstack: shop\n${block(above, line(name))}\nunknown_key: 1\n`;
    const files = [{ name: 'edgeform.yaml', text }];
    const { diagnostics } = loadManifest({
      files,
      variables: new Map(),
      env: {},
      readFile: () => ({ diagnostics: [] }),
    });
    expect(diagnostics.length).toBeGreaterThan(0);
    const shown = [
      renderDiagnostics(diagnostics, quoting('edgeform.yaml', text), plain),
      diagnosticsJson(diagnostics),
      errorJson(4, diagnostics),
    ];
    expect(shown.filter((output) => output.includes(PROBE))).toEqual([]);
  });
});
