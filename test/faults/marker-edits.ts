// What people do to a metadata text that holds a marker: with `HARMLESS` edits it is still one, with `HARMFUL` it is not.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';

/** What is done to a metadata text that is a JSON object with a marker, or lines with one; undefined where it does not fit. */
export interface TextEdit {
  readonly name: string;
  readonly ofJson?: (text: string, json: JsonObject) => string;
  readonly ofLines?: (text: string, line: string) => string;
  /** Only a journal tells then what it was. */
  readonly needsJournal?: boolean;
}

export const KEEPS_MARKER: readonly TextEdit[] = [
  { name: 'a key after it', ofJson: (_, json) => JSON.stringify({ ...json, zz: 1 }) },
  { name: 'a key before it', ofJson: (_, json) => JSON.stringify({ aa: { b: [] }, ...json }) },
  { name: 'sorted keys', ofJson: (_, json) => JSON.stringify(sorted(json)) },
  { name: 'pretty-printed', ofJson: (_, json) => JSON.stringify(json, null, 2) },
  {
    name: 'pretty-printed with tabs and CRLF',
    ofJson: (_, json) => JSON.stringify(json, null, '\t').replaceAll('\n', '\r\n'),
  },
  { name: 'a line end after it', ofJson: (text) => `${text}\n`, ofLines: (text) => `${text}\n` },
  { name: 'a line below', ofLines: (text) => `${text}\nseen by Ada` },
  { name: 'lines above and below', ofLines: (text) => `first\n\n${text}\n\nlast` },
  { name: 'only the marker line is left', ofLines: (_, line) => line },
  { name: 'CRLF', ofLines: (text) => text.replaceAll('\n', '\r\n') },
  { name: 'spaces around the line', ofLines: (text, line) => text.replace(line, `  ${line}  `) },
];

export const BREAKS_MARKER: readonly TextEdit[] = [
  {
    name: 'the marker removed',
    needsJournal: true,
    ofJson: (_, { edgeform: _marker, ...rest }) => (Object.keys(rest).length === 0 ? '' : JSON.stringify(rest)),
    ofLines: (text, line) => text.replace(`\n${line}`, '').replace(line, ''),
  },
  {
    name: 'half a marker',
    ofJson: (text) => text.slice(0, text.indexOf('"applied"')),
    ofLines: (text) => text.slice(0, text.lastIndexOf('"applied"')),
  },
  {
    name: 'the marker twice',
    ofJson: (text, { edgeform }) => text.replace('{', `{"edgeform":${JSON.stringify(edgeform)},`),
    ofLines: (text, line) => `${text}\n${line}`,
  },
  {
    name: 'two markers that differ',
    ofJson: (text) => `${text}\nedgeform/v1 {"v":1,"stack":"shop","address":"tls_edges.other","applied":{}}`,
    ofLines: (text) => `edgeform/v1 {"v":1,"stack":"shop","address":"tls_edges.other","applied":{}}\n${text}`,
  },
  {
    name: 'a marker that is none',
    needsJournal: true,
    ofJson: (_, json) => JSON.stringify({ ...json, edgeform: 'shop' }),
    ofLines: (text, line) => text.replace(line, 'edgeform/v1 {"stack":"shop"}'),
  },
  {
    name: 'a marker of another version',
    ofJson: (text) => text.replace('"v":1', '"v":7'),
    ofLines: (text) => text.replace('"v":1', '"v":7'),
  },
];

function sorted(value: Json): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
}
