// The `moved` and `removed` lists, and paths under `ignore_changes`: read and checked against the manifest.

import type { Diagnostic } from '../base/diagnostic.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { isList, isObject } from '../base/json.ts';
import { closest } from '../base/closest.ts';
import { parseAddress } from '../catalog/address.ts';
import type { Field, Fields } from '../catalog/field.ts';
import type { Words } from './lines.ts';
import type { Manifest } from './manifest.ts';
import type { Places } from './places.ts';
import type { Located } from './resources.ts';

interface Entry {
  readonly entry: JsonObject;
  readonly path: readonly string[];
}

function entriesOf(given: Json | undefined, key: string): Entry[] {
  return (isList(given) ? given : []).flatMap((entry, index) =>
    isObject(entry) ? [{ entry, path: [key, String(index)] }] : [],
  );
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The renames of a document. */
export function readMoved(document: JsonObject, places: Places): Manifest['moved'] {
  return entriesOf(document['moved'], 'moved').map(({ entry, path }) => ({
    from: textOf(entry['from']),
    to: textOf(entry['to']),
    range: places.value(path),
  }));
}

/** What a document takes out of the stack. */
export function readRemoved(document: JsonObject, places: Places): Manifest['removed'] {
  return entriesOf(document['removed'], 'removed').map(({ entry, path }) => ({
    from: textOf(entry['from']),
    destroy: entry['destroy'] !== false,
    range: places.value(path),
  }));
}

/** Every entry of `moved`, `removed` and `ignore_changes` that makes no sense. */
export function checkMoves(document: JsonObject, resources: readonly Located[], places: Places): Diagnostic[] {
  const known = new Set(resources.map(({ resource }) => resource.address));
  return [
    ...checkMoved(entriesOf(document['moved'], 'moved'), known, places),
    ...checkRemoved(entriesOf(document['removed'], 'removed'), known, places),
    ...resources.flatMap((one) => checkIgnored(one, places)),
  ];
}

function checkMoved(entries: readonly Entry[], known: ReadonlySet<string>, places: Places): Diagnostic[] {
  const seen = new Map<string, string>();
  const renamed = new Map(entries.map(({ entry }) => [textOf(entry['from']), textOf(entry['to'])]));
  return entries.flatMap(({ entry, path }) => {
    const from = textOf(entry['from']);
    const to = textOf(entry['to']);
    const problem = (key: string, words: Words) => [places.error('bad-move', [...path, key], words)];
    const old = parseAddress(from);
    const next = parseAddress(to);
    if (old === undefined) return problem('from', noAddress(from));
    if (next === undefined) return problem('to', noAddress(to));
    if (old.kind !== next.kind)
      return problem('to', { message: `a ${old.kind.title} cannot become a ${next.kind.title}` });
    if (old.parent !== next.parent && renamed.get(old.parent ?? '') !== next.parent)
      return problem('to', {
        message: `${from} cannot move out of ${old.parent ?? ''}`,
        fix: 'rename the parent instead, or let it be deleted and created anew',
      });
    if (known.has(from))
      return problem('from', { message: `${from} is still in the manifest`, fix: 'remove its block, or this entry' });
    for (const [key, address] of [
      ['from', from],
      ['to', to],
    ] as const) {
      const other = seen.get(`${key} ${address}`);
      if (other !== undefined)
        return problem(key, { message: `${address} is renamed twice, also with ${other}`, fix: 'keep one entry' });
    }
    seen.set(`from ${from}`, to).set(`to ${to}`, from);
    return [];
  });
}

function checkRemoved(entries: readonly Entry[], known: ReadonlySet<string>, places: Places): Diagnostic[] {
  return entries.flatMap(({ entry, path }) => {
    const from = textOf(entry['from']);
    if (parseAddress(from) === undefined) return [places.error('bad-move', [...path, 'from'], noAddress(from))];
    if (!known.has(from)) return [];
    const words = { message: `${from} is still in the manifest`, fix: 'remove its block, or this entry' };
    return [places.error('bad-move', [...path, 'from'], words)];
  });
}

function noAddress(text: string): Words {
  return {
    message: `${JSON.stringify(text)} is no address`,
    expected: 'KIND.NAME, and for what lies inside another object PARENT.KIND.NAME',
  };
}

function checkIgnored({ resource, path, kind }: Located, places: Places): Diagnostic[] {
  return resource.lifecycle.ignoreChanges.flatMap((ignored, index) => {
    const problem = ignoredProblem(kind.fields, ignored.split('.'));
    if (problem === undefined) return [];
    const at = [...path, 'lifecycle', 'ignore_changes', String(index)];
    return [places.error('bad-lifecycle', at, problem, resource.address)];
  });
}

function ignoredProblem(fields: Fields, segments: readonly string[]): Words | undefined {
  let inside = fields;
  let field: Field | undefined;
  for (const name of segments) {
    field = Object.hasOwn(inside, name) ? inside[name] : undefined;
    if (field === undefined) {
      const near = closest(name, Object.keys(inside));
      return {
        message: `there is no field "${name}" whose changes could be ignored`,
        ...(near !== undefined && { fix: `did you mean "${near}"?` }),
      };
    }
    if (field.write === 'never') return { message: `"${name}" is read-only, so it never differs` };
    inside = field.type === 'object' ? field.fields : {};
    if (field.type === 'object' && field.open) return undefined;
  }
  return undefined;
}
