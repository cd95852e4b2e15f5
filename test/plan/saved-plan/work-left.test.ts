// What is left of a saved plan: steps that a new plan still holds, request for request.

import { describe, expect, test } from 'vitest';
import { shortDigest } from '../../../src/core/digest.ts';
import type { Action, Phase, PlannedRequest, Step } from '../../../src/plan/plan.ts';
import { findWorkLeft } from '../../../src/plan/saved-plan/work-left.ts';
import { stepOf } from '../../render/sample.ts';
import { live } from '../sample.ts';

const ID = 'edgtls_1';
const patch = (body: PlannedRequest['body'], id = ID): PlannedRequest => ({
  method: 'PATCH',
  path: `/edges/tls/${id}`,
  ...(body && { body }),
});
const post = (body: PlannedRequest['body']): PlannedRequest => ({
  method: 'POST',
  path: '/edges/tls',
  ...(body && { body }),
});
const drop = (id = ID): PlannedRequest => ({ method: 'DELETE', path: `/edges/tls/${id}` });

interface Given {
  readonly action?: Action;
  readonly phase?: Phase;
  readonly address?: string;
  readonly live_id?: string | null;
}

const step = (
  requests: readonly PlannedRequest[],
  { action = 'update', phase, address = 'tls_edges.a', live_id = ID }: Given = {},
): Step => stepOf({ id: 's1', action, ...(phase && { phase }), address, kind: 'tls_edge', live_id, requests });

const source = {
  stack: 'shop',
  known: new Map([['reserved_addrs.db', live('ra_1', '', { computed: { id: 'ra_1', addr: 'host:1' } })]]),
  secret: () => undefined,
};
const fatesOf = (saved: readonly Step[], now: readonly Step[]) => {
  const { fates, added } = findWorkLeft(saved, now, source);
  return [fates.map((fate) => (fate.is === 'left' ? `left after ${fate.sent}` : fate.is)), added.length];
};

describe('a step', () => {
  test.each<readonly [name: string, saved: Step, now: readonly Step[], expected: string, added: number]>([
    ['is left if it is the same', step([patch({ a: 1 })]), [step([patch({ a: 1 })])], 'left after 0', 0],
    ['is changed if it sends something else', step([patch({ a: 1 })]), [step([patch({ a: 2 })])], 'changed', 0],
    ['is missing if nothing is to be done', step([patch({ a: 1 })]), [], 'missing', 0],
    [
      'is left in part after its first request',
      step([drop(`${ID}/backend`), patch({ a: 1 })]),
      [step([patch({ a: 1 })])],
      'left after 1',
      0,
    ],
    [
      'is changed if only its first request is left',
      step([drop(`${ID}/backend`), patch({ a: 1 })]),
      [step([drop(`${ID}/backend`)])],
      'changed',
      0,
    ],
    [
      'is changed if another object is to be written',
      step([patch({})]),
      [step([patch({})], { live_id: 'edgtls_2' })],
      'changed',
      0,
    ],
    [
      'is left in part if what it creates exists and needs the rest',
      step([post({ a: 1 }), patch({ b: 2 }, '${tls_edges.a.id}')], { action: 'create', live_id: null }),
      [step([patch({ b: 2 }, '${tls_edges.a.id}')])],
      'left after 1',
      0,
    ],
    [
      'is left if the old object of a replacement is only deleted by now',
      step([drop()], { action: 'replace', phase: 'delete' }),
      [step([drop()], { action: 'delete' })],
      'left after 0',
      0,
    ],
    [
      'is no deletion of another object of its address',
      step([drop()], { action: 'delete' }),
      [step([drop('edgtls_2')], { action: 'delete', live_id: 'edgtls_2' })],
      'missing',
      1,
    ],
    ['is no step of another address', step([patch({})]), [step([patch({})], { address: 'tls_edges.b' })], 'missing', 0],
    [
      'that detaches is not the update after it',
      step([patch({ a: 1 })], { phase: 'detach' }),
      [step([patch({ a: 1 })])],
      'missing',
      1,
    ],
  ])('%s', (_, saved, now, expected, added) => {
    expect(fatesOf([saved], now)).toEqual([[expected], added]);
  });
});

describe('requests are the same', () => {
  const marker = (digest: string) =>
    `{"edgeform":{"v":1,"stack":"shop","address":"tls_edges.a","applied":{"description":"${digest}"}}}`;
  const text = (description: string, digest: string) => step([patch({ description, metadata: marker(digest) })]);

  test.each<readonly [name: string, saved: Step, now: Step, expected: string]>([
    [
      'when a reference is filled in, and the digest of its text',
      text('at ${reserved_addrs.db.addr}', '${digest:description}'),
      text('at host:1', shortDigest('"at host:1"')),
      'left after 0',
    ],
    [
      'when a dollar sign is before it',
      text('${$}${reserved_addrs.db.addr}', 'x'),
      text('$host:1', 'x'),
      'left after 0',
    ],
    [
      'not when another value is filled in',
      text('at ${reserved_addrs.db.addr}', 'x'),
      text('at host:2', 'x'),
      'changed',
    ],
    [
      'not when another digest is',
      text('at ${reserved_addrs.db.addr}', '${digest:description}'),
      text('at host:1', 'other'),
      'changed',
    ],
    [
      'when neither is known yet',
      text('at ${reserved_addrs.new.addr}', '${digest:description}'),
      text('at ${reserved_addrs.new.addr}', '${digest:description}'),
      'left after 0',
    ],
    [
      'not when text only looks like a reference',
      text('at $${reserved_addrs.db.addr}', 'x'),
      text('at host:1', 'x'),
      'changed',
    ],
  ])('%s', (_, saved, now, expected) => {
    expect(fatesOf([saved], [now])).toEqual([[expected], 0]);
  });
});
