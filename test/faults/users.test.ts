// Families of worlds cover every kind that others can use, as the catalogue says.

import { expect, test } from 'vitest';
import type { Kind } from '../../src/catalog/kind.ts';
import { managedKinds, rootOf } from '../../src/catalog/lookup.ts';
import { kindsUsing } from '../../src/catalog/users.ts';
import { usesOfKind } from './users.ts';

const namesOf = (kinds: Iterable<Kind>) => [...kinds].map(({ name }) => name).sort();

test('every kind that may use another is made in some world', () => {
  for (const kind of managedKinds) {
    const users = new Set(usesOfKind(kind).map((use) => rootOf(use.kind)));
    expect(namesOf(users), kind.name).toEqual(namesOf(kindsUsing(kind)));
  }
});

test('the uses are those of the specification', () => {
  const uses = managedKinds.flatMap((kind) => usesOfKind(kind).map(({ name }) => `${kind.name}: ${name}`));
  expect(uses.sort()).toEqual([
    'event_destination: event_subscription destination_ids',
    'failover_backend: failover_backend backends',
    'failover_backend: https_edge_route backend.backend_id',
    'failover_backend: tls_edge backend.backend_id',
    'reserved_addr: https_edge hostports',
    'reserved_addr: tls_edge hostports',
  ]);
});
