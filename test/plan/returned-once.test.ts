// What became of a value that is shown once and that the marker calls pending.

import { expect, test } from 'vitest';
import { kindByName } from '../../src/catalog/lookup.ts';
import { writeMarker } from '../../src/resource/marker/marker-codec.ts';
import { receive } from '../../src/resource/receive.ts';
import type { Marker } from '../../src/resource/snapshot.ts';
import { returnedOnceState } from '../../src/plan/decide/returned-once.ts';
import { journal as journalOf } from './sample.ts';

type StoredProof = Parameters<typeof returnedOnceState>[2];

const KEY = kindByName('api_key');
const ID = 'ak_1';
const ADDRESS = 'api_keys.ci';

function keyWith(more: Partial<Marker> = {}) {
  const marker: Marker = { v: 1, stack: 'shop', address: ADDRESS, applied: { token: 'pending' }, ...more };
  return receive(KEY, { id: ID, created_at: '2030-01-01T00:00:00Z', metadata: writeMarker('', marker) });
}

const journal = (more: { unstored?: string; run?: string; creating?: string } = {}): StoredProof => ({
  journal: journalOf({
    unstored: new Set([more.unstored ?? 'ak_2']),
    runs: new Set([more.run ?? 'other']),
    creating: new Set([more.creating ?? 'api_keys.other']),
  }),
});
const stored = (ids: readonly string[], files: readonly string[]): StoredProof => ({
  stored: { ids: new Set(ids), files: new Set(files) },
});

test.each<[string, Partial<Marker>, StoredProof, string | undefined]>([
  ['the marker calls nothing pending', { applied: {} }, {}, undefined],
  ['nothing else is known', {}, {}, 'unclear'],
  ['a journal knows nothing of it', { created_by: 'run' }, journal(), 'unclear'],
  ['a run of the journal began to make it', { created_by: 'run' }, journal({ run: 'run', creating: ADDRESS }), 'lost'],
  ['the marker alone names a run of the journal', { created_by: 'run' }, journal({ run: 'run' }), 'unclear'],
  ['another run began to make it', { created_by: 'run' }, journal({ creating: ADDRESS }), 'unclear'],
  ['the journal says so, and the marker had no room for its run', {}, journal({ unstored: ID }), 'lost'],
  ['the journal says that it was stored', {}, { ...journal({ unstored: ID }), ...stored([ID], []) }, 'stored'],
  ['the address has a file', {}, { ...journal({ unstored: ID }), ...stored([], [ADDRESS]) }, 'stored'],
  ['another address has a file', {}, stored(['ak_2'], ['api_keys.other']), 'unclear'],
  [
    'the file may be that of the key before',
    { replaces: 'ak_0' },
    { ...journal({ unstored: ID }), ...stored([], [ADDRESS]) },
    'unclear',
  ],
])('%s', (_, marker, holding, expected) => {
  expect(returnedOnceState(KEY, keyWith(marker), holding)?.is).toBe(expected);
});
