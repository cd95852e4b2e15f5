// What presets and overlays cost grows with what is written, and no faster: cuts, entries, layers and names are never multiplied.

import { describe, expect, test } from 'vitest';
import { mergeFiles } from '../../../src/manifest/merge.ts';
import { plainManifest } from '../../../src/manifest/reuse/reuse.ts';
import { parseDocuments } from '../../../src/manifest/text/parse.ts';
import { growth } from '../../support/count-steps.ts';

const COUNT = 60;

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const named = <T>(count: number, value: (n: number) => T) =>
  Object.fromEntries(numbersTo(count).map((n) => [`n${n}`, value(n)]));

interface Documents {
  readonly manifest: object;
  readonly overlays?: readonly object[];
}

/** Shapes of one size, with what each is about. */
const SHAPES: readonly (readonly [what: string, of: (count: number) => Documents])[] = [
  [
    'an overlay that drops every resource',
    (count) => ({
      manifest: { reserved_addrs: named(count, () => ({})) },
      overlays: [{ without: numbersTo(count).map((n) => `reserved_addrs.n${n}`) }],
    }),
  ],
  [
    'an overlay that drops what is not there',
    (count) => ({
      manifest: { reserved_addrs: named(count, () => ({})) },
      overlays: [{ without: numbersTo(count).map((n) => `reserved_addrs.z${n}.region`) }],
    }),
  ],
  [
    'an overlay that drops a section many times',
    (count) => ({
      manifest: { reserved_addrs: named(count, () => ({})) },
      overlays: [{ without: numbersTo(count).map(() => 'reserved_addrs') }],
    }),
  ],
  [
    'many overlays over many resources',
    (count) => ({
      manifest: { reserved_addrs: named(count, () => ({})) },
      overlays: numbersTo(count).map((n) => ({
        reserved_addrs: { [`n${n}`]: { region: 'eu' } },
        without: [`outputs.n${n}`],
      })),
    }),
  ],
  [
    'many overlays over one map',
    (count) => ({
      manifest: { https_edges: { e: { request_headers: { add: named(count, () => 'x') } } } },
      overlays: numbersTo(count).map((n) => ({
        https_edges: { e: { request_headers: { add: { [`n${n}`]: 'y' } }, without: [`request_headers.add.n${n}`] } },
      })),
    }),
  ],
  [
    'an overlay that adds to long lists',
    (count) => ({
      manifest: { removed: numbersTo(count).map((n) => ({ from: `reserved_addrs.a${n}`, destroy: true })) },
      overlays: [
        { removed: numbersTo(count).map((n) => ({ from: `reserved_addrs.a${2 * n}`, destroy: false })) },
        { removed: numbersTo(count).map((n) => ({ from: `reserved_addrs.b${n}`, destroy: false })) },
      ],
    }),
  ],
  [
    'a block that drops much of a preset',
    (count) => ({
      manifest: {
        presets: { p: { request_headers: { add: named(count, () => 'x') } } },
        https_edges: {
          e: { routes: { r: { preset: 'p', without: numbersTo(count).map((n) => `request_headers.add.n${n}`) } } },
        },
      },
    }),
  ],
  [
    'a block of many presets over one map',
    (count) => ({
      manifest: {
        presets: {
          p: { request_headers: { add: named(count, () => 'x') } },
          q: { request_headers: { add: { n0: 'y' } } },
        },
        https_edges: { e: { routes: { r: { preset: ['p', ...numbersTo(count).map(() => 'q')] } } } },
      },
    }),
  ],
  [
    'an edge of many presets with a route each',
    (count) => ({
      manifest: {
        presets: named(count, (n) => ({ routes: { [`r${n}`]: { match_type: 'exact_path' } } })),
        https_edges: { e: { preset: numbersTo(count).map((n) => `n${n}`) } },
      },
    }),
  ],
];

function readingOf({ manifest, overlays = [] }: Documents): () => void {
  const parse = (document: object, name: string) => parseDocuments(name, JSON.stringify(document));
  const files = parse({ version: 1, stack: 'shop', ...manifest }, 'main.json');
  const laid = overlays.flatMap((overlay, n) => parse(overlay, `o${n}.json`));
  return () => {
    const plain = plainManifest({ files, overlays: laid });
    mergeFiles(plain.files, plain.drops);
  };
}

describe('twice as much takes twice the steps', () => {
  test.each(SHAPES)('%s', (_, of) => {
    expect(growth(COUNT, (count) => readingOf(of(count)))).toBeLessThan(2.2);
  });
});
