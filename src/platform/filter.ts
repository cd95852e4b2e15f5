// The output filter: every text for a stream or a file passes it, and every spelling of a secret of this run is masked
// (ADR-0019). Knows the structure of JSON documents, HTML pages and manifests, so that masking does not break them.

import type { Span } from '../core/secrets/matcher.ts';
import { isList, isObject, parseJson, type Json } from '../core/json.ts';
import { clearSecrets, secretsOfRun } from '../core/secrets/secret.ts';
import { maskSpans, ownSpans, secretSpans } from '../core/secrets/find-secrets.ts';
import { tryTo } from '../core/try.ts';
import { escapeControlsInJson } from '../core/text/escape-controls.ts';

interface ActiveRun {
  readonly names: (() => Iterable<string>)[];
  /** Sinks where secrets were held back. */
  readonly heldBack: Set<string>;
}

/** Runs under way in this process: one, except in simulations and programs that embed several. */
const runs = new Set<ActiveRun>();

/** Forgets the secrets of earlier runs, unless another run is under way in this process: then both share their secrets. */
export function beginRun() {
  if (runs.size === 0) {
    clearSecrets();
    observedNames.clear();
  }
  const own: ActiveRun = { names: [], heldBack: new Set() };
  runs.add(own);
  return {
    /** Sinks where a secret was held back. */
    heldBack: () => [...own.heldBack].sort(),
    end: () => {
      runs.delete(own);
    },
  };
}

/**
 * Registers names that are never secret: words of our formats, the stack, its addresses. A document keeps them, so that a
 * secret that happens to be a word does not break it. A whole text counts as a name, too, if it has no foreign parts.
 */
export function publishNames(names: () => Iterable<string>): void {
  for (const run of runs) run.names.push(names);
}

/** Names assigned by the service: ids, addresses, unique values. */
const observedNames = new Set<string>();

/** Registers a published name until the run ends. A text with white space is a sentence, not a name. */
export function publishName(text: string): void {
  if (text.length <= MOST_NAME && !/\s/.test(text)) observedNames.add(text);
}

/** Filters text for a program that embeds us, whatever run is under way; keeps the names. */
export function filterFor(names: () => Iterable<string>, text: string): string {
  const run: ActiveRun = { names: [names], heldBack: new Set() };
  runs.add(run);
  try {
    return filterText(text, 'the library');
  } finally {
    runs.delete(run);
  }
}

/** Filters text for a sink. A hit is a bug of ours, and is recorded. */
export function filterText(text: string, sink: string): string {
  const spans = secretSpans(text);
  if (spans.length === 0) return text;
  const safe = maskedAs(text, spans);
  if (safe !== text) for (const run of runs) run.heldBack.add(sink);
  return safe;
}

/**
 * Where a JSON text holds a secret, or undefined. For texts that we read back, which are written byte for byte or not at all;
 * secrets that occur only in objects of others do not prevent that.
 */
export function secretPlace(text: string): string | undefined {
  if (ownSpans(text).length === 0) return undefined;
  const documents = parsedLines(text);
  if (documents === undefined) return 'its text';
  const holds = (value: Json) => typeof value === 'string' && secretsBesideNames(value, ownSpans(value)).length > 0;
  const isSecretName = (name: string) => secretsOfName(name, ownSpans(name)).length > 0;
  for (const [index, json] of documents.entries()) {
    const place = placeOf(json, { holds, isSecretName }, []);
    if (place !== undefined) return documents.length === 1 ? place : `${index + 1}.${place}`;
  }
  return undefined;
}

interface Tests {
  readonly holds: (leaf: Json) => boolean;
  readonly isSecretName: (name: string) => boolean;
}

/** A secret name is left out of the reported place. */
function placeOf(value: Json, tests: Tests, path: readonly string[]): string | undefined {
  if (!isList(value) && !isObject(value)) return tests.holds(value) ? path.join('.') : undefined;
  for (const [key, item] of Object.entries(value)) {
    if (tests.isSecretName(key)) return path.join('.');
    const found = placeOf(item, tests, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function maskedAs(text: string, spans: readonly Span[]): string {
  // One of our own scripts, which a mask would break.
  if (text.endsWith('\n') && allNames().has(text)) return text;
  if (/^\s*<(?:!doctype html|\?xml)/i.test(text)) return maskedPage(text);
  if (NAMED_TEXT.test(text)) return withNames(text);
  if (/^\s*[[{]/.test(text) && parsedLines(text) !== undefined) return maskedJson(text);
  return maskSpans(text, besideFrames(text, spans));
}

/** A manifest, or a graph in Mermaid or DOT. */
const NAMED_TEXT = /^(?:# yaml-language-server:|graph TD\n|digraph ")/;

/** CI log syntax: commands, property names and positions. */
const FRAMES = [
  /^::(?:group|endgroup|error|warning)(?=::| |$)/gm,
  /(?<=^::(?:error|warning) (?:(?!::)[^\n])*)(?<=[ ,])(?:file|title|line|col)=(?:(?<=(?:line|col)=)\d+)?/gm,
  /(?<=\[0K)section_(?:start|end):0:edgeform_step_\d+(?:\[collapsed=true\])?(?=\r)/g,
];

/** The parts of the spans outside frames. */
function besideFrames(text: string, spans: readonly Span[]): readonly Span[] {
  if (!/^::|\[0Ksection_/m.test(text)) return spans;
  const frames = FRAMES.flatMap((frame) => [...text.matchAll(frame)]);
  return frames.reduce(
    (left: readonly Span[], { index, 0: { length } }) =>
      left.flatMap(({ start, end }) =>
        start >= index + length || end <= index
          ? [{ start, end }]
          : [
              { start, end: index },
              { start: index + length, end },
            ].filter((part) => part.start < part.end),
      ),
    spans,
  );
}

/** One JSON document, or one per line. */
function parsedLines(text: string): Json[] | undefined {
  return (
    tryTo(() => [parseJson(text)]) ??
    tryTo(() => text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseJson(line)])))
  );
}

/**
 * Masks strings and user-chosen keys; our own keys are needed for the format. Numbers are never secret here, because a secret
 * number is a `Secret`.
 */
function maskedJson(text: string): string {
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const open = text.indexOf('"', from);
    parts.push(text.slice(from, open < 0 ? undefined : open));
    if (open < 0) break;
    from = endOfLiteral(text, open);
    const literal = text.slice(open, from);
    parts.push(maskedLiteral(literal, isKey(text, from) ? maskedName : withNames));
  }
  return parts.join('');
}

function endOfLiteral(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '"') return at + 1;
  }
  return text.length;
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (' \t\r\n'.includes(text[at] ?? '-')) at += 1;
  return text[at] === ':';
}

function maskedLiteral(literal: string, mask: (text: string) => string): string {
  const value = String(parseJson(literal));
  const safe = mask(value);
  return safe === value ? literal : escapeControlsInJson(JSON.stringify(safe));
}

/** Masks text between tags, and attributes that show text or link somewhere. The rest of a page is ours. */
function maskedPage(text: string): string {
  const inside = (part: string) => maskSpans(part, secretSpans(part));
  const shown = text.startsWith('<?xml') ? /( (?:name|classname|message)=")([^"]*)/g : /( (?:id|href|title)=")([^"]*)/g;
  return text.replace(
    /<style>[^<]*<\/style>|<script>[^<]*<\/script>|<meta[^>]*>|(<[^>]*>)|[^<]+/g,
    (part: string, tag: string | undefined) => {
      if (tag !== undefined) return tag.replace(shown, (_, name: string, value: string) => `${name}${inside(value)}`);
      return part.startsWith('<') ? part : inside(part);
    },
  );
}

/** Masked, except published names. */
function withNames(text: string): string {
  return maskSpans(text, secretsBesideNames(text, secretSpans(text)));
}

function maskedName(name: string): string {
  return maskSpans(name, secretsOfName(name, secretSpans(name)));
}

/** A shorter secret may be part of any name by chance. */
const SHORTEST_IN_NAME = 8;

function secretsOfName(name: string, spans: readonly Span[]): readonly Span[] {
  return secretsBesideNames(name, spans).filter(({ start, end }) => end - start >= SHORTEST_IN_NAME);
}

function secretsBesideNames(text: string, spans: readonly Span[]): readonly Span[] {
  if (spans.length === 0) return spans;
  const names = allNames();
  const isPublished = (one: string) => names.has(one) || (observedNames.has(one) && !secretsOfRun().isOurs.has(one));
  return spans.filter((span) => !isName(text, span, isPublished));
}

/** Cache: all names of the sources that were asked. */
let namesRead: { readonly from: readonly (() => Iterable<string>)[]; readonly set: ReadonlySet<string> } = {
  from: [],
  set: new Set(),
};

function allNames(): ReadonlySet<string> {
  const from = [...runs].flatMap((run) => run.names);
  const isSame = from.length === namesRead.from.length && from.every((names, index) => names === namesRead.from[index]);
  if (!isSame) namesRead = { from, set: new Set(from.flatMap((names) => [...names()])) };
  return namesRead.set;
}

/** Digests and timestamps: letters and digits that match only by chance. */
const NO_WORDS = /^(?:sha256:)?[0-9a-f]{32,64}$|^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function isName(text: string, { start, end }: Span, isPublished: (text: string) => boolean): boolean {
  if (isPublished(text) || NO_WORDS.test(text)) return true;
  const before = text.slice(Math.max(0, start - MOST_NAME), start);
  const behind = text.slice(end, end + MOST_NAME);
  // A hostport, a path or an id in a sentence.
  const token = `${/[^\s"'`,;()]*$/.exec(before)?.[0] ?? ''}${text.slice(start, end)}${/^[^\s"'`,;()]*/.exec(behind)?.[0] ?? ''}`;
  if (isPublished(token) || isPublished(token.replace(/[.:]$/, ''))) return true;
  const from = start - (/[\w.-]*$/.exec(before)?.[0].length ?? 0);
  const word = text.slice(from, end + (/^[\w.-]*/.exec(behind)?.[0].length ?? 0));
  if (NO_WORDS.test(word)) return true;
  // `kind.name.field.inner`: an address with a path, or a single name.
  const segments = word.split('.');
  let at = from;
  return segments.some((segment, index) => {
    const isInside = start >= at && end <= at + segment.length;
    at += segment.length + 1;
    return (isInside && isPublished(segment)) || (end < at && isPublished(segments.slice(0, index + 1).join('.')));
  });
}

const MOST_NAME = 256;
