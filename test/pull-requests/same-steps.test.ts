// When two plans are the same to a merge queue: when applying them does the same, and asks for the same before it.

import { expect, test } from 'vitest';
// @ts-expect-error A script without types.
import { stepsOf as stepsByScript } from '../../.github/actions/lib/plans.mjs';

const stepsOf = stepsByScript as (plan: object) => string;
const STEP = { number: 1, action: 'create', address: 'reserved_addrs.db', request: { body: { description: 'one' } } };
const PLAN = {
  stack: 'shop',
  service: 'https://api.example.com/',
  fingerprint: 'sha256:1',
  manifest_digest: 'sha256:2',
  made_with: { allow_deletes: 1 },
  imports: [{ name: 'db', id: 'ra_1' }],
  steps: [STEP],
  unmanaged: [],
  diagnostics: [],
  summary: { unchanged: 3 },
};

test.each([
  ['who caused a step', { steps: [{ ...STEP, origin: 'pending' }] }],
  ['where it stands', { steps: [{ ...STEP, source: { file: 'a.yaml', line: 3 } }] }],
  ['what it was applied from', { steps: [{ ...STEP, applied_from: { commit: 'a' } }] }],
  ['the fingerprint of the whole', { fingerprint: 'sha256:9' }],
  ['what nobody owns', { unmanaged: [{ kind: 'reserved_addr', id: 'ra_2', owner: null }] }],
  ['what is warned of', { diagnostics: [{ code: 'x' }] }],
  ['how much else there is', { summary: { unchanged: 4 } }],
  ['what it was compared with', { base: { revision: 'HEAD^' } }],
])('%s is no difference', (_, change) => {
  expect(stepsOf({ ...PLAN, ...change })).toBe(stepsOf(PLAN));
});

test.each([
  ['the stack', { stack: 'blog' }],
  ['the service', { service: 'https://eu.example.com/' }],
  ['the manifest', { manifest_digest: 'sha256:3' }],
  ['an option', { made_with: {} }],
  ['an import', { imports: [{ name: 'db', id: 'ra_9' }] }],
  ['a request', { steps: [{ ...STEP, request: { body: { description: 'two' } } }] }],
  ['a step more', { steps: [STEP, { ...STEP, number: 2 }] }],
])('%s is one', (_, change) => {
  expect(stepsOf({ ...PLAN, ...change })).not.toBe(stepsOf(PLAN));
});
