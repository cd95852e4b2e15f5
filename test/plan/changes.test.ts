// The differences of an object as its plan shows them: how each is put right, and what is said with it.

import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { buildPlan } from '../../src/plan/build.ts';
import type { Change } from '../../src/plan/plan.ts';
import type { LiveResource } from '../../src/resource/snapshot.ts';
import { live, manifest, options, snapshot } from './sample.ts';

const MASK = { sensitive: true };

interface Row {
  readonly name: string;
  readonly block: JsonObject;
  /** What the live object has. */
  readonly there: JsonObject;
  readonly of?: 'reserved_addrs' | 'tls_edges';
  readonly changes: readonly Partial<Change>[];
}

/** The changes of the first step that has any, in a plan that names no secret. */
function changesShown(content: JsonObject, ...objects: readonly LiveResource[]): readonly Change[] {
  const plan = buildPlan({
    manifest: manifest(content),
    snapshot: snapshot(...objects),
    service: 'https://api.test/',
    options: options({ allowDeletes: 'all' }),
  });
  expect(JSON.stringify(plan)).not.toContain('hush');
  return plan.steps.find(({ changes }) => changes.length > 0)?.changes ?? [];
}

test.each<Row>([
  {
    name: 'a text',
    block: { description: 'b' },
    there: { description: 'a' },
    changes: [{ path: 'description', before: 'a', after: 'b', effect: 'update', sensitive: false }],
  },
  {
    name: 'a secret hides both sides',
    block: { description: '${var.s}' },
    there: { description: 'a' },
    changes: [{ path: 'description', before: MASK, after: MASK, sensitive: true }],
  },
  {
    name: 'a field of a module: the module is sent whole, and the service chooses again',
    block: { tls_termination: { min_version: '1.3' } },
    there: { tls_termination: { min_version: '1.2', terminate_at: 'edge' } },
    changes: [
      {
        path: 'tls_termination.min_version',
        effect: 'replace-module',
        note: 'the service chooses a new value for: tls_termination.terminate_at',
      },
    ],
  },
  {
    name: 'a module that goes',
    block: {},
    there: { backend: { backend_id: 'bkdfo_1' } },
    changes: [{ path: 'backend', after: null, effect: 'remove-module' }],
  },
  {
    name: 'what cannot be updated',
    of: 'reserved_addrs',
    block: { region: 'eu' },
    there: { region: 'us' },
    changes: [{ path: 'region', before: 'us', after: 'eu', effect: 'replace-resource' }],
  },
  {
    name: 'the text of the user',
    block: { metadata: 'b' },
    there: {},
    changes: [{ path: 'metadata', before: '', after: 'b', effect: 'update', cause: 'config' }],
  },
])('$name', ({ of = 'tls_edges', block, there, changes }) => {
  const object = live(of === 'tls_edges' ? 'edgtls_1' : 'ra_1', `shop:${of}.a`, { spec: there });
  const shown = changesShown({ [of]: { a: block } }, object);
  expect(shown).toMatchObject(changes);
  expect(shown).toHaveLength(changes.length);
});

test('a secret that the service does not show is hidden where it is sent', () => {
  const MATCH = { match_type: 'path_prefix', match: '/' };
  const secret = 'webhook_verification.secret';
  const EDGE = live('edghts_1', 'shop:https_edges.e');
  const ROUTE = live('edghtsrt_1', 'shop:https_edges.e.routes.r', {
    parentId: 'edghts_1',
    spec: { ...MATCH, webhook_verification: { provider: 'github' } },
    writeOnly: [secret],
  });
  const module = { webhook_verification: { provider: 'github', secret: '${var.s}' } };
  const shown = changesShown({ https_edges: { e: { routes: { r: { ...MATCH, ...module } } } } }, EDGE, ROUTE);
  expect(shown).toMatchObject([{ path: secret, before: MASK, after: MASK, sensitive: true }]);
});
