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

type Row = readonly [name: string, given: JsonObject, expect: readonly string[]];

const role = { role: { role_arn: 'arn:aws:iam::1:role/a' } };
const creds = { creds: { aws_access_key_id: 'a', aws_secret_access_key: 'b' } };

describe('an event destination', () => {
  const target = { kinesis: { auth: role, stream_arn: 'arn' } };

  test.each<Row>([
    ['needs a target', {}, ['missing-field']],
    ['sends to a stream with a role', { target }, []],
    ['sends to a stream with keys', { target: { firehose: { auth: creds, delivery_stream_arn: 'arn' } } }, []],
    ['sends to a log group', { target: { cloudwatch_logs: { auth: role, log_group_arn: 'arn' } } }, []],
    ['sends to one target', { target: { ...target, s3: {} } }, ['choose-one']],
    ['sends somewhere', { target: {} }, ['choose-one']],
    ['signs in', { target: { kinesis: { stream_arn: 'arn' } } }, ['missing-field']],
    ['signs in one way', { target: { kinesis: { auth: { ...role, ...creds }, stream_arn: 'arn' } } }, ['choose-one']],
    [
      'has both keys',
      { target: { kinesis: { auth: { creds: { aws_access_key_id: 'a' } }, stream_arn: 'arn' } } },
      ['missing-field'],
    ],
    [
      'names the stream as that target names it',
      { target: { kinesis: { auth: role, delivery_stream_arn: 'arn' } } },
      ['missing-field', 'unknown-field'],
    ],
    ['passes on what is not specified of a target', { target: { s3: { what: { ever: 1 } } } }, []],
    ['writes JSON', { target, format: 'json' }, []],
    ['writes nothing else', { target, format: 'xml' }, ['wrong-value']],
  ])('%s', (_, given, expected) => {
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
    ['needs nothing', {}, []],
    ['has types of events', { sources: [{ type: 'ip_policy_created.v0' }] }, []],
    ['has types that nobody listed', { sources: [{ type: 'other.v12' }] }, []],
    ['has types with a version', { sources: [{ type: 'ip_policy_created' }] }, ['wrong-value']],
    ['has a type in each source', { sources: [{}] }, ['missing-field']],
    ['has sources whose address the service chooses', { sources: [{ type: 'a.v0', uri: 'x' }] }, ['unknown-field']],
    ['goes to destinations', { destination_ids: ['ed_1'] }, []],
    ['goes nowhere else', { destination_ids: ['esb_1'] }, ['wrong-reference']],
    ['counts characters, not bytes', { description: 'é'.repeat(255) }, []],
    ['has at most 255 of them', { description: 'é'.repeat(256) }, ['too-long']],
  ])('%s', (_, given, expected) => {
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
