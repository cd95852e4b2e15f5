// For every kind and every field of the catalogue: what was applied is exported and plans nothing; the same
// objects without an owner are exported, plan adoptions only, and nothing after apply.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { Field, Fields } from '../../src/catalog/field.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import type { ExportedManifest } from '../../src/export/export.ts';
import { empty } from '../support/emulated.ts';
import type { FieldPath } from '../support/samples.ts';
import { fieldPaths, manifestWith, specsWith } from '../support/samples.ts';
import { load } from '../support/world.ts';
import type { Scenario } from './scenario.ts';
import { exported, loadExport, pending, startScenario, valuesFor } from './scenario.ts';

let scenario: Scenario;
beforeAll(async () => {
  scenario = await startScenario();
});
afterAll(() => scenario.close());

const PROBE = 'probe-4f1d';

/** The spec with a value of its own for each secret: the mark and the field's name. */
function withProbes(fields: Fields, spec: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(spec).map(([name, value]) => {
      const field = fields[name];
      if (field?.sensitive) return [name, `${PROBE}-${name}`];
      return [name, field?.type === 'object' && isObject(value) ? withProbes(field.fields, value) : value];
    }),
  );
}

function firstValid(kind: Kind, candidates: readonly JsonObject[]): Manifest {
  for (const spec of candidates) {
    try {
      return load(manifestWith(kind, withProbes(kind.fields, spec)));
    } catch {
      // A cross-field rule wants more than this candidate has.
    }
  }
  throw new Error(`no valid spec of ${kind.name}`);
}

/** Names of secret fields, longer ones before those that they end with. */
const SECRETS = ['client_secret', 'aws_secret_access_key', 'api_key', 'secret'];

/** The exported manifest with every secret as it was given. */
function reload(made: ExportedManifest): Manifest {
  for (const { text } of made.files) expect(text).not.toContain(PROBE);
  const values = Object.fromEntries(SECRETS.map((name) => [name, `${PROBE}-${name}`]));
  return loadExport(made, valuesFor(made, values));
}

const isMasked = (field: Field): boolean =>
  field.read === 'masked' || (field.type === 'object' && Object.values(field.fields).some(isMasked));

describe.each(managedKinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  test.each(fieldPaths(kind.fields).map((target) => [target.path.join('.'), target] as const))(
    '%s survives an export',
    async (_path, target: FieldPath) => {
      const given = firstValid(kind, specsWith(kind, target, 0));
      await scenario.apply(given);

      const owned = exported(await scenario.snapshot(), { of: 'stack', stack: given.stack });
      expect(owned.leftOut).toEqual([]);
      expect((await scenario.plan(reload(owned))).steps).toEqual([]);

      await scenario.disown();
      const free = exported(await scenario.snapshot());
      expect(free.leftOut).toEqual([]);
      const manifest = reload(free);
      expect(manifest.resources).toHaveLength(given.resources.length);
      const adoption = await scenario.apply(manifest);
      expect(adoption.steps.map((step) => step.action)).toEqual(given.resources.map(() => 'adopt'));
      // A secret that the service does not show cannot be compared, so the one given is sent along.
      const changed = adoption.steps.flatMap((step) => step.changes.map((change) => change.path.split('.')[0] ?? ''));
      expect(changed.filter((name) => !isMasked(kind.fields[name] ?? target.field))).toEqual([]);
      expect(pending(await scenario.plan(manifest))).toEqual([]);
      empty(scenario.emulator);
    },
  );
});
