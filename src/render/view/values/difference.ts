// The difference between two values as lines for people: old → new, lists by item, objects by key, long text by line.

import { columns } from '../../../core/text/columns.ts';
import { sameEntries } from '../../../core/equal.ts';
import { canonicalJson, isList, isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { SECRET_MASK } from '../../../core/secrets/known.ts';
import { unescapeText } from '../../../core/text/template.ts';
import { plural } from '../../../core/text/text.ts';
import { sequenceDiff, setDiff } from './sequence.ts';
import {
  inline,
  isSensitiveMask,
  quoteIfNeeded,
  splitLines,
  valueLines,
  type Line,
  type ValueLayout,
} from './value.ts';

/** Two different values, and where they are shown. */
interface ValuePair {
  readonly label: string;
  readonly before: Json;
  readonly after: Json;
  readonly depth: number;
}

const SECRET_CHANGED = '(sensitive, changed)';

/** Lines that show how `after` differs from `before`; null is an absent value. */
export function differenceLines(pair: ValuePair, place: ValueLayout): Line[] {
  const { label, before, after, depth } = pair;
  const at: Line = { mark: '~', depth, text: '' };
  if (isSensitiveMask(before) || isSensitiveMask(after)) return [secretLine(pair)];
  if (before === null) return valueLines(label, after, { ...at, mark: '+' }, place);
  if (after === null) return valueLines(label, before, { ...at, mark: '-' }, place);
  if (isList(before) && isList(after)) return listLines(pair, before, after, place);
  if (isObject(before) && isObject(after)) return objectLines(pair, before, after, place);
  if (typeof before === 'string' && typeof after === 'string' && `${before}${after}`.includes('\n'))
    return textDifference(pair, before, after, place);
  return scalarLines(pair, place);
}

function secretLine({ label, before, after, depth }: ValuePair): Line {
  if (after === null) return { mark: '-', depth, text: `${label}: ${SECRET_MASK}` };
  const only = before === null ? SECRET_MASK : SECRET_CHANGED;
  return { mark: before === null ? '+' : '~', depth, text: `${label}: ${only}` };
}

function scalarLines({ label, before, after, depth }: ValuePair, place: ValueLayout): Line[] {
  const text = `${label}: ${inline(before)} → ${inline(after)}`;
  if (columns(text) + 2 * depth + 2 <= place.width) return [{ mark: '~', depth, text }];
  return [
    { mark: '~', depth, text: `${label}:` },
    { mark: '-', depth: depth + 1, text: inline(before) },
    { mark: '+', depth: depth + 1, text: inline(after) },
  ];
}

function listLines(pair: ValuePair, before: readonly Json[], after: readonly Json[], place: ValueLayout): Line[] {
  const old = before.map(canonicalJson);
  const now = after.map(canonicalJson);
  const header: Line = { mark: '~', depth: pair.depth, text: `${pair.label}:` };
  const shown = new Map([...before, ...after].map((item) => [canonicalJson(item), inline(item)]));
  const line = ({ mark, text }: Pick<Line, 'mark' | 'text'>): Line => ({
    mark,
    depth: pair.depth + 1,
    text: shown.get(text) ?? '',
  });
  if (place.ordered) return [header, ...sequenceDiff(old, now).map(line)];
  const { entries, equal } = setDiff(old, now);
  return [header, ...entries.map(line), ...equalLine(equal, 'unchanged item', pair.depth + 1)];
}

function equalLine(count: number, noun: string, depth: number): Line[] {
  return count === 0 ? [] : [{ mark: ' ', depth, text: `… ${plural(count, noun)}` }];
}

function objectLines(pair: ValuePair, before: JsonObject, after: JsonObject, place: ValueLayout): Line[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const lines = keys.flatMap((key) => {
    const sides = { before: before[key] ?? null, after: after[key] ?? null };
    if (sameEntries(sides.before, sides.after)) return [];
    return differenceLines({ label: quoteIfNeeded(key), ...sides, depth: pair.depth + 1 }, place);
  });
  return [{ mark: '~', depth: pair.depth, text: `${pair.label}:` }, ...lines];
}

function textDifference(pair: ValuePair, before: string, after: string, place: ValueLayout): Line[] {
  const entries = sequenceDiff(splitLines(before), splitLines(after));
  const depth = pair.depth + 1;
  const lines: Line[] = [];
  let equal = 0;
  for (const { mark, text } of entries) {
    if (mark === ' ' && !place.full) equal++;
    else {
      lines.push(...equalLine(equal, 'unchanged line', depth), { mark, depth, text: `| ${unescapeText(text)}` });
      equal = 0;
    }
  }
  const changed = entries.some((entry) => entry.mark !== ' ');
  const note = changed ? [] : [{ mark: '~', depth, text: 'only the final line break differs' } as const];
  return [
    { mark: '~', depth: pair.depth, text: `${pair.label}:` },
    ...lines,
    ...equalLine(equal, 'unchanged line', depth),
    ...note,
  ];
}
