// What people and their tools do to metadata that holds a marker: with these edits it is still one, with `DAMAGES` it is not.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { canonicalJson, isList, isObject, parseJson } from '../../src/core/json.ts';

/** A metadata text, edited. */
export type Edit = (text: string) => string;

function reversed(value: Json): Json {
  if (isList(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

const withKeys = (text: string, change: (object: JsonObject) => Json) => {
  const value = parseJson(text);
  return JSON.stringify(isObject(value) ? change(value) : value);
};

/** What people and their tools do to a JSON object; the user's own members stay. */
export const OBJECT_EDITS: Readonly<Record<string, Edit>> = {
  'pretty-printed': (text) => JSON.stringify(parseJson(text), null, 2),
  'pretty-printed with tabs': (text) => JSON.stringify(parseJson(text), null, '\t'),
  'pretty-printed with CRLF': (text) => JSON.stringify(parseJson(text), null, 2).replaceAll('\n', '\r\n'),
  compacted: (text) => JSON.stringify(parseJson(text)),
  sorted: (text) => canonicalJson(parseJson(text)),
  reversed: (text) => JSON.stringify(reversed(parseJson(text))),
  'a key after it': (text) => withKeys(text, (object) => ({ ...object, zz: 'theirs' })),
  'a key before it': (text) => withKeys(text, (object) => ({ aa: 'theirs', ...object })),
  'blanks around it': (text) => `\n ${text}\t\n`,
};

/** What people and their tools do to other text; the user's own lines stay. */
export const LINE_EDITS: Readonly<Record<string, Edit>> = {
  'a line below': (text) => `${text}\ntheir note`,
  'lines below': (text) => `${text}\r\n\r\ntheir note\r\nand more\r\n`,
  'a line above': (text) => `their note\n${text}`,
  'line ends of Windows': (text) => text.replaceAll('\n', '\r\n'),
  'line ends of old': (text) => text.replaceAll('\n', '\r'),
  'blanks after it': (text) => `${text}  \t`,
  'a last line break': (text) => `${text}\n`,
  'an indentation': (text) => text.replace('edgeform/v1 {"v"', '    edgeform/v1 {"v"'),
  'its members sorted': (text) =>
    text.replace(
      /(edgeform\/v1 )(\{"v".*)$/u,
      (_, start: string, json: string) => start + canonicalJson(parseJson(json)),
    ),
  'its members on lines of their own': (text) =>
    text.replace(
      /(edgeform\/v1 )(\{"v".*)$/u,
      (_, start: string, json: string) => start + JSON.stringify(parseJson(json), null, 2),
    ),
  'moved to the top': (text) => {
    // A line of the user's may end in the same words.
    const at = text.lastIndexOf('\nedgeform/v1 {') + 1;
    return `${text.slice(at)}\n${text.slice(0, at)}`;
  },
};

/** What makes a marker unreadable, wherever it stood. */
export const DAMAGES: Readonly<Record<string, Edit>> = {
  'cut off in the middle': (text) => text.slice(0, text.indexOf('"address"') + 12),
  'a later version': (text) => text.replace('"v":1', '"v":2'),
  'no version': (text) => text.replace('"v":1,', ''),
  'another type': (text) => text.replace(/"stack":"[^"]*"/u, '"stack":["shop"]'),
  'no digests': (text) => text.replace('"applied":{', '"applied":"none","was":{'),
  'half of it deleted': (text) => text.replace('"v":1,"stack":', ''),
  'a quote lost': (text) => text.replace('"address":"', '"address":'),
  'quotes of a text processor': (text) => text.replace(/"([a-z]+)":"([a-z]+)"/u, '“$1”:“$2”'),
  'a member twice': (text) => text.replace('"v":1,', '"v":1,"stack":"else",'),
  'a stack that cannot be': (text) => text.replace(/"stack":"[^"]*"/u, '"stack":"SHOP"'),
  'an address that cannot be': (text) => text.replace(/"address":"[^"]*"/u, '"address":"?"'),
  'there twice': (text) =>
    text.startsWith('{')
      ? `${text.slice(0, -1)},${text.slice(text.indexOf('"edgeform":'))}`
      : `${text}\n${text.slice(text.indexOf('edgeform/v1 {'))}`,
  'a key and a line': (text) =>
    `${text}\nedgeform/v1 {"v":1,"stack":"shop","address":"tls_edges.a"} "edgeform":{"v":1}`,
  'inside another value': (text) => JSON.stringify({ old: text }),
};

/** What leaves no marker, because its name is gone: only a journal knows the object then. */
export const REMAINS: Readonly<Record<string, Edit>> = {
  'cut off after its name': (text) => text.slice(0, text.search(/edgeform"|edgeform\/v1/u) + 11),
  'cut off at the front': (text) => text.slice(text.indexOf('"stack"')),
  'cut off up to its address': (text) => text.slice(text.indexOf('"address":"') + 11),
  'a letter of its name lost': (text) => text.replace('edgeform', 'edgform'),
  'its name lost': (text) => text.replace(/"edgeform":|edgeform\/v1 /u, ''),
  'its name lost, and sorted': (text) =>
    text.startsWith('{')
      ? withKeys(text, ({ edgeform, ...rest }) => ({ ...rest, old: parseJson(canonicalJson(edgeform ?? null)) }))
      : text.replace(/edgeform\/v1 (\{"v".*)$/u, (_, json: string) => canonicalJson(parseJson(json))),
};
