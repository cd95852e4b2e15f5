// Values as they are written into a text that is there: in the notation of the file, and with the quotes of the value before.

import type { Json } from '../../core/json.ts';
import { isList, isObject } from '../../core/json.ts';
import { treeOf } from '../../export/manifest-text.ts';
import { blockLines, yamlLines, flowText, quotedText } from '../../export/yaml.ts';
import type { Spot } from './layout.ts';

/** How a file is written. */
export interface Notation {
  readonly isJson: boolean;
  readonly lineBreak: string;
}

/** A value where another one stands or stood, which gives it its quotes. */
export function inlineText(value: Json, { isJson, lineBreak }: Notation, indent: string, before?: Spot): string {
  if (isJson) return jsonText(value, lineBreak, indent);
  if (typeof value !== 'string') return flowText(treeOf(value));
  if (before?.style === 'single-quoted') return quotedText(value, "'");
  return before?.style === 'double-quoted' ? quotedText(value, '"') : flowText(value);
}

/** An entry of a map on one line; in JSON, a map on several. */
export function inlineEntry(key: string, value: Json, notation: Notation, indent: string): string {
  if (notation.isJson) return `${JSON.stringify(key)}: ${jsonText(value, notation.lineBreak, indent)}`;
  return `${flowText(key)}: ${flowText(treeOf(value))}`;
}

/** An entry of a map in lines of its own, without line breaks. */
export function linesOfEntry(key: string, value: Json, indent: string): string[] {
  const lifecycle = isObject(value) ? value['lifecycle'] : undefined;
  if (!isObject(value) || !isObject(lifecycle)) return yamlLines([{ key, value: treeOf(value) }], indent);
  const entries = Object.entries(value).map(([name, member]) => {
    if (name !== 'lifecycle' || !isObject(member)) return { key: name, value: treeOf(member) };
    const inside = Object.entries(member).map(([inner, item]) => ({ key: inner, value: treeOf(item) }));
    return { key: name, value: { entries: inside, onOneLine: true as const } };
  });
  return yamlLines([{ key, value: { entries } }], indent);
}

/** A text with a header and lines below it, all but the first indented; undefined where such lines would not say the same. */
export function blockText(value: Json, indent: string): string[] | undefined {
  return typeof value === 'string' ? blockLines(value, indent) : undefined;
}

function jsonText(value: Json, lineBreak: string, indent: string): string {
  const isFlat = isList(value) && value.every((item) => !isList(item) && !isObject(item));
  if (isFlat) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
  return JSON.stringify(value, null, 2).replaceAll('\n', lineBreak + indent);
}
