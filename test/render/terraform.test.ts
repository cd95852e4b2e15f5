// The plan JSON of Terraform and the counts of GitLab: their shape, what ordinary rules make of them, and hostile values.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/core/json.ts';
import { escapeText } from '../../src/core/text/template.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { problemsBesidePlan, renderPlanAs } from '../../src/render/formats.ts';
import { format } from '../../src/render/formats/terraform-json.ts';
import { sides } from '../../src/render/terraform/values.ts';
import { changeOf, everything, plain, planOf, stepOf } from './sample.ts';

interface Change {
  readonly actions: readonly string[];
  readonly before: Json;
  readonly after: Json;
  readonly [key: string]: Json;
}

interface Resource {
  readonly address: string;
  readonly type: string;
  readonly change: Change;
  readonly deposed?: string;
}

interface Document {
  readonly resource_changes: readonly Resource[];
  readonly resource_drift: readonly Resource[];
  readonly output_changes: Readonly<Record<string, Change>>;
  readonly applyable: boolean;
  readonly complete: boolean;
  readonly errored: boolean;
}

const shown = (plan: Plan) => JSON.parse(renderPlanAs('terraform-json', plan, plain)) as Document;
const counts = (plan: Plan) => JSON.parse(renderPlanAs('gitlab-terraform', plan, plain)) as Json;

/** As https://developer.hashicorp.com/terraform/internals/json-format describes it, for what we write of it. */
const CHANGE = {
  type: 'object',
  required: ['actions', 'before', 'after_unknown', 'before_sensitive', 'after_sensitive'],
  additionalProperties: false,
  properties: {
    actions: {
      enum: [['no-op'], ['create'], ['update'], ['delete', 'create'], ['create', 'delete'], ['delete'], ['forget']],
    },
    before: {},
    after: {},
    after_unknown: { type: ['object', 'boolean'] },
    before_sensitive: { type: ['object', 'boolean'] },
    after_sensitive: { type: ['object', 'boolean'] },
    replace_paths: { type: 'array', items: { type: 'array', items: { type: ['string', 'integer'] } } },
    importing: { type: 'object', properties: { id: { type: 'string' } } },
  },
};
const RESOURCES = {
  type: 'array',
  items: {
    type: 'object',
    required: ['address', 'mode', 'type', 'name', 'provider_name', 'change'],
    additionalProperties: false,
    properties: {
      address: { type: 'string' },
      mode: { enum: ['managed', 'data'] },
      type: { type: 'string' },
      name: { type: 'string' },
      provider_name: { type: 'string' },
      deposed: { type: 'string' },
      action_reason: { enum: ['replace_because_cannot_update', 'delete_because_no_resource_config'] },
      change: CHANGE,
    },
  },
};
const SHAPE = {
  type: 'object',
  required: ['format_version', 'resource_changes', 'applyable', 'complete', 'errored'],
  additionalProperties: false,
  properties: {
    format_version: { type: 'string', pattern: '^1\\.\\d+$' },
    resource_drift: RESOURCES,
    resource_changes: RESOURCES,
    output_changes: { type: 'object', additionalProperties: CHANGE },
    applyable: { type: 'boolean' },
    complete: { type: 'boolean' },
    errored: { type: 'boolean' },
  },
};
const hasShape = new Ajv({ strict: true, strictTypes: false, allowUnionTypes: true }).compile(SHAPE);

/** The rule that GitLab's documentation has for its report. */
const RECIPE =
  '([.resource_changes[]?.change.actions?]|flatten)|{"create":(map(select(.=="create"))|length),"update":(map(select(.=="update"))|length),"delete":(map(select(.=="delete"))|length)}';

function recipe(plan: Plan): Json {
  const text = renderPlanAs('terraform-json', plan, plain);
  if (existsSync('/usr/bin/jq'))
    return JSON.parse(execFileSync('/usr/bin/jq', ['-r', RECIPE], { input: text, encoding: 'utf8' })) as Json;
  const actions = (JSON.parse(text) as Document).resource_changes.flatMap(({ change }) => change.actions);
  const count = (name: string) => actions.filter((one) => one === name).length;
  return { create: count('create'), update: count('update'), delete: count('delete') };
}

const one = (parts: Parameters<typeof stepOf>[0], more: Parameters<typeof planOf>[0] = {}) =>
  planOf({ steps: [stepOf(parts)], ...more });

describe('a plan with everything in it', () => {
  test('is written down', async () => {
    const text = renderPlanAs('terraform-json', everything, plain);
    expect(hasShape(JSON.parse(text)), JSON.stringify(hasShape.errors)).toBe(true);
    await expect(`${text}\n`).toMatchFileSnapshot('golden/plan.terraform.json');
    expect(counts(everything)).toEqual(recipe(everything));
  });

  test('satisfies rules that count and forbid', () => {
    const { resource_changes: all } = shown(everything);
    const with_ = (action: string) => all.filter(({ change }) => change.actions.includes(action)).map((r) => r.address);
    // As a policy says it: deny[msg] { input.resource_changes[_].change.actions[_] == "delete" }
    expect(with_('delete')).toEqual(['reserved_addrs.db', 'https_edges.legacy']);
    expect(with_('create')).toEqual(['reserved_addrs.db', 'failover_backends.app', 'https_edges.shop.routes.api']);
    expect(all.filter(({ type }) => type === 'tls_edge')).toHaveLength(1);
  });
});

const ACTIONS: readonly (readonly [string, Partial<Parameters<typeof stepOf>[0]>, readonly string[]])[] = [
  ['create', { action: 'create' }, ['create']],
  ['update', { action: 'update', live_id: 'x_1' }, ['update']],
  ['delete', { action: 'delete', live_id: 'x_1' }, ['delete']],
  ['adopt', { action: 'adopt', live_id: 'x_1' }, ['update']],
  ['release', { action: 'release', live_id: 'x_1' }, ['forget']],
];

describe('each action', () => {
  test.each(ACTIONS)('%s', (_, parts, actions) => {
    const plan = one({ id: 's1', action: 'create', address: 'tls_edges.a', kind: 'tls_edge', ...parts });
    const [resource] = shown(plan).resource_changes;
    expect(resource?.change.actions).toEqual(actions);
    expect(resource?.change.before === null).toBe(actions[0] === 'create');
    expect(resource?.change.after === null).toBe(['delete', 'forget'].includes(actions[0] ?? ''));
    expect(resource?.change['importing']).toEqual(parts.action === 'adopt' ? { id: 'x_1' } : undefined);
    expect(hasShape(shown(plan))).toBe(true);
    expect(counts(plan)).toEqual(recipe(plan));
  });

  test.each([
    ['create', 'delete'],
    ['delete', 'create'],
  ] as const)('a replacement that does %s first', (...order) => {
    const steps = order.map((phase, index) =>
      stepOf({
        id: `s${index}`,
        action: 'replace',
        phase,
        address: 'reserved_addrs.a',
        kind: 'reserved_addr',
        live_id: phase === 'delete' ? 'ra_1' : null,
        changes: phase === 'create' ? [changeOf({ path: 'a.b', before: 1, after: 2, effect: 'replace-resource' })] : [],
      }),
    );
    const [resource, ...others] = shown(planOf({ steps })).resource_changes;
    expect(others).toEqual([]);
    expect(resource).toMatchObject({
      action_reason: 'replace_because_cannot_update',
      change: {
        actions: order,
        before: { id: 'ra_1', a: { b: 1 } },
        after: { a: { b: 2 } },
        replace_paths: [['a', 'b']],
      },
    });
    expect(counts(planOf({ steps }))).toEqual({ create: 1, update: 0, delete: 1 });
  });

  test('a detaching step is part of its update, and a second object of an address is deposed', () => {
    const edge = { address: 'tls_edges.a', kind: 'tls_edge', live_id: 'x_1' };
    const steps = [
      stepOf({ ...edge, id: 's1', action: 'update', phase: 'detach' }),
      stepOf({ ...edge, id: 's2', action: 'update' }),
      stepOf({ ...edge, id: 's3', action: 'delete', live_id: 'x_2' }),
      stepOf({ ...edge, id: 's4', action: 'delete', live_id: 'x_3' }),
    ];
    const found = shown(planOf({ steps })).resource_changes.map(({ change, deposed }) => [change.actions[0], deposed]);
    expect(found).toEqual([
      ['delete', 'x_2'],
      ['delete', 'x_3'],
      ['update', undefined],
    ]);
    expect(counts(planOf({ steps }))).toEqual({ create: 0, update: 1, delete: 2 });
  });
});

test('what is unknown is left out and marked, and what is sensitive is masked and marked', () => {
  const hidden = { sensitive: true };
  const plan = one({
    id: 's1',
    action: 'update',
    address: 'tls_edges.a',
    kind: 'tls_edge',
    live_id: 'x_1',
    changes: [
      changeOf({ path: 'hostports', before: ['a'], after: ['${reserved_addrs.db.addr}', 'b'] }),
      changeOf({ path: 'backend.id', before: 'b_1', after: '${failover_backends.a.id}' }),
      changeOf({ path: 'note', before: null, after: '$${failover_backends.a.id} ${not a reference}' }),
      changeOf({ path: 'auth.secret', before: hidden, after: hidden, sensitive: true }),
      changeOf({ path: 'list', before: [hidden], after: [{ ...hidden, changed: true }, 'x'], sensitive: true }),
    ],
  });
  expect(shown(plan).resource_changes[0]?.change).toEqual({
    actions: ['update'],
    before: {
      id: 'x_1',
      hostports: ['a'],
      backend: { id: 'b_1' },
      note: null,
      auth: { secret: '(sensitive)' },
      list: ['(sensitive)'],
    },
    after: {
      id: 'x_1',
      hostports: [null, 'b'],
      note: '${failover_backends.a.id} ${not a reference}',
      auth: { secret: '(sensitive, changed)' },
      list: ['(sensitive, changed)', 'x'],
    },
    after_unknown: { hostports: [true, false], backend: { id: true } },
    before_sensitive: { auth: { secret: true }, list: [true] },
    after_sensitive: { auth: { secret: true }, list: [true, false] },
  });
});

test('what somebody changed outside is drift, from what was left to what is live', () => {
  const { resource_drift: drift } = shown(
    planOf({
      steps: [
        stepOf({
          id: 's1',
          action: 'update',
          address: 'tls_edges.a',
          kind: 'tls_edge',
          live_id: 'x_1',
          changes: [
            changeOf({ path: 'description', before: 'by hand', after: 'ours', cause: 'drift' }),
            changeOf({ path: 'hostports', before: ['live'], after: ['new'], cause: 'both' }),
            changeOf({ path: 'metadata', before: 'old', after: 'new' }),
          ],
        }),
        stepOf({
          id: 's2',
          action: 'create',
          address: 'tls_edges.b',
          kind: 'tls_edge',
          deleted_outside: { live_id: 'x_2', evidence: 'it was there' },
        }),
      ],
    }),
  );
  expect(drift.map(({ address, change: { actions, before, after } }) => ({ address, actions, before, after }))).toEqual(
    [
      { address: 'tls_edges.b', actions: ['delete'], before: {}, after: null },
      {
        address: 'tls_edges.a',
        actions: ['update'],
        before: { id: 'x_1', description: 'ours' },
        after: { id: 'x_1', description: 'by hand', hostports: ['live'] },
      },
    ],
  );
});

test('outputs, and whether the plan is whole and can be applied', () => {
  const step = { id: 's1', action: 'create', address: 'tls_edges.a', kind: 'tls_edge' } as const;
  const state = (plan: Plan) => {
    const { applyable, complete, errored } = shown(plan);
    return { applyable, complete, errored };
  };
  expect(state(one(step))).toEqual({ applyable: true, complete: true, errored: false });
  expect(state(planOf({}))).toEqual({ applyable: false, complete: true, errored: false });
  expect(state(one(step, { complete: false }))).toMatchObject({ applyable: true, complete: false });
  const blocked = [{ address: 'tls_edges.a', path: '', reason: 'no way' }];
  expect(state(one(step, { blocked }))).toMatchObject({ complete: false });
  const refusals = [{ rule: 'delete-budget', message: 'too many', addresses: [], flag: null }] as const;
  expect(state(one(step, { refusals }))).toMatchObject({ applyable: false, errored: false });
  const diagnostics = [{ code: 'unknown-field', severity: 'error', message: 'wrong', address: null }] as const;
  expect(state(one(step, { diagnostics }))).toEqual({ applyable: false, complete: true, errored: true });
  const mask = { sensitive: true };
  const { output_changes: outputs } = shown(
    planOf({ outputs: { known: 'a:1', waits: null, secret: mask, inside: { list: ['$${a} ${b}', mask] } } }),
  );
  const secret = { before: '(sensitive)', after: '(sensitive)', before_sensitive: true, after_sensitive: true };
  expect(outputs['secret']).toMatchObject(secret);
  const inside = { list: ['$${a} ${b}', '(sensitive)'] };
  const marked = { list: [false, true] };
  const sides = { before: inside, after: inside };
  expect(outputs['inside']).toMatchObject({ ...sides, before_sensitive: marked, after_sensitive: marked });
  expect(outputs['known']).toMatchObject({ actions: ['no-op'], before: 'a:1', after: 'a:1', after_unknown: false });
  expect(outputs['waits']).toEqual({
    actions: ['create'],
    before: null,
    after_unknown: true,
    before_sensitive: false,
    after_sensitive: false,
  });
});

test('the words of the format are all of its names', () => {
  const names = ({ resource_changes: all, ...top }: Document) => [
    ...Object.keys(top),
    ...all.flatMap(({ change, ...resource }) => [...Object.keys(resource), ...Object.keys(change)]),
  ];
  expect(names(shown(everything)).filter((name) => !format.words.includes(name))).toEqual([]);
});

test('a value is found below each name of its path', () => {
  const entries = [
    [['a', 'b'], 1],
    [['a', 'c'], null],
    [['d'], 'x'],
  ] as const;
  expect(sides(entries, undefined, false)['before']).toEqual({ a: { b: 1, c: null }, d: 'x' });
});

test('what a plan complains of is said beside a format without a form for it', () => {
  const refusals = [{ rule: 'delete-budget', message: 'too many deletions', addresses: [], flag: null }] as const;
  for (const format of ['terraform-json', 'gitlab-terraform'] as const) {
    expect(problemsBesidePlan(format, planOf({ refusals }), plain)).toContain('too many deletions [delete-budget]');
    expect(problemsBesidePlan(format, planOf({}), plain)).toBe('');
  }
  expect(problemsBesidePlan('json', planOf({ refusals }), plain)).toBe('');
});

const HOSTILE = [
  '__proto__',
  'constructor',
  'a\u2028b',
  '\ud800',
  '"],"x":["',
  '\u001b[31m',
  '${a.b}',
  '\\u0000',
  '..',
  '',
];

test.each(HOSTILE)('%j is a value and a name like others', (text) => {
  const key = text.replaceAll('.', '');
  const plan = planOf({
    stack: text,
    outputs: Object.fromEntries([[text, text]]),
    steps: [
      stepOf({
        id: text,
        action: 'update',
        address: text,
        kind: text,
        live_id: text,
        changes: [
          changeOf({ path: `x.${key}`, before: escapeText(text), after: Object.fromEntries([[text, [text]]]) }),
        ],
      }),
    ],
  });
  const raw = renderPlanAs('terraform-json', plan, plain);
  expect(raw).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/);
  const document = JSON.parse(raw) as Document;
  expect(hasShape(document), JSON.stringify(hasShape.errors)).toBe(true);
  expect(document.resource_changes[0]?.change.before).toEqual({
    id: expect.any(String),
    x: Object.fromEntries([[key, text]]),
  });
  expect(Object.keys(document.output_changes)).toEqual([text]);
  expect({}).not.toHaveProperty('polluted');
});
