// Fixed words of documents: from the catalogue, the formats and the journal. They stay visible: masking a secret that equals
// one would not hide it, but would break the document.

import { codes } from '../../core/codes.ts';
import { isList, isObject, type Json } from '../../core/json.ts';
import { kinds } from '../../catalog/kinds/index.ts';
import { JOURNAL_KEYWORDS } from '../../journal/entry.ts';
import { MARKER_KEYWORDS } from '../../resource/marker/marker-codec.ts';
import { METRIC_WORDS } from '../../render/metrics/metrics.ts';
import { EVENT_WORDS } from '../../render/view/event.ts';
import { documentSchemas } from '../../schema/documents.ts';
import { FORMAT_WORDS } from '../../render/formats.ts';

/** All of them; computed only when a secret was found. */
export function vocabulary(): string[] {
  return [
    ...Object.keys(codes),
    ...FORMAT_WORDS,
    ...JOURNAL_KEYWORDS,
    ...MARKER_KEYWORDS,
    'true',
    'false',
    'null',
    ...EVENT_WORDS,
    ...METRIC_WORDS,
    ...kinds.flatMap(({ name, manifestKey, idPrefix, operations }) => [
      name,
      manifestKey,
      idPrefix,
      ...(JSON.stringify(operations).match(/\w+/g) ?? []),
    ]),
    ...[...documentSchemas.values()].flatMap(wordsOf),
  ];
}

/** Names of properties, and values that a schema allows. */
function wordsOf(schema: Json): string[] {
  if (isList(schema)) return schema.flatMap(wordsOf);
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    const words = key === 'enum' || key === 'const' || key === 'default' ? textsIn(value) : [];
    const names = key === 'properties' && isObject(value) ? Object.keys(value) : [];
    return [...words, ...names, ...wordsOf(value)];
  });
}

function textsIn(value: Json): string[] {
  if (isList(value)) return value.flatMap(textsIn);
  return typeof value === 'string' ? [value] : [];
}
