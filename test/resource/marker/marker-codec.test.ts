// Whether the user's text fits beside the marker, in the unit of its kind.

import { describe, expect, test } from 'vitest';
import { kindByName } from '../../../src/catalog/lookup.ts';
import { writeMarker, metadataOverflow } from '../../../src/resource/marker/marker-codec.ts';
import type { Marker } from '../../../src/resource/snapshot.ts';

const marker = (fields = 0): Marker => ({
  v: 1,
  stack: 'shop',
  address: 'tls_edges.a',
  applied: Object.fromEntries(Array.from({ length: fields }, (_, at) => [`f${at}`, 'x'.repeat(12)])),
});
const EDGE = kindByName('tls_edge');
const SUBSCRIPTION = kindByName('event_subscription');
const LEFT = 4_096 - (writeMarker('a', marker()).length - 1);

describe('metadataOverflow', () => {
  test.each([
    ['no text', EDGE, '', marker(), undefined],
    ['the last byte', EDGE, 'a'.repeat(LEFT), marker(), undefined],
    ['one more', EDGE, 'a'.repeat(LEFT + 1), marker(), 'by 1 byte'],
    ['a longer marker leaves less', EDGE, 'a'.repeat(LEFT), marker(1), 'bytes'],
    ['bytes, not characters', EDGE, 'ü'.repeat(LEFT - 100), marker(), `by ${LEFT - 200} bytes`],
    ['characters where the service counts those', SUBSCRIPTION, 'ü'.repeat(LEFT), marker(), undefined],
    ['and one more', SUBSCRIPTION, 'ü'.repeat(LEFT + 1), marker(), 'by 1 character'],
  ])('%s', (_, kind, text, own, says) => {
    const found = metadataOverflow(kind, text, own);
    if (says === undefined) expect(found).toBeUndefined();
    else expect(found?.fix).toContain(says);
  });

  test('what is left and what there is are told, and shortening by that much is enough', () => {
    const words = metadataOverflow(EDGE, 'a'.repeat(LEFT + 7), marker());
    expect(words?.expected).toContain(`at most ${LEFT} bytes`);
    expect(words?.got).toBe(`${LEFT + 7} bytes`);
    expect(words?.fix).toContain('by 7');
  });
});
