// One text in every place of a plan, of a result and of a problem that a text can have.

import type { Code } from '../../src/core/codes.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { changeOf, planOf, stepOf } from './sample.ts';

export function everywhere(text: string) {
  const result = {
    id: 's1',
    address: text,
    action: 'update',
    status: 'failed',
    live_id: text,
    error: text,
    requests_done: 1,
  } as const;
  const range = { file: text, line: 2, column: 1, endLine: 2, endColumn: 5 };
  const problem = {
    code: text as Code,
    severity: 'error',
    message: text,
    range,
    related: [{ message: text, range }],
    address: text,
    path: text,
    live_id: text,
    expected: text,
    got: text,
    fix: text,
  } as const;
  return { plan: planWith(text), result, problem };
}

function planWith(text: string): Plan {
  return planOf({
    stack: text,
    service: text,
    steps: [
      stepOf({
        id: 's1',
        action: 'update',
        address: text,
        kind: 'tls_edge',
        live_id: text,
        reason: { code: 'not-in-manifest', text, fields: [text], addresses: [text], stack: text },
        source: `${text}:1:2`,
        loss: { code: 'object', cost: text, live_id: text, children: [text] },
        deletes: [
          { address: text, kind: 'tls_edge', live_id: text, values: { hostports: [text], description: text } },
          { address: text, kind: 'https_edge_route', live_id: 'edghtsrt_1', values: { [text]: { [text]: text } } },
        ],
        changes: [
          changeOf({ path: 'description', before: 'a', after: text, note: text }),
          changeOf({ path: text, before: text, after: 'b', cause: 'drift' }),
          changeOf({ path: 'hostports', before: [text], after: ['a', `${text}2`], cause: 'both' }),
          changeOf({ path: 'metadata', before: `${text}\nb`, after: `${text}\nc` }),
          changeOf({ path: 'backend', after: { [text]: { [text]: [text] } } }),
        ],
        requests: [{ method: 'PATCH', path: text, body: { [text]: text } }],
      }),
      stepOf({ id: 's2', action: 'create', address: 'failover_backends.a', kind: 'failover_backend', source: text }),
    ],
    blocked: [{ code: 'cannot-remove', severity: 'error', address: text, path: text, message: text, fix: text }],
    refusals: [{ rule: text as Code, message: text, fix: text, addresses: [text, text], flag: text, entry: text }],
    unmanaged: [{ kind: text, id: text, owner: text }],
    outputs: { [text]: text },
    diagnostics: [
      {
        ...{ code: text as Code, severity: 'error', message: text, address: text, path: text, live_id: text },
        ...{ expected: text, got: text, fix: text },
      },
    ],
  });
}
