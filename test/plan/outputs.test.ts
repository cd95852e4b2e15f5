// Outputs as far as they are known: what waits for an object is null, and a secret is never shown.

import { describe, expect, test } from 'vitest';
import { knownOutputs, outputsOf } from '../../src/plan/outputs.ts';
import type { LiveResource } from '../../src/resource/snapshot.ts';
import { planOf } from '../render/sample.ts';
import { live, manifest } from './sample.ts';

const ADDR = live('ra_1', '', { computed: { id: 'ra_1', addr: '1.tcp.test:1' } });
const KNOWN: ReadonlyMap<string, LiveResource> = new Map([['reserved_addrs.db', ADDR]]);

describe('outputsOf', () => {
  test.each([
    ['plain text', 'text', KNOWN, 'text'],
    ['a value of an object that is there', '${reserved_addrs.db.addr}', KNOWN, '1.tcp.test:1'],
    ['a text around it', 'tcp://${reserved_addrs.db.addr}/', KNOWN, 'tcp://1.tcp.test:1/'],
    ['a value of an object that is not there yet', '${reserved_addrs.db.addr}', new Map(), null],
    ['a text with one value that is not known', 'x ${reserved_addrs.db.id}', new Map(), null],
  ])('%s', (_, output, known, expected) => {
    const given = manifest({ reserved_addrs: { db: {} }, outputs: { one: output } });
    expect(outputsOf(given, known)).toEqual({ one: expected });
  });

  test('names in order, whatever the order of the manifest', () => {
    const given = {
      ...manifest({}),
      outputs: new Map([
        ['b', '1'],
        ['B', '3'],
        ['a', '2'],
      ]),
    };
    expect(Object.keys(outputsOf(given, new Map()))).toEqual(['B', 'a', 'b']);
  });

  test('a value that repeats a secret of its object is hidden', () => {
    const {
      secrets: [secret],
    } = manifest({ tls_edges: { a: { description: '${var.s}' } } });
    const object = { ...ADDR, spec: { description: secret ?? '' }, computed: { addr: 'hush-hush-1' } };
    const given = manifest({ reserved_addrs: { db: {} }, outputs: { one: '${reserved_addrs.db.addr}' } });
    const found = outputsOf(given, new Map([['reserved_addrs.db', object]]));
    expect(found).toEqual({ one: { sensitive: true } });
  });
});

test('knownOutputs leaves out what is not known, and keeps what is empty or false', () => {
  const plan = planOf({ outputs: { a: null, b: '', c: false, d: 0, e: {} } });
  expect(knownOutputs(plan)).toEqual({ b: '', c: false, d: 0, e: {} });
  expect(knownOutputs(planOf({}))).toEqual({});
});
