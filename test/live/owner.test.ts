// The marker inside metadata: whatever the user wrote comes back byte for byte.

import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { readMarker, writeMarker } from '../../src/live/owner.ts';
import type { Marker } from '../../src/live/snapshot.ts';

const marker: Marker = { v: 1, stack: 'shop', address: 'tls_edges.db', applied: { backend: 'abc', hostports: 'def' } };

test.each<readonly [string, string]>([
  ['', '{"edgeform":{"v":1,"stack":"shop","address":"tls_edges.db","applied":{"backend":"abc","hostports":"def"}}}'],
  [
    '{"team":"a"}',
    '{"team":"a","edgeform":{"v":1,"stack":"shop","address":"tls_edges.db","applied":{"backend":"abc","hostports":"def"}}}',
  ],
  [
    'text',
    'text\nedgeform/v1 {"v":1,"stack":"shop","address":"tls_edges.db","applied":{"backend":"abc","hostports":"def"}}',
  ],
])('%j is kept beside the marker', (user, expected) => {
  expect(writeMarker(user, marker)).toBe(expected);
  expect(readMarker(expected)).toEqual({ marker, user });
});

test('any text and any JSON object come back as they were', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.object({ maxDepth: 2 }).map((value) => JSON.stringify(value, null, 1)),
    fc.constantFrom('{}', '{ }', '[]', '"x"', '{"a": 1 }\n', 'edgeform/v1 {}', '\n', '}'),
  );
  fc.assert(
    fc.property(text, fc.boolean(), (user, protect) => {
      const given: Marker = protect ? { ...marker, protect: true } : marker;
      const read = readMarker(writeMarker(user, given));
      expect(read.marker).toEqual(given);
      expect(read.user).toBe(user);
    }),
    { numRuns: 2_000 },
  );
});

describe('a forged or malformed marker is text of the user', () => {
  test.each([
    '{"edgeform":{"v":2,"stack":"shop","address":"a","applied":{}}}',
    '{"edgeform":{"v":1,"stack":7,"address":"a","applied":{}}}',
    '{"edgeform":{"v":1,"stack":"shop"}}',
    '{"edgeform":{"v":1,"stack":"shop","address":"a","applied":{"x":1}}}',
    '{"edgeform":{"v":1,"stack":"shop","address":"a","applied":[]}}',
    '{"edgeform":null}',
    '{"edgeform":{"v":1,',
    'x\nedgeform/v1 {',
    'x\nedgeform/v1 null',
    '["edgeform"]',
  ])('%s', (metadata) => {
    expect(readMarker(metadata)).toEqual({ marker: undefined, user: metadata });
  });
});
