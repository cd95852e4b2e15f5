// The output filter: every text for a stream or a file passes it, and whatever spells a secret of this run becomes a
// mask (ADR-0019). Knows what a JSON document, a page and a manifest are made of, so that it breaks none of them.

import type { Span } from '../core/secrets/matcher.ts';
import { isList, isObject, parseJson, type Json } from '../core/json.ts';
import { clearSecrets, secretsOfRun } from '../core/secrets/secret.ts';
import { maskSpans, ownSpans, secretSpans } from '../core/secrets/find-secrets.ts';
import { tryTo } from '../core/try.ts';
import { escapeControlsInJson } from '../core/text/escape-controls.ts';

interface ActiveRun {
  readonly names: (() => Iterable<string>)[];
  /** Where secrets were held back. */
  readonly heldBack: Set<string>;
}

/** Runs under way in this process: one, but for simulations and programs that embed several. */
const runs = new Set<ActiveRun>();

/** Forgets the secrets of runs before, unless another run is under way in this process: then both know those of both. */
export function beginRun() {
  if (runs.size === 0) {
    clearSecrets();
    observedNames.clear();
  }
  const own: ActiveRun = { names: [], heldBack: new Set() };
  runs.add(own);
  return {
    /** Sinks that a secret was held back from. */
    heldBack: () => [...own.heldBack].sort(),
    end: () => {
      runs.delete(own);
    },
  };
}

/**
 * Names that are no secret whatever else is one: words of our formats, the stack, its addresses. Where a document says
 * such a name it stays, so that a secret that happens to be a word does not break the document. A whole text is a name,
 * too, where nothing in it is anybody else's.
 */
export function publishNames(names: () => Iterable<string>): void {
  for (const run of runs) run.names.push(names);
}

/** Names that the service gave: ids, addresses, values that only one object may hold. */
const observedNames = new Set<string>();

/** Makes a text a published name until the run ends; one with white space in it is a sentence, and no name. */
export function publishName(text: string): void {
  if (text.length <= MOST_NAME && !/\s/.test(text)) observedNames.add(text);
}

/** The text as it may be given to a program that embeds us, whatever run is under way; the names stay. */
export function filterFor(names: () => Iterable<string>, text: string): string {
  const run: ActiveRun = { names: [names], heldBack: new Set() };
  runs.add(run);
  try {
    return filterText(text, 'the library');
  } finally {
    runs.delete(run);
  }
}

/** The text as it may be written to the sink. A hit is a mistake of ours, and is remembered. */
export function filterText(text: string, sink: string): string {
  const spans = secretSpans(text);
  if (spans.length === 0) return text;
  const safe = maskedAs(text, spans);
  if (safe !== text) for (const run of runs) run.heldBack.add(sink);
  return safe;
}

/**
 * Where a JSON text that is read back by us holds a secret, or undefined. It has to be written byte for byte or not at
 * all; so what only an object of somebody else holds is no reason not to write it.
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

/** A name that is a secret is no part of the place that is told. */
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
  // A script of ours alone, which would not run with a mask in it.
  if (text.endsWith('\n') && allNames().has(text)) return text;
  if (/^\s*<(?:!doctype html|\?xml)/i.test(text)) return maskedPage(text);
  if (NAMED_TEXT.test(text)) return withNames(text);
  if (/^\s*[[{]/.test(text) && parsedLines(text) !== undefined) return maskedJson(text);
  return maskSpans(text, besideFrames(text, spans));
}

/** A manifest, or a graph in one of its languages. */
const NAMED_TEXT = /^(?:# yaml-language-server:|graph TD\n|digraph ")/;

/** What CI systems read in a log: their commands, the names of properties, and positions. */
const FRAMES = [
  /^::(?:group|endgroup|error|warning)(?=::| |$)/gm,
  /(?<=^::(?:error|warning) (?:(?!::)[^\n])*)(?<=[ ,])(?:file|title|line|col)=(?:(?<=(?:line|col)=)\d+)?/gm,
  /(?<=\[0K)section_(?:start|end):0:edgeform_step_\d+(?:\[collapsed=true\])?(?=\r)/g,
];

/** The parts of the spans that are not in a frame. */
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

/** One JSON document, or one in each line. */
function parsedLines(text: string): Json[] | undefined {
  return (
    tryTo(() => [parseJson(text)]) ??
    tryTo(() => text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseJson(line)])))
  );
}

/**
 * Texts are masked, and names that somebody chose: with other keys of ours it would be another document. A number that is
 * secret never was a number here, because its value is a `Secret`.
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

/** Text between tags, and the attributes that show or lead somewhere. Everything else of a page is ours. */
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

/** Masked but for the names that have been published. */
function withNames(text: string): string {
  return maskSpans(text, secretsBesideNames(text, secretSpans(text)));
}

function maskedName(name: string): string {
  return maskSpans(name, secretsOfName(name, secretSpans(name)));
}

/** Shorter parts of a name may be a part of any other. */
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

/** All names of the sources that were asked. */
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

/** Digests and times: letters and figures that happen to be next to each other. */
const NO_WORDS = /^(?:sha256:)?[0-9a-f]{32,64}$|^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function isName(text: string, { start, end }: Span, isPublished: (text: string) => boolean): boolean {
  if (isPublished(text) || NO_WORDS.test(text)) return true;
  const before = text.slice(Math.max(0, start - MOST_NAME), start);
  const behind = text.slice(end, end + MOST_NAME);
  // A hostport, a path or an id among words.
  const token = `${/[^\s"'`,;()]*$/.exec(before)?.[0] ?? ''}${text.slice(start, end)}${/^[^\s"'`,;()]*/.exec(behind)?.[0] ?? ''}`;
  if (isPublished(token) || isPublished(token.replace(/[.:]$/, ''))) return true;
  const from = start - (/[\w.-]*$/.exec(before)?.[0].length ?? 0);
  const word = text.slice(from, end + (/^[\w.-]*/.exec(behind)?.[0].length ?? 0));
  if (NO_WORDS.test(word)) return true;
  // `kind.name.field.inner`: an address with what follows it, or one name among others.
  const segments = word.split('.');
  let at = from;
  return segments.some((segment, index) => {
    const isInside = start >= at && end <= at + segment.length;
    at += segment.length + 1;
    return (isInside && isPublished(segment)) || (end < at && isPublished(segments.slice(0, index + 1).join('.')));
  });
}

const MOST_NAME = 256;
