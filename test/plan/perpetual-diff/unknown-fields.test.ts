// Fields of answers that the catalogue does not know: they are no change, and are never sent back.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { objectsIn, planAgainst } from '../../support/answers.ts';
import { answered, KINESIS, manifestOf, ref, trap } from '../../support/usual-answers.ts';

const bodiesOf = (plan: Plan): JsonObject[] =>
  plan.steps.flatMap((step) => step.requests.flatMap(({ body }) => (body === undefined ? [] : [body])));

describe('what the catalogue does not know', () => {
  const extras = {
    policy: null,
    traffic_policy: { enabled: true, value: '{"inbound":[]}' },
    user_agent_filter: { enabled: true, allow: [], deny: ['bot'] },
    endpoint: null,
  };
  trap('fields of newer services', {
    of: 'routes',
    spec: { backend: { backend_id: 'bkdhr_1' }, compression: {} },
    shapes: {
      'beside the modules': {
        ...extras,
        backend: { enabled: true, backend: ref('backends/static', 'bkdhr_1') },
        compression: { enabled: true },
      },
      'inside the modules': {
        backend: { enabled: true, backend: { ...ref('backends/static', 'bkdhr_1'), ...extras }, ...extras },
        compression: { enabled: true, algorithms: ['gzip'] },
      },
    },
    but: {
      'another backend among them': {
        shape: { ...extras, backend: { enabled: true, backend: ref('x', 'bkdhr_2') }, compression: { enabled: true } },
        seen: ['update backend.backend_id: drift'],
      },
    },
  });

  test('none of them is ever sent back, in whatever step', async () => {
    const spec = { backend: { backend_id: 'bkdhr_1' }, compression: {}, saml: { idp_metadata: '<a/>' } };
    const shape = {
      ...extras,
      backend: { enabled: true, backend: { id: 'bkdhr_1', uri: 'x', zone: 'y' }, zone: 'y' },
      compression: { enabled: true, zone: 'y' },
      saml: { enabled: true, idp_metadata: '<a/>', idp_metadata_url: '', entity_id: 'https://x', zone: 'y' },
    };
    const answers = await answered('routes', spec, shape);
    const wanted: JsonObject[] = [
      { ...spec, backend: { backend_id: 'bkdhr_2' }, compression: { enabled: false } },
      { ...spec, saml: { idp_metadata: '<b/>' }, lifecycle: { ignore_changes: ['backend', 'compression.enabled'] } },
      { lifecycle: { ignore_changes: ['saml.idp_metadata'] } },
    ];
    for (const capabilities of [new Set(['routes', 'module-delete'] as const), new Set(['routes'] as const)]) {
      for (const one of wanted) {
        const plan = await planAgainst(manifestOf('routes', one), answers, { capabilities });
        expect(plan.steps).not.toEqual([]);
        const names = bodiesOf(plan).flatMap((body) => objectsIn(body).flatMap(Object.keys));
        expect(names.filter((name) => /zone|policy|user_agent|_url$|entity_id|^uri$|^id$/.test(name))).toEqual([]);
      }
    }
  });

  trap('a target with every kind in it, all but one null', {
    of: 'event_destinations',
    spec: KINESIS,
    shapes: {
      null: {
        target: {
          debug: null,
          azure_logs_ingestion: null,
          s3: null,
          datadog: null,
          cloudwatch_logs: null,
          firehose: null,
          kinesis: { auth: { role: { role_arn: 'arn:role' }, creds: null }, stream_arn: 'arn:stream' },
        },
      },
      'only the one': { target: { kinesis: { auth: { role: { role_arn: 'arn:role' } }, stream_arn: 'arn:stream' } } },
    },
    but: {
      'another stream': {
        shape: {
          target: { kinesis: { auth: { role: { role_arn: 'arn:role' }, creds: null }, stream_arn: 'arn:other' } },
        },
        seen: ['update target.kinesis.stream_arn: drift'],
      },
      'another kind of target': {
        shape: {
          target: {
            kinesis: null,
            firehose: { auth: { role: { role_arn: 'arn:role' }, creds: null }, delivery_stream_arn: 'arn:stream' },
          },
        },
        seen: ['replace create target.kinesis: drift', 'replace create target.firehose: drift', 'replace delete'],
      },
      'access keys in place of the role': {
        shape: {
          target: {
            kinesis: {
              auth: { role: null, creds: { aws_access_key_id: 'AKIA1', aws_secret_access_key: '' } },
              stream_arn: 'arn:stream',
            },
          },
        },
        seen: ['update target.kinesis.auth.role: drift', 'update target.kinesis.auth.creds: drift'],
      },
    },
  });

  trap('a target whose fields are not shown, with what the service fills in', {
    of: 'event_destinations',
    spec: { target: { s3: { bucket_arn: 'arn:bucket', auth: { role: { role_arn: 'arn:role' } }, own: 'kept' } } },
    shapes: {
      filled: {
        target: {
          kinesis: null,
          s3: {
            auth: { role: { role_arn: 'arn:role' }, creds: null },
            bucket_arn: 'arn:bucket',
            object_prefix: '',
            compression: false,
            max_file_size: 0,
            max_file_age: null,
            own: 'kept',
            of_the_service: { a: 1 },
          },
        },
      },
    },
    but: {
      'an own field': {
        shape: { target: { s3: { auth: { role: { role_arn: 'arn:role' } }, bucket_arn: 'arn:bucket', own: 'lost' } } },
        seen: ['update target.s3.own: drift'],
      },
    },
  });
});
