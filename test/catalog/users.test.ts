// Which lists show everything that may use an object: as few as possible, and none too few.

import { expect, test } from 'vitest';
import { kindByName, managedKinds } from '../../src/catalog/lookup.ts';
import { kindsUsing } from '../../src/catalog/users.ts';

const USED: Readonly<Record<string, readonly string[]>> = {
  reserved_addr: ['https_edge', 'tls_edge'],
  failover_backend: ['failover_backend', 'https_edge', 'tls_edge'],
  event_destination: ['event_subscription'],
};

test.each(managedKinds.map(({ name }) => name))('what may use a %s', (name) => {
  const users = kindsUsing(kindByName(name)).map((kind) => kind.name);
  expect(users.sort()).toEqual(USED[name] ?? []);
});
