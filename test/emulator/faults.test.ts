// Which scripted faults strike a request: by its method, its path and its number among those that fit.

import { expect, test } from 'vitest';
import type { Fault } from '../../src/emulator/faults.ts';
import { createFaults } from '../../src/emulator/faults.ts';

const REQUESTS = ['GET /things', 'POST /things', 'GET /things/x_1?limit=2', 'GET /things', 'DELETE /things/x_1'];

/** Numbers of the requests that a fault strikes, counted from 1. */
function struck(match: Fault['match']): number[] {
  const faultsFor = createFaults([{ action: 'dropBefore', ...(match && { match }) }]);
  return REQUESTS.flatMap((request, index) => {
    const [method = '', path = ''] = request.split(' ');
    return faultsFor(method, path).length > 0 ? [index + 1] : [];
  });
}

test.each([
  { name: 'a fault without a match strikes every request', match: undefined, strikes: [1, 2, 3, 4, 5] },
  { name: 'an empty match is no match', match: {}, strikes: [1, 2, 3, 4, 5] },
  { name: 'a method strikes its requests', match: { method: 'GET' }, strikes: [1, 3, 4] },
  { name: 'a method may be in small letters', match: { method: 'get' }, strikes: [1, 3, 4] },
  { name: 'a path may be a part of the path', match: { path: 'x_1' }, strikes: [3, 5] },
  { name: 'a path may be whole', match: { path: '^/things$' }, strikes: [1, 2, 4] },
  { name: 'a path includes its query', match: { path: 'limit=2$' }, strikes: [3] },
  { name: 'a number counts all requests', match: { nth: 4 }, strikes: [4] },
  { name: 'a number counts requests that fit only', match: { method: 'GET', path: '^/things$', nth: 2 }, strikes: [4] },
  { name: 'a number strikes once', match: { method: 'GET', nth: 1 }, strikes: [1] },
  { name: 'a number that never comes strikes nothing', match: { method: 'PATCH', nth: 1 }, strikes: [] },
])('$name', ({ match, strikes }) => {
  expect(struck(match)).toEqual(strikes);
});

test('several faults strike one request in their order, and each counts for itself', () => {
  const faultsFor = createFaults([
    { action: 'delay', ms: 1, match: { nth: 2 } },
    { action: 'dropAfter' },
    { action: 'truncate', match: { method: 'POST', nth: 1 } },
  ]);
  const actions = [faultsFor('GET', '/'), faultsFor('POST', '/')].map((faults) => faults.map(({ action }) => action));
  expect(actions).toEqual([['dropAfter'], ['delay', 'dropAfter', 'truncate']]);
});
