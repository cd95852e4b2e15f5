// Terraform's plan JSON, for policy rules and tools that read it.

import { isObject, mapObject, type Json, type JsonObject } from '../../core/json.ts';
import { documentJson } from '../json/json.ts';
import { outputOf, sides, type Entry } from '../terraform/values.ts';
import { isLeaving, phaseWords } from '../view/group.ts';
import { isSensitiveMask } from '../view/values/value.ts';
import type { Item, View } from '../view/view.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'terraform-json',
  position: 110,
  isLog: false,
  draws: ['plan'],
  words:
    'action_reason actions address after after_sensitive after_unknown applyable before before_sensitive change complete create delete delete_because_no_resource_config deposed edgeform errored forget format_version id importing managed mode name no-op output_changes provider_name replace_because_cannot_update replace_paths resource_changes resource_drift type update'.split(
      ' ',
    ),
  draw: drawTerraform,
} as const satisfies Writer;

const FORMAT_VERSION = '1.2';
const PROVIDER = 'edgeform';

function drawTerraform({ items, problems, planned }: View): string {
  const { isComplete = true, outputs = {} } = planned?.() ?? {};
  const errored = problems.some(({ group }) => group === 'error');
  return documentJson({
    format_version: FORMAT_VERSION,
    resource_drift: resources(items).flatMap(({ item }) => (item.isDrifted ? [driftOf(item)] : [])),
    resource_changes: resources(items).map(resourceOf),
    output_changes: mapObject(outputs, outputOf),
    applyable: items.length > 0 && !errored && !problems.some(({ group }) => group === 'refused'),
    complete: isComplete,
    errored,
  });
}

/** An item; `isExtra` when its address already has another entry. */
interface Resource {
  readonly item: Item;
  readonly isExtra: boolean;
}

/** One entry per address, including its detach steps. More objects with the same address are what Terraform calls deposed. */
function resources(items: readonly Item[]): Resource[] {
  const kept = items.filter(({ isAside }) => isAside !== true);
  const staying = new Set(kept.filter(({ word }) => !isLeaving(word)).map(({ address }) => address));
  const seen = new Set<string>();
  return kept.map((item) => {
    const isExtra = isLeaving(item.word) && (seen.has(item.address) || staying.has(item.address));
    seen.add(item.address);
    return { item, isExtra };
  });
}

/** An adoption is an update that writes the stack's marker; a release removes it and leaves the object. */
function actionsOf({ word, steps }: Item): readonly string[] {
  if (word === 'replace')
    return steps[0]?.phase === phaseWords('delete').inPlan ? ['delete', 'create'] : ['create', 'delete'];
  return [word === 'adopt' ? 'update' : word === 'release' ? 'forget' : word];
}

function nameOf(item: Item): JsonObject {
  return {
    address: item.address,
    mode: 'managed',
    type: item.kind,
    name: item.address.slice(item.address.indexOf('.') + 1),
    provider_name: PROVIDER,
  };
}

function resourceOf({ item, isExtra }: Resource): JsonObject {
  const { word, liveId = '' } = item;
  const reason =
    word === 'replace' ? 'replace_because_cannot_update' : word === 'delete' ? 'delete_because_no_resource_config' : '';
  return {
    ...nameOf(item),
    ...(isExtra && { deposed: liveId }),
    change: changeOf(item),
    ...(reason !== '' && { action_reason: reason }),
  };
}

function changeOf(item: Item): JsonObject {
  const { word, liveId } = item;
  const differences = item.differences?.() ?? [];
  const actions = actionsOf(item);
  const isNew = actions.includes('create');
  const forcing = differences.filter(({ forcesReplacement }) => forcesReplacement);
  return {
    actions,
    ...sides(
      word === 'create' ? undefined : [...idOf(liveId), ...differences.map(({ path, before }) => at(path, before))],
      isLeaving(word)
        ? undefined
        : [
            ...(isNew ? [] : idOf(liveId)),
            ...differences.map(({ path, before, after }) => at(path, changed(before, after))),
          ],
      isNew,
    ),
    ...(word === 'replace' && forcing.length > 0 && { replace_paths: forcing.map(({ path }) => path.split('.')) }),
    ...(word === 'adopt' && liveId !== undefined && { importing: { id: liveId } }),
  };
}

/** Both sides of a sensitive value are masked, so the mask says that it changed. */
function changed(before: Json, after: Json): Json {
  return isSensitiveMask(before) && isObject(after) && isSensitiveMask(after) ? { ...after, changed: true } : after;
}

/** A change made outside, as Terraform reports it: from the applied value to the live one. */
function driftOf(item: Item): JsonObject {
  const outside = (item.differences?.() ?? []).filter(({ cause }) => cause === 'drift' || cause === 'both');
  const isGone = item.word === 'create';
  const left = outside.filter(({ cause }) => cause === 'drift');
  const before = [...idOf(item.liveId), ...left.map(({ path, after }) => at(path, after))];
  const after = [...idOf(item.liveId), ...outside.map(({ path, before: live }) => at(path, live))];
  return {
    ...nameOf(item),
    change: { actions: [isGone ? 'delete' : 'update'], ...sides(before, isGone ? undefined : after, false) },
  };
}

function idOf(liveId: string | undefined): Entry[] {
  return liveId === undefined ? [] : [[['id'], liveId]];
}

function at(path: string, value: Json): Entry {
  return [path.split('.'), value];
}
