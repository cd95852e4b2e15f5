// What `ignore_changes` leaves alone: the live value where there is one to leave, and what the manifest says where not.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import { effectiveSpec } from '../../src/plan/carry.ts';
import { diffResource } from '../../src/plan/diff.ts';
import { fieldPaths, specsWith, without } from '../support/samples.ts';

const nested = managedKinds.flatMap((kind) =>
  fieldPaths(kind.fields)
    .filter(({ path }) => path.length > 1)
    .map((target) => [`${kind.name} ${target.path.join('.')}`, kind, target] as const),
);

describe('what is ignored inside something that the object does not have', () => {
  test.each(nested)('%s comes from the manifest, as in a creation', (_, kind, target) => {
    const ignored = target.path.join('.');
    const holders = target.path.slice(1).map((_name, index) => target.path.slice(0, index + 1));
    for (const desired of specsWith(kind, target, 0)) {
      for (const holder of holders) {
        const live = { spec: without(desired, holder), masked: [] };
        expect(effectiveSpec(kind, desired, live, [ignored])).toEqual(desired);
        const [top = ''] = target.path;
        const sent = diffResource(kind, desired, live, [ignored]).filter(({ name }) => name === top);
        for (const { send } of sent) expect(send).toEqual(desired[top]);
        if (holder.length === 1) expect(sent).toHaveLength(1);
      }
    }
  });

  test.each(nested)('%s stays as it is where its holder is there', (_, kind, target) => {
    const [holder] = target.chain.slice(-2);
    if (holder?.type === 'object' && holder.exactlyOne) return;
    const [desired = {}] = specsWith(kind, target, 0);
    const live: JsonObject = without(desired, target.path);
    expect(effectiveSpec(kind, desired, { spec: live, masked: [] }, [target.path.join('.')])).toEqual(live);
  });

  test.each(nested)('%s comes from the manifest when the object has made another choice', (_, kind, target) => {
    const above = target.chain.findIndex((field) => field.type === 'object' && field.exactlyOne === true);
    if (above === -1 || above === target.path.length - 1) return;
    const [desired = {}] = specsWith(kind, target, 0);
    const chosen = target.path.slice(0, above + 2);
    const live = { spec: without(desired, chosen), masked: [] };
    expect(effectiveSpec(kind, desired, live, [target.path.join('.')])).toEqual(desired);
  });
});
