// What is in use, or not ours, is not deleted.

import { describe, expect, test } from 'vitest';
import { removalOf } from '../../../src/plan/decide/removal.ts';
import type { StepDraft } from '../../../src/plan/decide/step-draft.ts';
import { IN_USE } from '../../../src/plan/policies/in-use.ts';
import { secretValues, uniqueKeys } from '../../../src/resource/uniques.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { kindByName } from '../../../src/catalog/lookup.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import type { Value } from '../../../src/core/value.ts';
import { draft, live, policyInput } from '../sample.ts';

const SITE = live('edghts_1', 'shop:https_edges.e');
const route = (mark = '') => live('edghtsrt_1', mark, { parentId: 'edghts_1' });
const deleting = (one: LiveResource, children: readonly LiveResource[] = []) =>
  removalOf({ live: one, children, reason: { code: 'not-in-manifest', text: 'because' } });

/** What the rules find of one kind. */
const found = (rule: string, objects: readonly LiveResource[], drafts: readonly StepDraft[]) =>
  IN_USE.flatMap((check) => check(policyInput({}, objects, drafts))).filter((one) => one.rule === rule);

interface Row {
  readonly name: string;
  readonly objects: readonly LiveResource[];
  readonly drafts: readonly StepDraft[];
  /** Addresses of each violation. */
  readonly expect: readonly (readonly string[])[];
  readonly says?: readonly string[];
}

describe('what is not ours inside', () => {
  const OWN = 'shop:https_edges.e.routes.r';
  const inside = (mark: string) => ({ objects: [SITE, route(mark)], drafts: [deleting(SITE)] });
  const held = { expect: [['https_edges.e']] };
  test.each<Row>([
    { name: 'nothing lies inside', objects: [SITE], drafts: [deleting(SITE)], expect: [] },
    { name: 'what is ours may go', ...inside(OWN), expect: [] },
    { name: 'what nobody owns may not', ...inside(''), ...held, says: ['no stack owns'] },
    {
      name: 'what another stack owns may not',
      ...inside('other:https_edges.e.routes.r'),
      ...held,
      says: ['stack other'],
    },
    { name: 'what may be ours may not', ...inside('?'), ...held, says: ['cannot be read'] },
    {
      name: 'an update touches nothing inside',
      objects: [SITE, route()],
      drafts: [draft('update', 'https_edges.e', { live: SITE })],
      expect: [],
    },
  ])('$name', ({ objects, drafts, expect: expected, says = [] }) => {
    const violations = found('foreign-object', objects, drafts);
    expect(violations.map(({ addresses }) => addresses)).toEqual(expected);
    for (const word of says) expect(violations[0]?.message).toContain(word);
  });
});

describe('what is to be released inside', () => {
  const child = route('shop:https_edges.e.routes.r');
  const releasing = draft('release', 'https_edges.e.routes.r', { live: child });
  test.each<Row>([
    { name: 'a release on its own', objects: [SITE, child], drafts: [releasing], expect: [] },
    {
      name: 'a release beside the release of its parent',
      objects: [SITE, child],
      drafts: [releasing, draft('release', 'https_edges.e', { live: SITE })],
      expect: [],
    },
    {
      name: 'a release inside what is deleted',
      objects: [SITE, child],
      drafts: [releasing, deleting(SITE)],
      expect: [['https_edges.e', 'https_edges.e.routes.r']],
    },
  ])('$name', ({ objects, drafts, expect: expected }) => {
    expect(found('release-inside', objects, drafts).map(({ addresses }) => addresses)).toEqual(expected);
  });
});

describe('what is still referred to', () => {
  const BACKEND = live('bkdfo_1', 'shop:failover_backends.f');
  const ADDR = live('ra_1', 'shop:reserved_addrs.a', { computed: { addr: '1.tcp.eu.test:1234' } });
  const user = (mark = '') => live('edgtls_1', mark, { spec: { backend: { backend_id: 'bkdfo_1' } } });
  const server = (hostport: Value) => live('edgtls_1', '', { spec: { hostports: [hostport] } });
  const ends = { live: user(), drops: ['bkdfo_1'] };
  const claim = (text: Value) => {
    const spec = { hostports: [text] };
    const kind = kindByName('tls_edge');
    const claims = { claims: uniqueKeys(kind, spec, undefined), secretClaims: secretValues(kind, spec, undefined) };
    return draft('create', 'tls_edges.a', claims);
  };
  const kept = ({ marker }: LiveResource) => ({ expect: [[marker?.address ?? '']] });
  const used = (by: LiveResource, ...others: StepDraft[]) => ({
    objects: [BACKEND, by],
    drafts: [deleting(BACKEND), ...others],
  });
  const served = (by: readonly LiveResource[], ...others: StepDraft[]) => ({
    objects: [ADDR, ...by],
    drafts: [deleting(ADDR), ...others],
  });

  test.each<Row>([
    { name: 'what nobody uses', objects: [BACKEND], drafts: [deleting(BACKEND)], expect: [] },
    { name: 'what is used, and not deleted', objects: [BACKEND, user()], drafts: [], expect: [] },
    { name: 'what somebody refers to', ...used(user()), ...kept(BACKEND), says: ['edgtls_1'] },
    {
      name: 'the user is named by its owner',
      ...used(user('other:tls_edges.a')),
      ...kept(BACKEND),
      says: ['tls_edges.a of stack other'],
    },
    { name: 'a user that goes as well', ...used(user(), deleting(user())), expect: [] },
    {
      name: 'a user inside an object that goes',
      objects: [BACKEND, SITE, { ...route(), spec: { backend: { backend_id: 'bkdfo_1' } } }],
      drafts: [deleting(BACKEND), deleting(SITE)],
      expect: [],
    },
    { name: 'a user that lets go', ...used(user(), draft('update', 'tls_edges.a', ends)), expect: [] },
    {
      name: 'a new user',
      objects: [BACKEND],
      drafts: [deleting(BACKEND), draft('create', 'tls_edges.a', { referencedIds: ['bkdfo_1'] })],
      ...kept(BACKEND),
      says: ['start to refer'],
    },
    {
      name: 'an address that somebody serves, in any case',
      ...served([server('1.TCP.eu.test:1234')]),
      ...kept(ADDR),
      says: ['still serves'],
    },
    { name: 'another port is another address', ...served([server('1.tcp.eu.test:1235')]), expect: [] },
    {
      name: 'an address that somebody begins to serve',
      ...served([], claim('1.tcp.eu.test:1234')),
      ...kept(ADDR),
      says: ['start to serve 1.tcp'],
    },
    {
      name: 'a secret one is not shown',
      ...served([], claim(new Secret('1.tcp.eu.test:1234'))),
      ...kept(ADDR),
      says: ['start to serve its value'],
    },
  ])('$name', ({ objects, drafts, expect: expected, says = [] }) => {
    // The same object is in the snapshot and in its step.
    const same = drafts.map((one) => ({ ...one, live: objects.find(({ id }) => id === one.live?.id) }));
    const violations = found('still-referenced', objects, same);
    expect(violations.map(({ addresses }) => addresses)).toEqual(expected);
    for (const word of says) expect(violations[0]?.message).toContain(word);
  });
});
