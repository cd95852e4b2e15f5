// What an update cannot do to a field.

import { describe, expect, test } from 'vitest';
import { kindByName } from '../../../src/catalog/lookup.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import type { ValueObject } from '../../../src/core/value.ts';
import type { Capability } from '../../../src/catalog/kind.ts';
import { howToRemove, updateObstacles } from '../../../src/plan/decide/obstacles.ts';
import { compareFields } from '../../../src/resource/diff.ts';
import { ALL, live, without } from '../sample.ts';

const OFF = without('module-delete');

describe('howToRemove', () => {
  test.each<readonly [string, string, string, ReadonlySet<Capability>, string]>([
    ['a part with an operation of its own', 'tls_edge', 'backend', ALL, 'delete'],
    ['a part whose operation is switched off', 'tls_edge', 'backend', OFF, 'switch-off'],
    ['a value with a default', 'tls_edge', 'description', ALL, 'clear'],
    ['a value that the service chooses', 'api_key', 'owner_id', ALL, 'none'],
    ['a value without a default', 'reserved_addr', 'endpoint_configuration_id', ALL, 'none'],
  ])('%s', (_, kind, name, on, expected) => {
    const field = kindByName(kind).fields[name];
    expect(field && howToRemove(field, on)).toBe(expected);
  });
});

interface Row {
  readonly name: string;
  readonly before: ValueObject;
  readonly after: ValueObject;
  readonly writeOnly?: readonly string[];
  readonly ignored?: readonly string[];
  readonly on?: ReadonlySet<Capability>;
  readonly expect: readonly string[];
}

const SECRET = 'webhook_verification.secret';
const hook = (provider: string, secret?: string) => ({
  webhook_verification: { provider, ...(secret !== undefined && { secret: new Secret(secret) }) },
});

describe('updateObstacles', () => {
  test.each<Row>([
    { name: 'none for what is sent', before: hook('github'), after: hook('gitlab', 's'), expect: [] },
    {
      name: 'a secret that is ignored, not shown and not given would be lost',
      before: hook('github'),
      after: hook('gitlab'),
      writeOnly: [SECRET],
      ignored: [SECRET],
      expect: [SECRET],
    },
    {
      name: 'not when the manifest has it',
      before: hook('github'),
      after: hook('gitlab', 's'),
      writeOnly: [SECRET],
      ignored: [SECRET],
      expect: [],
    },
    { name: 'none for a part that is deleted', before: hook('github'), after: {}, writeOnly: [SECRET], expect: [] },
    {
      name: 'switching it off would send it without its secret',
      before: hook('github'),
      after: {},
      writeOnly: [SECRET],
      on: OFF,
      expect: [SECRET],
    },
    { name: 'not when it has none', before: hook('sns'), after: {}, on: OFF, expect: [] },
    {
      name: 'a secret of another part does not matter',
      before: hook('sns'),
      after: {},
      writeOnly: ['oauth.provider.github.client_secret'],
      on: OFF,
      expect: [],
    },
  ])('$name', ({ before, after, writeOnly = [], ignored = [], on = ALL, expect: expected }) => {
    const object = live('edghtsrt_1', '', { spec: before, writeOnly });
    const diffs = compareFields(kindByName(object.kind), after, object, ignored);
    const diff = diffs.find(({ name }) => name === 'webhook_verification');
    const found = diff && updateObstacles(diff, { live: object, capabilities: on });
    expect(found?.map(({ path }) => path)).toEqual(expected);
  });

  test('a value that nothing removes says what to do', () => {
    const object = live('ra_1', '', { spec: { endpoint_configuration_id: 'ec_1' } });
    const [diff] = compareFields(kindByName('reserved_addr'), {}, object, []).filter(
      (one) => one.differences.length > 0,
    );
    const [found] = diff ? updateObstacles(diff, { live: object, capabilities: ALL }) : [];
    expect(found).toEqual({ path: 'endpoint_configuration_id', reason: expect.stringContaining('ignore_changes') });
  });
});
