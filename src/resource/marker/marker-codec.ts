// Writes the ownership marker into an object's metadata text, and finds it again after people have edited the text (ADR-0003,
// ADR-0017). Says whether it fits (§8). Of stacks it knows only the name.
//
// The user's own text is preserved byte for byte, so the marker is cut out of the text and never parsed and printed again.
// Where it goes depends on what the user wrote:
//
//   the user's text        what is sent
//   (none)                 {"edgeform":{"v":1,…}}
//   {"team": "web"}        {"team": "web","edgeform":{"v":1,…}}
//   owned by web           owned by web
//                          edgeform/v1 {"v":1,…}
//
// Reading turns this round. In the second example, the members of the object are found with their positions: `"team": "web"` at
// 1 to 14, `"edgeform":{…}` from 15. The latter is cut out with the comma before it, and `{"team": "web"}` is left, spaces and
// all. If somebody reformats the text to several lines, only the positions differ.
//
// What counts as a marker is its name: the quoted key `edgeform`, or `edgeform/v`, anywhere. A text that has the name but not
// exactly one readable marker is `markerProblem` and belongs to nobody's guess: the object is left alone and reported, with the
// stacks that its text still names. A text without the name has no marker.

import type { ProblemText } from '../../core/diagnostic.ts';
import { DIGEST_LENGTHS } from '../../core/digest.ts';
import { isObject, tryParseJson, type Json } from '../../core/json.ts';
import { isStackName, parseAddress } from '../../catalog/address.ts';
import { endOfValue, membersOf, type Member } from '../../core/json-text.ts';
import type { Marker, MarkerState } from '../snapshot.ts';
import { METADATA, METADATA_LIMIT } from '../../catalog/fields/common.ts';
import { charLength, plural } from '../../core/text/text.ts';
import type { Kind } from '../../catalog/kind.ts';
import { textLimit } from '../../catalog/text-limits.ts';

const KEY = 'edgeform';
const LINE = 'edgeform/v1 ';

/** The marker in a metadata text, and the user's own text, byte for byte. A damaged marker is removed from it, too. */
type DecodedMetadata = MarkerState & { readonly user: string };

/** Adds the marker to the user's text: as the last member of a JSON object, else as a last line. */
export function writeMarker(user: string, marker: Marker): string {
  const { v, stack, address, applied, protect, replaces, created_by, commit } = marker;
  // In this order; undefined members are left out.
  const text = JSON.stringify({ v, stack, address, applied, protect, replaces, created_by, commit });
  if (user === '') return `{"${KEY}":${text}}`;
  if (user === EMPTY_OBJECT) return `{"${KEY}":${text}${AFTER_EMPTY}}`;
  if (!isObjectText(user)) return `${user}\n${LINE}${text}`;
  const end = user.lastIndexOf('}');
  return `${user.slice(0, end)}${membersOf(user).length === 0 ? '' : ','}"${KEY}":${text}${user.slice(end)}`;
}

const EMPTY_OBJECT = '{}';
/** Follows the marker if the user's text is `{}`, to tell it from an empty text. */
const AFTER_EMPTY = ' ';

/** Splits metadata into marker and user text. Whatever cannot be identified as marker stays in the user text. */
export function readMarker(metadata: string): DecodedMetadata {
  if (isTooLong(metadata)) return unparsed(metadata);
  const marker = metadata.startsWith(OURS_ALONE) ? markerAlone(metadata) : undefined;
  return marker === undefined ? takeMarkers(metadata) : { marker, user: '' };
}

/** True for more than any field of this name can hold, in bytes or characters (§8). */
function isTooLong(metadata: string): boolean {
  return metadata.length > METADATA_LIMIT && charLength(metadata) > METADATA_LIMIT;
}

/** Text that is too long is not parsed; with the name it is marked, whatever else it is. */
function unparsed(metadata: string): DecodedMetadata {
  if (!NAME.test(metadata)) return { marker: undefined, user: metadata };
  const what = `cannot be read, because the text is longer than ${METADATA_LIMIT} characters`;
  return { marker: undefined, markerProblem: { what, stacks: stacksNamedIn(metadata) }, user: metadata };
}

function stacksNamedIn(metadata: string): string[] {
  return [...new Set([...metadata.matchAll(NAMED_STACK)].map(([, name = '']) => name))];
}

/** The beginning of metadata that holds only a marker. */
const OURS_ALONE = `{"${KEY}":{`;

/** Fast path for the common case: the marker of a metadata text that is, byte for byte, what we write without user text. */
function markerAlone(metadata: string): Marker | undefined {
  const text = tryParseJson(metadata);
  const marker = isObject(text) ? markerIn(text[KEY]) : undefined;
  return marker !== undefined && writeMarker('', marker) === metadata ? marker : undefined;
}

/** What counts as a marker is its name: `edgeform` as a quoted key, or `edgeform/v`, anywhere in the text. */
const NAME = /edgeform(?:\/v|\\*["']\s*:)/u;

const NAMED_STACK = /\bstack\\*["']\s*:\s*\\*["']([a-z0-9][a-z0-9-]{0,62})\\*["']/gu;

function takeMarkers(metadata: string): DecodedMetadata {
  if (!NAME.test(metadata)) return { marker: undefined, user: metadata };
  const { found, rest, isOpen } = isObjectText(metadata) ? takeMember(metadata) : takeLine(metadata);
  const [first, second] = found;
  const user = isOpen === true ? metadata : rest;
  if (second === undefined && first?.marker !== undefined && !NAME.test(rest)) return { marker: first.marker, user };
  const problem = { what: whatIsWrong(found, rest), stacks: stacksNamedIn(metadata) };
  return { marker: undefined, markerProblem: problem, user };
}

/** As the end of a sentence about the marker. */
function whatIsWrong([first, second]: readonly Candidate[], rest: string): string {
  const isElsewhere = NAME.test(rest);
  if (first !== undefined && (second !== undefined || isElsewhere)) return 'is there more than once';
  if (isElsewhere) return 'is damaged, or is not where it belongs: a key of the top-level object, or a line of its own';
  const version = first?.version ?? 1;
  return version === 1 ? 'is damaged' : `is of version ${version}, while this edgeform reads version 1`;
}

/** The trace of a marker that a user's text must not contain, if any. */
export function markerTraceIn(user: string): string | undefined {
  return NAME.test(user) ? `has the name of an ownership marker, ${JSON.stringify(NAME.exec(user)?.[0])}` : undefined;
}

/** Text in the place of a marker. */
interface Candidate {
  readonly marker?: Marker | undefined;
  readonly version?: number | undefined;
}

interface Taken {
  readonly found: readonly Candidate[];
  /** The text without the marker. */
  readonly rest: string;
  /** True when a line is not closed, so that nothing below it can be attributed to the user. */
  readonly isOpen?: boolean;
}

function isObjectText(text: string): boolean {
  // Parsing invalid JSON is slow, because it creates an error with a stack trace.
  return /^[ \t\n\r]*\{/.test(text) && isObject(tryParseJson(text));
}

/** The members of a JSON object that are markers. */
function takeMember(text: string): Taken {
  const members = membersOf(text);
  const own = members.filter(({ name }) => name === KEY);
  const found = own.map(({ valueStart, end }) => candidate(text.slice(valueStart, end)));
  return { found, rest: withoutMembers(text, KEY) };
}

function withoutMembers(text: string, name: string): string {
  const members = membersOf(text);
  const member = members.find((one) => one.name === name);
  if (member === undefined) return text;
  const rest = withoutMember(text, members, member);
  return rest === '' ? rest : withoutMembers(rest, name);
}

function withoutMember(text: string, members: readonly Member[], member: Member): string {
  const index = members.indexOf(member);
  const next = members[index + 1];
  if (next !== undefined) return text.slice(0, member.start) + text.slice(next.start);
  const before = members[index - 1];
  if (before !== undefined) return text.slice(0, text.indexOf(',', before.end)) + text.slice(member.end);
  const [head, tail] = [text.slice(0, member.start), text.slice(member.end)];
  // Formatting that was added around the only member is not user text.
  const isReformatted = head.trimEnd() === '{' && tail.trimStart() === '}' && tail !== '}';
  if (head === '{' && tail === `${AFTER_EMPTY}}`) return EMPTY_OBJECT;
  return isReformatted || head + tail === EMPTY_OBJECT ? '' : head + tail;
}

/** The beginning of a marker line, perhaps indented. */
const LINE_START = /^[ \t\u00a0\ufeff]*edgeform\/v(\d+)\s*(?=\{)/gmu;

/** Takes marker lines out of other text; the rest may be a JSON object with another marker. */
function takeLine(text: string): Taken {
  const found: Candidate[] = [];
  let isOpen = false;
  const places: { readonly start: number; readonly end: number }[] = [];
  const lines = new RegExp(LINE_START);
  for (let match = lines.exec(text); match !== null; match = lines.exec(text)) {
    const start = lines.lastIndex;
    const closed = endOfValue(text, start);
    const end = closed ?? text.length;
    const blanks = /^[ \t\u00a0\ufeff]*/u.exec(text.slice(end))?.[0].length ?? 0;
    found.push(candidateOfLine(text.slice(start, end), match[1] ?? '', text.slice(end + blanks)));
    isOpen ||= closed === undefined;
    places.unshift({ start: match.index, end: end + blanks });
    lines.lastIndex = end;
  }
  const rest = places.reduce((left, { start, end }) => withoutLine(left, start, end), text);
  if (found.length === 0 || !isObjectText(rest)) return { found, rest, isOpen };
  const inside = takeMember(rest);
  return { found: [...found, ...inside.found], rest: inside.rest, isOpen };
}

function candidateOfLine(text: string, version: string, after: string): Candidate {
  const made = candidate(text);
  if (version !== '1') return { ...made, marker: undefined };
  return after === '' || /^[\r\n\u2028\u2029]/u.test(after) ? made : {};
}

const LINE_BREAK = '(?:\\r\\n|[\\n\\r\\u2028\\u2029])';

/** Removes a line and its line break; for the last line, the break before it, which we added. */
function withoutLine(text: string, start: number, end: number): string {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  if (after.trim() === '') return before.replace(/[\n\r\u2028\u2029]$/u, '');
  return before + after.replace(new RegExp(`^${LINE_BREAK}`, 'u'), '');
}

function candidate(text: string): Candidate {
  const value = tryParseJson(text);
  if (!isObject(value)) return {};
  const names = membersOf(text).map(({ name }) => name);
  const isClear = new Set(names).size === names.length;
  const { v } = value;
  return { marker: isClear ? markerIn(value) : undefined, version: typeof v === 'number' ? v : undefined };
}

/** The marker in a value of which every member has its form. */
function markerIn(value: Json | undefined): Marker | undefined {
  if (!isObject(value)) return undefined;
  const { v, stack, address, applied = {}, protect, replaces, created_by: by, commit } = value;
  if (v !== 1) return undefined;
  if (typeof stack !== 'string' || !isStackName(stack)) return undefined;
  if (typeof address !== 'string' || parseAddress(address) === undefined || !isDigests(applied)) return undefined;
  if (protect !== undefined && typeof protect !== 'boolean') return undefined;
  if ([replaces, by].some((text) => text !== undefined && typeof text !== 'string')) return undefined;
  return {
    v,
    stack,
    address,
    applied,
    ...(protect === true && { protect }),
    ...(typeof replaces === 'string' && { replaces }),
    ...(typeof by === 'string' && { created_by: by }),
    ...commitIn(commit),
  };
}

function commitIn(value: Json | undefined): Pick<Marker, 'commit'> {
  return typeof value === 'string' && COMMIT.test(value) ? { commit: value } : {};
}

/** Anything else in its place is no commit, and is ignored: what only informs must not make a marker unreadable. */
const COMMIT = /^[0-9a-f]{7,12}$/;

/** As much of a commit as a marker holds. */
const COMMIT_LENGTH = 12;

/** A commit as it stands in markers; undefined for what is none. */
export function commitForMarker(commit: string | undefined): string | undefined {
  const short = commit?.slice(0, COMMIT_LENGTH);
  return short !== undefined && COMMIT.test(short) ? short : undefined;
}

function isDigests(value: Json): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((digest) => typeof digest === 'string');
}

/** Stands for the name of the run that creates an object: there must be room for it. */
const RUN_NAME = 'x'.repeat(DIGEST_LENGTHS.plain);

/** Stands for the commit of the run that writes the marker: whether a text fits must not depend on where it is written from. */
const ANY_COMMIT = '0'.repeat(COMMIT_LENGTH);

/** Why text and marker do not fit; undefined when they do. `isNew` for the marker of an object that is created. */
export function metadataOverflow(
  kind: Kind,
  user: string,
  marker: Marker,
  isNew = false,
): Required<Omit<ProblemText, 'message'>> | undefined {
  const field = kind.fields[METADATA];
  if (field?.type !== 'string') return undefined;
  const { most, unit, measure } = textLimit(field);
  const written = { ...marker, commit: ANY_COMMIT, ...(isNew && { created_by: RUN_NAME }) };
  const used = measure(writeMarker(user, written));
  if (used <= most) return undefined;
  const own = measure(user);
  const left = most - (used - own);
  return {
    expected: `at most ${plural(left, unit)}, because the ownership marker takes the rest of ${most}`,
    got: plural(own, unit),
    fix: `shorten it by ${plural(own - left, unit)}`,
  };
}
