// Objects whose marker cannot be read or was removed: which of them stop apply, and which are only told.

import { expect, test } from 'vitest';
import { findUnclearOwnership } from '../../../src/plan/match/unclear-ownership.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { live } from '../sample.ts';

const B = 'tls_edges.b';

/** An object without a marker of which the journal knows the address. */
function removed(knownAs: string): LiveResource {
  const { marker: _marker, markerProblem: _problem, ...content } = live('edgtls_1');
  return {
    ...content,
    marker: undefined,
    markerProblem: { what: 'was removed', stacks: [], isRemoved: true, knownAs },
  };
}

interface Row {
  readonly name: string;
  readonly object: LiveResource;
  /** An address that another object has, or that no block asks for. */
  readonly found?: string;
  readonly released?: true;
  /** Severities of what is told. */
  readonly told: readonly string[];
  /** What it is known as, where it may be the stack's. */
  readonly unclear?: readonly (string | null)[];
}

test.each<Row>([
  { name: 'one that names no stack is left alone', object: live('edgtls_1', '?'), told: ['warning'] },
  { name: 'one that names the stack', object: live('edgtls_1', '?shop'), told: ['error'], unclear: [null] },
  {
    name: 'also if it is to be released',
    object: live('edgtls_1', '?shop'),
    released: true,
    told: ['error'],
    unclear: [null],
  },
  { name: 'one that a journal knows', object: removed(B), told: ['error'], unclear: [B] },
  { name: 'by the name of its block after a move', object: removed('tls_edges.old'), told: ['error'], unclear: [B] },
  { name: 'one whose address has another object', object: removed(B), found: B, told: ['warning'], unclear: [B] },
  { name: 'one that is to be released', object: removed(B), released: true, told: [] },
  { name: 'a child whose parent cannot be read is told with that', object: live('edghtsrt_1', 'shop:a'), told: [] },
])('$name', ({ object, found, released = false, told, unclear = [] }) => {
  const result = findUnclearOwnership([object], {
    addresses: new Map([['tls_edges.old', B]]),
    isReleased: () => released,
    isMissing: (address) => address !== found,
  });
  expect(result.diagnostics.map(({ code, severity }) => [code, severity])).toEqual(
    told.map((severity) => ['broken-marker', severity]),
  );
  expect([...result.addresses.values()]).toEqual(unclear);
});
