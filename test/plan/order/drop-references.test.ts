// What lets go of an object that is about to be deleted.

import { describe, expect, test } from 'vitest';
import { kindByName } from '../../../src/catalog/lookup.ts';
import type { Value, ValueObject } from '../../../src/core/value.ts';
import { lingering, withoutIds } from '../../../src/plan/order/drop-references.ts';

const EDGE = kindByName('tls_edge');
const GONE = new Set(['bkdfo_1', 'ipp_1']);

describe('withoutIds', () => {
  test.each<readonly [string, string, Value, Value | undefined]>([
    ['a text that is no reference stays', 'description', 'bkdfo_1', 'bkdfo_1'],
    ['a reference to what stays', 'backend', { backend_id: 'bkdfo_2' }, { backend_id: 'bkdfo_2' }],
    ['a reference to what goes, in a module', 'backend', { backend_id: 'bkdfo_1', enabled: false }, { enabled: false }],
    ['one of a list', 'ip_restriction', { ip_policy_ids: ['ipp_1', 'ipp_2'] }, { ip_policy_ids: ['ipp_2'] }],
    ['a value that is not there', 'backend', {}, {}],
  ])('%s', (_, name, given, expected) => {
    const field = EDGE.fields[name];
    expect(field && withoutIds(field, given, GONE)).toEqual(expected);
  });
});

interface Row {
  readonly name: string;
  readonly desired?: ValueObject;
  readonly live: ValueObject;
  readonly ignored?: readonly string[];
  readonly expect: readonly string[];
}

describe('lingering', () => {
  const off = (backend_id: string) => ({ backend: { backend_id, enabled: false } });
  test.each<Row>([
    { name: 'nothing is there', live: {}, expect: [] },
    { name: 'a module that is off and names what goes', live: off('bkdfo_1'), expect: ['backend'] },
    { name: 'not one that names what stays', live: off('bkdfo_2'), expect: [] },
    {
      name: 'not one that is on: its removal is a difference of its own',
      live: { backend: { backend_id: 'bkdfo_1' } },
      expect: [],
    },
    { name: 'not one that the manifest asks for', desired: off('bkdfo_1'), live: off('bkdfo_1'), expect: [] },
    { name: 'but one that it gives as null', desired: { backend: null }, live: off('bkdfo_1'), expect: ['backend'] },
    { name: 'not one that is ignored', live: off('bkdfo_1'), ignored: ['backend'], expect: [] },
  ])('$name', ({ desired = {}, live, ignored = [], expect: expected }) => {
    const found = lingering(EDGE, { desired, live, ignored }, GONE);
    expect(found.map(({ name, send, isLingering }) => [name, send, isLingering])).toEqual(
      expected.map((name) => [name, undefined, true]),
    );
  });
});
