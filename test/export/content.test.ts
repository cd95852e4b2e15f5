// What of a live object a manifest says, and what it cannot say.

import { describe, expect, test } from 'vitest';
import type { Field } from '../../src/catalog/field.ts';
import { documented } from '../../src/catalog/provenance.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Value } from '../../src/core/value.ts';
import { accepts } from '../../src/export/accept.ts';
import { blockOf, createVariables } from '../../src/export/block.ts';
import { contentOf, UNREADABLE_SECRET } from '../../src/resource/content.ts';
import { findReferences } from '../../src/export/references.ts';
import { buildBlocks } from '../../src/export/resource-block.ts';
import type { LiveResource } from '../../src/resource/snapshot.ts';

const source = documented('§2');

function live(
  kind: string,
  id: string,
  more: Partial<Omit<LiveResource, 'marker' | 'markerProblem'>> = {},
): LiveResource {
  return {
    kind,
    id,
    parentId: undefined,
    spec: {},
    computed: { id },
    writeOnly: [],
    metadata: '',
    userMetadata: '',
    ...more,
    marker: undefined,
  };
}

describe('a manifest takes a value as it is', () => {
  const text: Field = { type: 'string', doc: '', source };
  const count: Field = { type: 'integer', min: 0, max: 9, doc: '', source };
  const names = { regex: '^[a-z-]+$', words: '' };

  test.each<{ name: string; field: Field; given: Value; expect: boolean }>([
    { name: 'a text', field: text, given: 'a', expect: true },
    { name: 'no text', field: text, given: '', expect: true },
    { name: 'no text where one is required', field: { ...text, required: true }, given: '', expect: false },
    { name: 'a number is no text', field: text, given: 1, expect: false },
    { name: 'a text with a character that nobody sees', field: text, given: 'a\u202e', expect: false },
    { name: 'a text that is as long as it may be', field: { ...text, maxBytes: 3 }, given: 'abc', expect: true },
    { name: 'a longer text', field: { ...text, maxBytes: 3 }, given: 'abcd', expect: false },
    { name: 'a text that its escapes make too long', field: { ...text, maxBytes: 3 }, given: '${a', expect: false },
    { name: 'a value that is new to a closed set', field: { ...text, values: ['a'] }, given: 'b', expect: false },
    { name: 'a number in its range', field: count, given: 9, expect: true },
    { name: 'a number out of its range', field: count, given: 10, expect: false },
    { name: 'a part of a number', field: count, given: 1.5, expect: false },
    {
      name: 'a list of such values',
      field: { type: 'list', order: 'kept', items: count, doc: '', source },
      given: [1, 10],
      expect: false,
    },
    {
      name: 'names of a map',
      field: { type: 'map', names, keys: 'lower', items: text, doc: '', source },
      given: { 'x-a': 'b' },
      expect: true,
    },
    {
      name: 'a name that cannot be one',
      field: { type: 'map', names, keys: 'lower', items: text, doc: '', source },
      given: { 'x a': 'b' },
      expect: false,
    },
    { name: 'a secret among secrets', field: { ...text, sensitive: true }, given: new Secret('a'), expect: true },
    {
      name: 'two of several choices',
      field: { type: 'object', exactlyOne: true, fields: { a: text, b: text }, doc: '', source },
      given: { a: 'x', b: 'y' },
      expect: false,
    },
    {
      name: 'a block without what it needs',
      field: { type: 'object', fields: { a: { ...text, required: true } }, doc: '', source },
      given: {},
      expect: false,
    },
    {
      name: 'a name that YAML would change',
      field: { type: 'object', open: true, fields: {}, doc: '', source },
      given: { '<<': 'x' },
      expect: false,
    },
  ])('$name: $expect', ({ field, given, expect: expected }) => {
    expect(accepts(field, given)).toBe(expected);
  });
});

describe('what is written of an object', () => {
  test.each([
    { name: 'no defaults', kind: 'reserved_addr', spec: { region: 'us', description: '' }, expect: {} },
    { name: 'what differs from a default', kind: 'reserved_addr', spec: { region: 'eu' }, expect: { region: 'eu' } },
    {
      name: 'what is needed',
      kind: 'https_edge_route',
      spec: { match_type: 'exact_path', match: '/' },
      expect: { match_type: 'exact_path', match: '/' },
    },
    {
      name: 'sets in one order',
      kind: 'tls_edge',
      spec: { hostports: ['b:1', 'a:1'] },
      expect: { hostports: ['a:1', 'b:1'] },
    },
    {
      name: 'lists in their own order',
      kind: 'failover_backend',
      spec: { backends: ['bkd_2', 'bkd_1'] },
      expect: { backends: ['bkd_2', 'bkd_1'] },
    },
    { name: 'no choice that only a creation could make', kind: 'api_key', spec: { owner_id: 'usr_1' }, expect: {} },
  ])('$name', ({ kind, spec, expect: expected }) => {
    expect(contentOf(kindByName(kind), live(kind, 'x', { spec }))).toEqual(expected);
  });

  test('a secret that the service does not show stands for itself', () => {
    const found = contentOf(
      kindByName('https_edge_route'),
      live('https_edge_route', 'r', {
        spec: { webhook_verification: { provider: 'github' } },
        writeOnly: ['webhook_verification.secret'],
      }),
    );
    expect(found['webhook_verification']).toEqual({ provider: 'github', secret: UNREADABLE_SECRET });
  });
});

describe('references', () => {
  const field = kindByName('failover_backend').fields['backends'];
  const items = field?.type === 'list' ? field.items : undefined;
  const [one, other, free] = ['bkdfo_1', 'bkdfo_2', 'bkdfo_3'].map((id) => live('failover_backend', id));
  const addresses = new Map([
    ['bkdfo_1', 'failover_backends.one'],
    ['bkdfo_2', 'failover_backends.two'],
  ]);

  test('an id becomes a reference, unless nobody has it or a cycle would be formed', () => {
    if (items === undefined || one === undefined || other === undefined || free === undefined)
      throw new Error('no list');
    const reference = findReferences([one, other, free], addresses);
    expect(reference(one, items, 'bkdfo_2', false)).toBe('${failover_backends.two.id}');
    expect(reference(other, items, 'bkdfo_1', false)).toBeUndefined();
    expect(reference(one, items, 'bkdfo_1', false)).toBeUndefined();
    expect(reference(one, items, 'bkdfo_3', false)).toBeUndefined();
    expect(reference(one, items, 'bkdfo_9', false)).toBeUndefined();
  });
});

describe('objects that cannot be written, or not as a whole', () => {
  const build = (...objects: readonly LiveResource[]) =>
    buildBlocks(objects, new Map(objects.map(({ id, kind }) => [id, `${kindByName(kind).manifestKey}.${id}`])), 'shop');

  test.each([
    { name: 'nothing', given: [], written: [], left: [] },
    { name: 'an ordinary object', given: [live('tls_edge', 'a')], written: ['tls_edges.a'], left: [] },
    { name: 'an object without what a manifest needs', given: [live('agent_ingress', 'a')], written: [], left: ['a'] },
    {
      name: 'what lies in an object that is not written',
      given: [live('https_edge_route', 'r', { parentId: 'gone', spec: { match_type: 'exact_path', match: '/' } })],
      written: [],
      left: ['r'],
    },
    {
      name: 'metadata that leaves no room for a marker',
      given: [live('tls_edge', 'a', { userMetadata: 'x'.repeat(4090), spec: { metadata: 'x'.repeat(4090) } })],
      written: [],
      left: ['a'],
    },
  ])('$name', ({ given, written, left }) => {
    const { drafts, leftOut } = build(...given);
    expect([drafts.map(({ address }) => address), leftOut.map((one) => one.live.id)]).toEqual([written, left]);
  });

  test.each([
    {
      name: 'a value that a manifest cannot give',
      given: [live('reserved_addr', 'a', { spec: { region: 'mars' } })],
      expect: [['region']],
    },
    {
      name: 'a value that an earlier object has',
      given: ['a', 'b'].map((id) => live('tls_edge', id, { spec: { hostports: ['h:1'] } })),
      expect: [[], ['hostports']],
    },
    {
      name: 'a field that breaks a rule',
      given: [live('tls_edge', 'a', { spec: { tls_termination: { terminate_at: 'upstream', min_version: '1.2' } } })],
      expect: [['tls_termination']],
    },
  ])('$name is left alone', ({ given, expect: expected }) => {
    expect(build(...given).drafts.map(({ ignored }) => [...ignored.keys()])).toEqual(expected);
  });

  test('a block is adopted by id, and leaves alone what it does not say', () => {
    const [draft] = build(live('reserved_addr', 'ra_1', { spec: { region: 'mars' } })).drafts;
    if (draft === undefined) throw new Error('no block');
    const entry = blockOf(draft, { referenceTo: () => undefined, variables: createVariables(), children: [] });
    expect([entry.key, JSON.stringify(entry.value).includes('ra_1'), entry.comments?.length]).toEqual([
      'ra_1',
      true,
      1,
    ]);
  });

  test('each secret becomes a variable with a name of its own', () => {
    const [draft] = build(live('tls_edge', 'my-edge')).drafts;
    if (draft === undefined) throw new Error('no block');
    const variables = createVariables();
    expect([variables.declare(draft, ['a', 'secret']), variables.declare(draft, ['b', 'secret'])]).toEqual([
      '${var.my_edge_secret}',
      '${var.my_edge_secret_2}',
    ]);
    expect(variables.entries()).toHaveLength(2);
  });
});
