// What is protected is neither deleted nor replaced, whoever says so, and each case has its own way out.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { removalOf } from '../../../src/plan/decide/removal.ts';
import type { StepDraft } from '../../../src/plan/decide/step-draft.ts';
import { protectedObjects } from '../../../src/plan/policies/protection.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { draft, live, policyInput } from '../sample.ts';

const A = 'tls_edges.a';
const own = (id: string, address = A) => live(id, `shop:${address}`);
const protectedOne = (id: string, address = A) => live(id, `shop:${address}`, { marker: { protect: true } });
const removing = (one: LiveResource) =>
  removalOf({ live: one, children: [], reason: { code: 'not-in-manifest', text: 'because' } });
const gone = (one: LiveResource) => ({ objects: [one], drafts: [removing(one)] });
const block = (prevent_destroy: boolean) => ({ tls_edges: { a: { lifecycle: { prevent_destroy } } } });

const PLAIN = own('edgtls_1');
const MARKED = protectedOne('edgtls_1');
const SITE = live('edghts_1', 'shop:https_edges.e');
const CHILD = live('edghtsrt_1', 'shop:https_edges.e.routes.r', { parentId: 'edghts_1', marker: { protect: true } });

interface Row {
  readonly name: string;
  readonly content: JsonObject;
  readonly objects: readonly LiveResource[];
  readonly drafts: readonly StepDraft[];
  readonly destroy?: boolean;
  readonly expect: readonly string[];
  readonly says?: string;
}

describe('protectedObjects', () => {
  test.each<Row>([
    { name: 'nothing protects it', content: block(false), ...gone(PLAIN), expect: [] },
    {
      name: 'nothing goes',
      content: block(true),
      objects: [MARKED],
      drafts: [draft('update', A, { live: MARKED })],
      expect: [],
    },
    { name: 'the block', content: block(true), ...gone(PLAIN), expect: [A], says: 'prevent_destroy: false' },
    {
      name: 'the block that took it under another address',
      content: { tls_edges: { b: { lifecycle: { id: 'edgtls_1', prevent_destroy: true } } } },
      ...gone(PLAIN),
      expect: [A],
      says: 'prevent_destroy: false',
    },
    {
      name: 'the marker, although the block says otherwise by now',
      content: block(false),
      ...gone(MARKED),
      expect: [A],
      says: 'separate apply',
    },
    {
      name: 'the marker, when everything is destroyed',
      content: block(false),
      ...gone(MARKED),
      destroy: true,
      expect: [A],
      says: 'apply first',
    },
    { name: 'the marker without a block', content: {}, ...gone(MARKED), expect: [A], says: 'put the block back' },
    {
      name: 'the marker of one whose address belongs to another object',
      content: { tls_edges: { a: { lifecycle: { id: 'edgtls_2' } } } },
      objects: [MARKED, own('edgtls_2')],
      drafts: [removing(MARKED)],
      expect: [A],
      says: 'a block of its own',
    },
    {
      name: 'the marker of one whose token was never stored',
      content: { api_keys: { a: { lifecycle: { prevent_destroy: true } } } },
      objects: [protectedOne('ak_1', 'api_keys.a')],
      drafts: [
        draft('replace', 'api_keys.a', { phase: 'create', returnedOnce: 'lost' }),
        draft('replace', 'api_keys.a', { phase: 'delete', live: protectedOne('ak_1', 'api_keys.a') }),
      ],
      expect: ['api_keys.a'],
      says: 'release it',
    },
    {
      name: 'the marker of what lies inside',
      content: {},
      objects: [SITE, CHILD],
      drafts: [removing(SITE)],
      expect: ['https_edges.e.routes.r'],
    },
    {
      name: 'the marker of another stack does not count here',
      content: {},
      ...gone(live('edgtls_1', `other:${A}`, { marker: { protect: true } })),
      expect: [],
    },
    {
      name: 'several in the same case are told together, in order',
      content: {},
      objects: [protectedOne('edgtls_2', 'tls_edges.b'), MARKED],
      drafts: [removing(protectedOne('edgtls_2', 'tls_edges.b')), removing(MARKED)],
      expect: [`${A},tls_edges.b`],
      says: '2 protected objects',
    },
  ])('$name', ({ content, objects, drafts, destroy = false, expect: expected, says = '' }) => {
    const found = protectedObjects(policyInput(content, objects, drafts, { destroy }));
    expect(found.map(({ addresses }) => addresses.join())).toEqual(expected);
    expect(found.every(({ rule, flag }) => rule === 'protected' && flag === null)).toBe(true);
    if (found[0] !== undefined) expect(`${found[0].message}; ${found[0].fix ?? ''}`).toContain(says);
  });
});
