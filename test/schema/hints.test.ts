// What the schema says to editors: each hint leads to an explanation, and its Markdown shows every word.

import { expect, test } from 'vitest';
import { kinds } from '../../src/catalog/kinds/index.ts';
import type { Json } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import { editorSchema, overlaySchema } from '../../src/schema/editor-schema.ts';
import { kindSchema, manifestSchema } from '../../src/schema/generate.ts';
import { run } from '../support/host.ts';

/** Every text of that key, anywhere in the schema. */
function textsOf(key: string, value: Json): string[] {
  if (isList(value)) return value.flatMap((one) => textsOf(key, one));
  if (!isObject(value)) return [];
  const own = value[key];
  return [...(typeof own === 'string' ? [own] : []), ...Object.values(value).flatMap((one) => textsOf(key, one))];
}

const schemas = [
  manifestSchema(kinds),
  editorSchema(kinds),
  overlaySchema(kinds),
  ...kinds.filter((kind) => kind.unmanaged !== true).map(kindSchema),
];
const markdown = [...new Set(schemas.flatMap((schema) => textsOf('markdownDescription', schema)))];

test('every hint is a command that explains something', async () => {
  const commands = new Set(markdown.flatMap((text) => /`edgeform (explain [^`]+)`$/.exec(text)?.[1] ?? []));
  expect(commands.size).toBeGreaterThan(300);
  const failed: string[] = [];
  for (const command of commands) if ((await run(command.split(' '), { cwd: '/' })).code !== 0) failed.push(command);
  expect(failed).toEqual([]);
});

test('no word of a text is markup', () => {
  const plain = markdown.map((text) => text.replace(/`[^`]*`/g, '').replace(/\\./g, ''));
  expect(plain.filter((text) => /[<>*\]\\`]|(?<![\w])_|_(?![\w])/.test(text))).toEqual([]);
});
