// A saved plan against the service of now: what it touches must be as it was, and what it does not touch may change.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { buildPlan, fingerprintPlan } from '../../src/plan/build.ts';
import type { PlanInput } from '../../src/plan/build.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { PlanOptions } from '../../src/plan/plan-options.ts';
import { parsePlan } from '../../src/plan/parse-plan.ts';
import { concernsOf, reviewSavedPlan } from '../../src/plan/review-saved-plan.ts';
import type { LiveResource } from '../../src/resource/snapshot.ts';
import { planOf, stepOf } from '../render/sample.ts';
import { applyOn, createDirect, planOn, snapshotOf } from '../support/in-process.ts';
import { live, manifest, options, snapshot } from './sample.ts';

const A = { tls_edges: { a: { description: 'new' } } };
const edge = (id: string, name: string, description = 'old') =>
  live(id, `shop:tls_edges.${name}`, { spec: { description }, computed: { id, created_at: '2030-01-01T00:00:00Z' } });
const OLD = edge('edgtls_1', 'a');

const KEY = { api_keys: { ci: { owner_id: 'usr_new' } } };
const OLD_KEY = live('ak_1', 'shop:api_keys.ci', { spec: { owner_id: 'usr_old' } });
const UNSTORED_KEY = live('ak_2', 'shop:api_keys.ci', {
  spec: { owner_id: 'usr_new' },
  marker: { replaces: 'ak_1', applied: { token: 'pending' } },
});

function input(content: JsonObject, objects: readonly LiveResource[], given: Partial<PlanOptions> = {}): PlanInput {
  return {
    manifest: manifest(content),
    snapshot: snapshot(...objects),
    service: 'https://api.test/',
    options: options(given),
  };
}

type Row = readonly [
  name: string,

  /** The manifest and the objects while the plan was made, and those of now. */
  made: readonly [JsonObject, readonly LiveResource[]],
  now: readonly [JsonObject, readonly LiveResource[]],

  /** A word of what is said of each stale step. */
  expect: readonly string[],
];

describe('what is stale', () => {
  test.each<Row>([
    ['nothing when nothing has changed', [A, [OLD]], [A, [OLD]], []],
    ['nothing of a plan without steps', [{}, []], [{}, []], []],
    [
      'nothing when something else has changed',
      [A, [OLD]],
      [A, [OLD, live('edgtls_9', '', { spec: { description: 'x' } })]],
      [],
    ],
    ['an object that somebody changed', [A, [OLD]], [A, [edge('edgtls_1', 'a', 'other')]], ['description']],
    ['an object that is gone', [A, [OLD]], [A, []], ['is gone']],
    ['an object that is as it should be by now', [A, [OLD]], [A, [edge('edgtls_1', 'a', 'new')]], ['description']],
    ['a creation of what is there by now', [A, []], [A, [OLD]], ['exists now']],
    ['a creation with another value', [A, []], [{ tls_edges: { a: { description: 'newer' } } }, []], ['other values']],
    [
      'a creation for another reason: the token of the first new key was not stored',
      [KEY, [OLD_KEY]],
      [KEY, [OLD_KEY, UNSTORED_KEY]],
      ['would now be created because it is not known whether'],
    ],
    [
      'an update with another value of an object that is as it was',
      [A, [OLD]],
      [{ tls_edges: { a: { description: 'newer' } } }, [OLD]],
      ['needs other requests'],
    ],
    [
      'a deletion with which more would go',
      [A, [OLD, live('edghts_1', 'shop:https_edges.e')]],
      [
        A,
        [
          OLD,
          live('edghts_1', 'shop:https_edges.e'),
          live('edghtsrt_1', 'shop:https_edges.e.routes.r', {
            parentId: 'edghts_1',
            spec: { match_type: 'exact_path', match: '/' },
          }),
        ],
      ],
      ['has changed since'],
    ],
  ])('%s', (_, made, now, expected) => {
    const saved = buildPlan(input(...made));
    const { stale } = reviewSavedPlan(saved, input(...now));
    expect(stale).toHaveLength(expected.length);
    expected.forEach((word, at) => {
      expect(stale[at]?.message).toContain(word);
    });
  });
});

describe('a secret of an object that the plan does not touch', () => {
  const hook = (secret: string, backends = ['bkdhr_1']) =>
    manifest({
      failover_backends: { b: { backends } },
      https_edges: {
        e: {
          routes: {
            r: { match_type: 'path_prefix', match: '/', webhook_verification: { provider: 'github', secret } },
          },
        },
      },
    });
  const service = 'https://api.test/';
  const AT = 'https_edges.e.routes.r needs a change that the plan lacks: the sensitive value of webhook_verification';

  /** What is stale of a plan that only changes the backend. */
  async function staleAfter(mask: string | undefined, given: string, outside: (ask: Ask, route: string) => void) {
    const direct = createDirect({ mask });
    await applyOn(direct, await planOn(direct, hook('hush-1')));
    const { plan: saved } = await planOn(direct, hook('hush-1', ['bkdhr_2']));
    expect(saved.steps.map(({ address }) => address)).toEqual(['failover_backends.b']);
    const route = direct.store.all().find(({ kind }) => kind === 'https_edge_route');
    outside(direct.ask, `/edges/https/${route?.parentId ?? ''}/routes/${route?.id ?? ''}`);
    const now = { manifest: hook(given, ['bkdhr_2']), snapshot: await snapshotOf(direct), service, options: options() };
    expect(now.manifest.digest).toBe(saved.manifest_digest);
    return reviewSavedPlan(saved, now).stale.map(({ message }) => message);
  }
  type Ask = ReturnType<typeof createDirect>['ask'];
  const nobody = () => undefined;
  const rotate = (ask: Ask, path: string) => {
    expect(ask('PATCH', path, { webhook_verification: { provider: 'github', secret: 'theirs' } }).status).toBe(200);
  };
  const remove = (ask: Ask, path: string) => {
    expect(ask('DELETE', path).status).toBe(204);
  };

  test.each<readonly [string, string, (ask: Ask, path: string) => void, boolean]>([
    ['stale when it is another one now', 'hush-2', nobody, true],
    ['stale when somebody changed it, too', 'hush-2', rotate, true],
    ['as it was', 'hush-1', nobody, false],
    ['free to be changed by somebody', 'hush-1', rotate, false],
    ['free to go with its object', 'hush-1', remove, false],
  ])('is %s', async (_, given, outside, isStale) => {
    for (const mask of [undefined, '***'])
      expect(await staleAfter(mask, given, outside)).toEqual(isStale ? [expect.stringContaining(AT)] : []);
  });
});

describe('safety rules of now', () => {
  const five = Array.from({ length: 5 }, (_, at) => edge(`edgtls_${at}`, `e${at}`));
  const kept = { tls_edges: { e0: { description: 'old' } } };
  const broken = (saved: Plan, given?: Partial<PlanOptions>) =>
    reviewSavedPlan(saved, input(kept, five, given)).violations.map(({ rule }) => rule);
  const saved = buildPlan(input(kept, five));

  test.each<readonly [string, Plan, Partial<PlanOptions>, readonly string[]]>([
    ['speak against it', saved, {}, ['delete-budget']],
    ['are silent by the consent of now', saved, { allowDeletes: 4 }, []],
    ['are silent by the consent it was made with', { ...saved, made_with: { allow_deletes: 4 } }, {}, []],
    ['count the greater consent of both', { ...saved, made_with: { allow_deletes: 4 } }, { allowDeletes: 0 }, []],
    ['take all for more than a number', { ...saved, made_with: { allow_deletes: 'all' } }, { allowDeletes: 1 }, []],
    [
      'judge only its own steps',
      { ...saved, steps: saved.steps.filter(({ action }) => action === 'delete').slice(0, 3) },
      {},
      [],
    ],
  ])('%s', (_, plan, given, expected) => {
    expect(broken(plan, given)).toEqual(expected);
  });
});

test('errors of now count for what it touches, and for what has no address', () => {
  const both = { tls_edges: { a: { description: 'new' }, b: {} } };
  const saved = { ...buildPlan(input(A, [OLD])) };
  const about = (...objects: LiveResource[]) =>
    reviewSavedPlan(saved, input(both, [OLD, ...objects])).diagnostics.map(({ code, address }) => [code, address]);
  expect(about(edge('edgtls_2', 'b'), edge('edgtls_3', 'b'))).toEqual([]);
  expect(about(edge('edgtls_2', 'a'))).toEqual([['duplicate-marker', 'tls_edges.a']]);
  expect(about(live('edgtls_2', '?shop'))).toEqual([['broken-marker', null]]);
});

test('concernsOf: what is touched, what that lies in, and what has no address', () => {
  const concerns = concernsOf(
    planOf({
      steps: [stepOf({ id: 's1', action: 'create', address: 'https_edges.e.routes.r', kind: 'https_edge_route' })],
    }),
  );
  const asked = ['https_edges.e.routes.r', 'https_edges.e', null, 'https_edges.e.routes.s', 'https_edges.f', 'https'];
  expect(asked.filter(concerns)).toEqual(['https_edges.e.routes.r', 'https_edges.e', null]);
});

const made = planOf({
  steps: [stepOf({ id: 's1', action: 'create', address: 'tls_edges.a', kind: 'tls_edge', source: 'a:1:1' })],
});
const PLAN: Plan = { ...made, fingerprint: fingerprintPlan(made) };
const text = (changed: object) => JSON.stringify({ ...PLAN, ...changed });
const fits = () => undefined;

type ParseRow = readonly [
  name: string,
  given: string,

  /** A word of the problem; undefined when there is none. */
  says: string | undefined,
];

describe('parsePlan', () => {
  test.each<ParseRow>([
    ['as it was written', text({}), undefined],
    ['with its lines in other places', text({ steps: [{ ...PLAN.steps[0], source: 'b:9:9' }] }), undefined],
    ['nothing', '', 'not JSON'],
    ['cut off', text({}).slice(0, -2), 'not JSON'],
    ['a list', '[]', 'not a JSON object'],
    ['another document', '{}', 'its format is none'],
    ['another format', text({ format: 'edgeform-drift/1' }), 'edgeform-drift/1'],
    ['a later format', text({ format: 'edgeform-plan/12' }), 'newer'],
    ['a format before the first', text({ format: 'edgeform-plan/0' }), ', not'],
    ['a format that goes on and on is cut', text({ format: 'x'.repeat(100) }), `"${'x'.repeat(40)}"`],
    ['changed afterwards', text({ steps: [] }), 'fingerprint'],
    ['with a fingerprint of another', text({ fingerprint: 'sha256:00' }), 'fingerprint'],
  ])('%s', (_, given, says) => {
    const { value, diagnostics } = parsePlan(given, fits);
    expect(value === undefined).toBe(says !== undefined);
    expect(diagnostics.map(({ code }) => code)).toEqual(says === undefined ? [] : ['bad-plan-file']);
    if (says !== undefined) expect(diagnostics[0]?.message).toContain(says);
  });

  test('its shape is judged before its fingerprint, and not in another format', () => {
    const problem = (given: string) => parsePlan(given, () => 'steps is missing').diagnostics[0]?.message;
    expect(problem(text({ steps: [] }))).toContain('steps is missing');
    expect(problem(text({ format: 'edgeform-plan/2' }))).not.toContain('steps is missing');
  });
});
