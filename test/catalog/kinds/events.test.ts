// What can be declared of events and where they go (§2, §6, §8), and of sessions, which cannot be declared at all.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { eventTarget } from '../../../src/catalog/fields/event-targets.ts';
import { kind as session } from '../../../src/catalog/kinds/application-session.ts';
import { kind as destination } from '../../../src/catalog/kinds/event-destination.ts';
import { kind as subscription } from '../../../src/catalog/kinds/event-subscription.ts';
import { managedKinds } from '../../../src/catalog/lookup.ts';
import { allFields } from '../../../src/catalog/walk.ts';
import { errorsOf } from '../../support/judged.ts';

type Row = { name: string; given: JsonObject; expect: readonly string[] };

const role = { role: { role_arn: 'arn:aws:iam::1:role/a' } };
const creds = { creds: { aws_access_key_id: 'a', aws_secret_access_key: 'b' } };

describe('an event destination', () => {
  const target = { kinesis: { auth: role, stream_arn: 'arn' } };

  test.each<Row>([
    { name: 'needs a target', given: {}, expect: ['missing-field'] },
    { name: 'sends to a stream with a role', given: { target }, expect: [] },
    {
      name: 'sends to a stream with keys',
      given: { target: { firehose: { auth: creds, delivery_stream_arn: 'arn' } } },
      expect: [],
    },
    {
      name: 'sends to a log group',
      given: { target: { cloudwatch_logs: { auth: role, log_group_arn: 'arn' } } },
      expect: [],
    },
    { name: 'sends to one target', given: { target: { ...target, s3: {} } }, expect: ['choose-one'] },
    { name: 'sends somewhere', given: { target: {} }, expect: ['choose-one'] },
    { name: 'signs in', given: { target: { kinesis: { stream_arn: 'arn' } } }, expect: ['missing-field'] },
    {
      name: 'signs in one way',
      given: { target: { kinesis: { auth: { ...role, ...creds }, stream_arn: 'arn' } } },
      expect: ['choose-one'],
    },
    {
      name: 'has both keys',
      given: { target: { kinesis: { auth: { creds: { aws_access_key_id: 'a' } }, stream_arn: 'arn' } } },
      expect: ['missing-field'],
    },
    {
      name: 'names the stream as that target names it',
      given: { target: { kinesis: { auth: role, delivery_stream_arn: 'arn' } } },
      expect: ['missing-field', 'unknown-field'],
    },
    {
      name: 'passes on what is not specified of a target',
      given: { target: { s3: { what: { ever: 1 } } } },
      expect: [],
    },
    { name: 'writes JSON', given: { target, format: 'json' }, expect: [] },
    { name: 'writes nothing else', given: { target, format: 'xml' }, expect: ['wrong-value'] },
  ])('$name', ({ given, expect: expected }) => {
    expect(errorsOf(destination, given)).toEqual(expected);
  });

  test('of its targets, secrets are the keys and nothing else', () => {
    const secret = allFields(eventTarget.fields).filter(({ field }) => field.sensitive === true);
    expect(secret.map(({ path }) => path).sort()).toEqual([
      'cloudwatch_logs.auth.creds.aws_secret_access_key',
      'datadog.api_key',
      'firehose.auth.creds.aws_secret_access_key',
      'kinesis.auth.creds.aws_secret_access_key',
      's3.auth.creds.aws_secret_access_key',
    ]);
  });
});

describe('an event subscription', () => {
  test.each<Row>([
    { name: 'needs nothing', given: {}, expect: [] },
    { name: 'has types of events', given: { sources: [{ type: 'ip_policy_created.v0' }] }, expect: [] },
    { name: 'has types that nobody listed', given: { sources: [{ type: 'other.v12' }] }, expect: [] },
    { name: 'has types with a version', given: { sources: [{ type: 'ip_policy_created' }] }, expect: ['wrong-value'] },
    { name: 'has a type in each source', given: { sources: [{}] }, expect: ['missing-field'] },
    {
      name: 'has sources whose address the service chooses',
      given: { sources: [{ type: 'a.v0', uri: 'x' }] },
      expect: ['unknown-field'],
    },
    { name: 'goes to destinations', given: { destination_ids: ['ed_1'] }, expect: [] },
    { name: 'goes nowhere else', given: { destination_ids: ['esb_1'] }, expect: ['wrong-reference'] },
    { name: 'counts characters, not bytes', given: { description: 'é'.repeat(255) }, expect: [] },
    { name: 'has at most 255 of them', given: { description: 'é'.repeat(256) }, expect: ['too-long'] },
  ])('$name', ({ given, expect: expected }) => {
    expect(errorsOf(subscription, given)).toEqual(expected);
  });
});

describe('an application session', () => {
  test('it can be listed, read and ended, and never made or changed', () => {
    expect(Object.keys(session.operations).sort()).toEqual(['delete', 'get', 'list']);
    expect(managedKinds.map(({ name }) => name)).not.toContain(session.name);
  });

  test('it has no block in a manifest', () => {
    expect(errorsOf(session, {})).toEqual(['unknown-field']);
  });

  test('nothing of it can be written', () => {
    expect(Object.values(session.fields).filter(({ write }) => write !== 'never')).toEqual([]);
  });
});
