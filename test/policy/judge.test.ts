// What policies say of manifests and plans: what they see, what they cannot know, and that nothing unclear passes.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { knownSecrets } from '../../src/core/secrets/known.ts';
import { compilePolicies } from '../../src/policy/compile.ts';
import { fileWith, judged, judgedIn, verdict } from './sample.ts';

const edge = { kinds: ['tls_edge'] };
const a = (spec: JsonObject): JsonObject => ({ tls_edges: { a: spec } });
const db = { reserved_addrs: { db: { region: 'eu' } } };
const ADDR = '${reserved_addrs.db.addr}';

describe('on a manifest', () => {
  test('a violation has its rule, its address, both places and a message with values', () => {
    const policy = {
      ...edge,
      expression: 'object.hostports.size() < 1',
      message: '${object.hostports.size()} of $${x}',
    };
    expect(judged(policy, a({ hostports: ['h:443'] }))).toMatchObject([
      {
        code: 'policy/p',
        severity: 'error',
        message: 'tls_edges.a: 1 of ${x}',
        address: 'tls_edges.a',
        range: { file: 'edgeform.json' },
        related: [{ range: { file: 'policies.json' } }],
      },
    ]);
  });

  test('a variable without a value is unknown, and its reference is no secret', () => {
    const manifest = {
      variables: { text: {}, hook: { sensitive: true } },
      ...a({ description: '${var.text}', metadata: 'x' }),
      event_destinations: { d: { target: { datadog: { api_key: '${var.hook}' } } } },
    };
    const sees = { expression: 'object.description == "a"' };
    expect(judged({ ...edge, ...sees }, manifest)).toEqual([]);
    expect(judged({ kinds: ['event_destination'], ...sees }, manifest)).toHaveLength(1);
    expect(knownSecrets.holds('${var.hook}')).toBe(false);
  });

  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['what is true passes', { ...edge, expression: 'object.description == "d"' }, a({ description: 'd' }), []],
    ['a default is filled in', { ...edge, expression: 'object.description == ""' }, a({}), []],
    ['another kind is not meant', { kinds: ['api_key'], expression: 'false' }, a({}), []],
    ['when says where', { ...edge, when: 'stack == "other"', expression: 'false' }, a({}), []],
    ['a warning is one', { ...edge, expression: 'false', severity: 'warning' }, a({}), ['policy/p warning']],
    [
      'an absent field fails',
      { ...edge, expression: 'object.backend.backend_id == ""' },
      a({}),
      ['policy-failed error'],
    ],
    [
      'so does it in when',
      { ...edge, when: 'object.backend.enabled', expression: 'true' },
      a({}),
      ['policy-failed error'],
    ],
    ['an absent module can be tested', { ...edge, expression: 'has(object.backend)' }, a({}), ['policy/p error']],
    [
      'an integer is an int',
      { kinds: ['https_edge_route'], expression: 'object.oidc.maximum_duration <= 3600' },
      {},
      [],
    ],
  ])('%s', (_name, policy, manifest, expected) => {
    expect(judged(policy, manifest).map(({ code, severity }) => `${code} ${severity}`)).toEqual(expected);
  });
});

describe('a value that is not known', () => {
  const manifest = { ...db, ...a({ hostports: [ADDR, 'x.test:443'], description: ADDR }) };
  test.each<[string, string, readonly string[], string]>([
    ['it is there', 'has(object.description)', [], 'passed'],
    ['it cannot be compared', 'object.description == "x"', [], 'violated p tls_edges.a'],
    ['nor its opposite', 'object.description != "x"', [], 'violated p tls_edges.a'],
    ['where it does not matter, it is not asked', 'true || object.description == "x"', [], 'passed'],
    ['on either side', 'object.description == "x" || true', [], 'passed'],
    ['what is false anyway is decided', 'object.description == "x" && false', ['policy/p'], 'violated p tls_edges.a'],
    ['a list knows its length', 'object.hostports.size() == 2', [], 'passed'],
    ['not all that is in it', 'object.hostports.all(h, h.endsWith(":443"))', [], 'violated p tls_edges.a'],
    ['one that is false decides', 'object.hostports.all(h, h == "y")', ['policy/p'], 'violated p tls_edges.a'],
    ['one that is true decides', 'object.hostports.exists(h, h == "x.test:443")', [], 'passed'],
    ['none that is true does not', '!object.hostports.exists(h, h == "y")', [], 'violated p tls_edges.a'],
    ['each element is read', 'object.hostports.all(h, h == "y" || true)', [], 'violated p tls_edges.a'],
    ['exactly one is not decided', '!object.hostports.exists_one(h, h == "y")', [], 'violated p tls_edges.a'],
    ['what is in it is decided', '"x.test:443" in object.hostports', [], 'passed'],
    ['not what is not', '!("x" in object.hostports)', [], 'violated p tls_edges.a'],
  ])('%s', (_name, expression, inManifest, inPlan) => {
    const policy = { ...edge, expression };
    expect(judged(policy, manifest).map(({ code }) => code)).toEqual(inManifest);
    expect(verdict(policy, manifest)).toBe(inPlan);
  });

  test('a policy that waits for it is refused with the reason', () => {
    const policy = { ...edge, when: 'object.description == "x"', expression: 'false' };
    expect(verdict(policy, manifest)).toBe('violated p tls_edges.a');
  });

  test('a reference to what exists is known', () => {
    const same = { ...edge, expression: 'object.description.size() > 0' };
    expect(verdict(same, manifest, manifest)).toBe('passed');
  });
});

describe('a secret', () => {
  const secret = (expression: string) => ({ kinds: ['https_edge_route'], expression });
  const variables = { token: { sensitive: true } };
  const route = {
    match_type: 'path_prefix',
    match: '/',
    description: '${var.token}',
    webhook_verification: { provider: 'github', secret: '${var.token}' },
  };
  const manifest = { variables, https_edges: { a: { routes: { r: route } } } };
  const own = 'object.webhook_verification.secret';
  test.each<[string, string, readonly string[]]>([
    ['is there', `has(${own})`, []],
    ['equals no text', `${own} == "correct-horse-battery"`, ['policy/p']],
    ['differs from every text', `${own} != "correct-horse-battery"`, []],
    ['equals not itself', `${own} == ${own}`, ['policy/p']],
    ['is not in a list of itself', `${own} in [${own}]`, ['policy/p']],
    ['in a plain field is there', 'has(object.description)', []],
    ['in a plain field is not decided', 'object.description != "correct-horse-battery"', []],
  ])('%s', (_name, expression, codes) => {
    const found = judged(secret(expression), manifest, { token: 'correct-horse-battery' });
    expect(found.map(({ code }) => code)).toEqual(codes);
    expect(JSON.stringify(found)).not.toContain('correct-horse-battery');
  });

  test('is not in a message', () => {
    const policy = { ...secret('false'), message: 'it is ${object.description}' };
    expect(judged(policy, manifest, { token: 'correct-horse-battery' })[0]?.message).toContain('(a sensitive value)');
  });
});

describe('on steps and plans', () => {
  const one = (spec: JsonObject = {}) => a({ description: 'd', ...spec });
  test.each<[string, JsonObject, JsonObject, JsonObject, string]>([
    ['a creation has no before', { ...edge, expression: '!has(before.description)' }, one(), {}, 'passed'],
    ['a deletion has no object', { ...edge, expression: '!has(object.description)' }, {}, one(), 'passed'],
    ['it has a before', { ...edge, expression: 'before.description == "d"' }, {}, one(), 'passed'],
    ['actions choose', { actions: ['create'], expression: 'false' }, {}, one(), 'passed'],
    ['the action is seen', { expression: 'step.action != "delete"' }, {}, one(), 'violated p tls_edges.a'],
    ['changes are seen', { expression: 'step.changes.exists(c, c.path == "description")' }, one(), a({}), 'passed'],
    ['their cause, too', { expression: 'step.cause == "config" && step.loss == ""' }, one(), a({}), 'passed'],
    ['and the plan', { expression: 'plan.summary.update == 1 && plan.stack == stack' }, one(), a({}), 'passed'],
    ['nothing is asked without steps', { expression: 'false' }, one(), one(), 'passed'],
    ['a plan is judged once', { on: 'plan', expression: 'plan.summary.delete < 1' }, {}, one(), 'violated p'],
    ['an error is no pass', { expression: 'object.description == "d"' }, {}, one(), 'policy-failed'],
  ])('%s', (_name, policy, manifest, live, expected) => {
    expect(verdict({ on: 'step', ...policy }, manifest, live)).toMatch(new RegExp(`^${expected}`));
  });
});

describe('what cannot be decided never passes', () => {
  /** Expressions over known, unknown and absent texts, with the truth as it is: undefined is not decided. */
  type Case = readonly [text: string, truth: boolean | undefined];
  const leaf = fc.constantFrom<Case>(
    ['object.metadata == "m"', true],
    ['object.metadata == "x"', false],
    ['object.description == "x"', undefined],
    ['object.backend.backend_id == "x"', undefined],
    ['object.metadata.matches("^m$")', true],
    ['object.hostports.exists(h, h == "x")', undefined],
    ['object.hostports.exists(h, h == "b:1")', true],
    ['object.hostports.all(h, h == "x")', false],
    ['object.hostports.all(h, h == "b:1")', undefined],
    ['"b:1" in object.hostports', true],
    ['"x" in object.hostports', undefined],
  );
  const both = ([l, x]: Case, [r, y]: Case): Case => [
    `(${l} && ${r})`,
    x === false || y === false ? false : x === true && y === true ? true : undefined,
  ];
  const not = ([text, truth]: Case): Case => [`!(${text})`, truth === undefined ? undefined : !truth];
  const either = (l: Case, r: Case): Case => {
    const [, truth] = not(both(not(l), not(r)));
    return [`(${l[0]} || ${r[0]})`, truth];
  };
  const { tree } = fc.letrec<{ tree: Case }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      leaf,
      tie('tree').map(not),
      fc.tuple(tie('tree'), tie('tree')).map(([l, r]) => both(l, r)),
      fc.tuple(tie('tree'), tie('tree')).map(([l, r]) => either(l, r)),
    ),
  }));

  test('any expression passes exactly when it is true', () => {
    const manifest = { ...db, ...a({ metadata: 'm', description: ADDR, hostports: [ADDR, 'b:1'] }) };
    fc.assert(
      fc.property(tree, ([expression, truth]) => {
        expect(verdict({ ...edge, expression }, manifest) === 'passed').toBe(truth === true);
      }),
      { numRuns: 60 },
    );
  });

  test('nor does an expression that was cut off or misspelled', () => {
    const whole = 'false && (false && object.hostports.all(h, h == "x"))';
    const at = Array.from(whole, (_, index) => index);
    const spoilt = at.flatMap((from) => [
      whole.slice(0, from),
      whole.slice(0, from) + whole.slice(from + 1),
      ...['(', '"', '!', ',', 'x'].map((sign) => whole.slice(0, from) + sign + whole.slice(from)),
    ]);
    const passed = spoilt.filter((expression) => {
      const { value } = compilePolicies([fileWith({ ...edge, expression })]);
      return value !== undefined && verdict({ ...edge, expression }, a({})) === 'passed';
    });
    expect(passed).toEqual([]);
  });
});

test('a violation stands at the first value of the block that the expression names, wherever that stands', () => {
  const text = [
    'version: 1',
    'stack: shop',
    'presets:',
    '  strict: { tls_termination: { min_version: "1.0", terminate_at: edge } }',
    'tls_edges:',
    '  a: { preset: strict, hostports: [a.example.com:443] }',
    '  b: { hostports: [b.example.com:443] }',
  ].join('\n');
  const policy = { ...edge, expression: 'has(object.tls_termination) && object.tls_termination.min_version == "1.3"' };
  const places = judgedIn(policy, { name: 'edgeform.yaml', text }).map(({ address, range }) => [
    address,
    range?.line,
    range?.column,
  ]);
  expect(places).toEqual([
    ['tls_edges.a', 4, 30],
    ['tls_edges.b', 7, 3],
  ]);
  const overlay = {
    name: 'prod.yaml',
    text: 'tls_edges:\n  b: { tls_termination: { min_version: "1.1" } }\nstack: shop\n',
  };
  const over = judgedIn(policy, { name: 'edgeform.yaml', text }, {}, [overlay]);
  expect(over.map(({ address, range }) => [address, range?.file, range?.line, range?.column])).toEqual([
    ['tls_edges.a', 'edgeform.yaml', 4, 30],
    ['tls_edges.b', 'prod.yaml', 2, 25],
  ]);
});
