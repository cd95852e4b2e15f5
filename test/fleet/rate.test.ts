// The rate of a service: requests start apart, whoever sends them.

import { expect, test } from 'vitest';
import { applyFleet, createPlace, outcomes } from './place.ts';

const stackOf = (name: string) => `version: 1
stack: ${name}
tls_edges:
  web: { hostports: ["${name}.example.com:443"] }
`;

test('requests of all stacks of a service start at least the reciprocal of the rate apart', async () => {
  const place = createPlace();
  const fleet = place.fleet({ a: stackOf('a'), b: stackOf('b') }, { rate: 5 });
  const starts: number[] = [];
  place.intercept = () => {
    starts.push(fleet.platform.clock.now());
    return undefined;
  };
  expect(outcomes(await applyFleet(fleet))).toEqual({ a: 'done', b: 'done' });
  expect(starts.length).toBeGreaterThan(10);
  for (const [index, at] of starts.slice(1).entries()) expect(at - (starts[index] ?? 0)).toBeGreaterThanOrEqual(199.9);
});
