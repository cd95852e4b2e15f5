// Accepted drift → the files of the manifest as they would be. Writes nothing.
//
// Each value is looked for in the text of its block. What a preset, an overlay or a pipe brings has no such place, and is left
// out. Then the manifest is loaded again with the new texts: it must say exactly what was wanted, or what does not is left out, too;
// and of what is not valid together, as little as possible is left out.

import type { Diagnostic } from '../core/diagnostic.ts';
import { groupBy } from '../core/group.ts';
import { canonicalJson, isObject, type Json, type JsonObject, type Path } from '../core/json.ts';
import { valueAt } from '../core/value.ts';
import type { ManifestResult } from '../manifest/load.ts';
import { parseDocuments } from '../manifest/text/parse.ts';
import type { SourceMap } from '../manifest/source-map.ts';
import { pathKey } from '../manifest/unknown-values.ts';
import { keepValid, type Tried, type Why } from './keep-valid.ts';
import type { LeftOut, Reason } from './reasons.ts';
import { editText } from './text/edit-text.ts';
import type { Refused } from './text/editing.ts';
import { leftOut, wantedEdits, type Asked, type Edit } from './wanted.ts';
import { withValues } from './with-value.ts';

/** A file of the manifest, without its byte order mark. */
export interface ManifestText {
  readonly name: string;
  readonly text: string;
  /** Why it is not written, whatever it says. */
  readonly whyKept?: Reason | undefined;
}

interface AcceptInput extends Asked {
  /** Without overlays. */
  readonly files: readonly ManifestText[];
  /** The manifest with these texts in place of its files. */
  readonly reload: (
    files: readonly Pick<ManifestText, 'name' | 'text'>[],
  ) => Pick<ManifestResult, 'plain' | 'diagnostics'>;
}

export interface Acceptance {
  readonly accepted: readonly AcceptedEdit[];
  readonly left: readonly LeftOut[];
  /** Those that change. */
  readonly files: readonly ChangedFile[];
}

interface AcceptedEdit {
  readonly edit: Edit;
  readonly file: string;
}

export interface ChangedFile {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** What to write so that the manifest asks for what was accepted, and what cannot be written. */
export function acceptDrift(input: AcceptInput): Acceptance {
  const { sourceMap } = input;
  const wanted = wantedEdits(input);
  const sources = input.files.map((file) => ({ ...file, json: jsonOf(file) }));
  const places = wanted.edits.map((edit) => ({ edit, file: placeOf(edit, sources, input) }));
  const left = [
    ...wanted.left,
    ...places.flatMap(({ edit, file }) => (typeof file === 'string' ? [leftOut(edit, file, sourceMap)] : [])),
  ];
  const sourceOf = new Map(
    places.flatMap(({ edit, file }) => (typeof file === 'string' ? [] : [[edit, file] as const])),
  );
  const tryWith = (edits: readonly Edit[]) => layIn(withFiles(edits, sourceOf), input);
  const { kept, left: unwritable } = keepValid([...sourceOf.keys()], tryWith);
  for (const [edit, why] of unwritable) left.push(leftOutFor(edit, why, sourceMap));
  const placed = withFiles(kept, sourceOf);
  const accepted = placed.map(({ edit, file }) => ({ edit, file: file.name }));
  return { accepted, left, files: changedFiles(editFiles(placed, input)) };
}

function leftOutFor(edit: Edit, { reason, problem }: Why, sourceMap: SourceMap): LeftOut {
  const found = leftOut(edit, reason, sourceMap);
  return problem === undefined ? found : { ...found, message: `${found.message}: ${problem.message}` };
}

function withFiles(edits: readonly Edit[], sourceOf: ReadonlyMap<Edit, Source>): PlacedEdit[] {
  return edits.flatMap((edit) => {
    const file = sourceOf.get(edit);
    return file === undefined ? [] : [{ edit, file }];
  });
}

interface Source extends ManifestText {
  readonly json: Json;
}

interface PlacedEdit {
  readonly edit: Edit;
  readonly file: Source;
}

function jsonOf({ name, text }: ManifestText): Json {
  return parseDocuments(name, text)[0].json;
}

/** The file of its block, or why it is not written there. */
function placeOf(edit: Edit, sources: readonly Source[], input: AcceptInput): Source | Reason {
  const place = fileOf(edit, sources, input);
  return typeof place === 'string' ? place : (edit.lastReason ?? place);
}

function fileOf({ path, value }: Edit, sources: readonly Source[], input: AcceptInput): Source | Reason {
  const source = sources.find(({ json }) => valueAt(json, path.slice(0, 2)) !== undefined);
  if (source === undefined) return 'overlay';
  if (source.whyKept !== undefined) return source.whyKept;
  const isThere = valueAt(source.json, path) !== undefined;
  if (isThere || valueAt(input.document, path) === undefined) return isThere || value !== undefined ? source : 'form';
  return whereFrom(path, input);
}

/** Whether a preset or an overlay brings it. */
function whereFrom(path: Path, { sourceMap }: Pick<Asked, 'sourceMap'>): Reason {
  return sourceMap.isOfPreset(path) ? 'preset' : 'overlay';
}

function layIn(placed: readonly PlacedEdit[], input: AcceptInput): Tried {
  const edited = editFiles(placed, input);
  const files = changedFiles(edited);
  const failed = new Map(edited.flatMap((result) => [...result.failed]));
  if (failed.size > 0 || files.length === 0) return { failed, problems: [] };
  const edits = placed.map(({ edit }) => edit);
  return loadedAgain(edits, files, input);
}

function editFiles(placed: readonly PlacedEdit[], { files }: AcceptInput): EditedFile[] {
  const editsByFile = groupBy(placed, ({ file }) => file.name);
  return files.flatMap(({ name }) => {
    const own = editsByFile.get(name) ?? [];
    const edits = own.map(({ edit }) => edit);
    return own.slice(0, 1).map(({ file }) => editFile(file, edits));
  });
}

function changedFiles(edited: readonly EditedFile[]): ChangedFile[] {
  return edited.map(({ file }) => file).filter(({ before, after }) => after !== before);
}

interface EditedFile {
  readonly file: ChangedFile;
  readonly failed: ReadonlyMap<Edit, Reason>;
}

/**
 * One file with all its edits; where it cannot have all, those that it cannot have are noted. What refuses them is named for all at
 * once, so that the text is edited a few times, and not once for each.
 */
function editFile(file: Source, edits: readonly Edit[]): EditedFile {
  const { name, text: before } = file;
  const edited = editText(file, wantedJson(file.json, edits));
  if (edited.text !== undefined) return { file: { name, before, after: edited.text }, failed: new Map() };
  const failed = failedOf(edits, edited.refused);
  if (failed.size > 0) return editedWithout(failed, edits, file);
  const [only, another] = edits;
  if (only === undefined) return { file: { name, before, after: before }, failed };
  if (another === undefined) return { file: { name, before, after: before }, failed: new Map([[only, 'form']]) };
  return editedInHalves(file, edits);
}

/** The edits in, above or below what refuses them. */
function failedOf(edits: readonly Edit[], refused: readonly Refused[]): Map<Edit, Reason> {
  const reasons = new Map<string, Reason>();
  const above = new Map<string, Reason>();
  for (const { path, reason } of refused) {
    reasons.set(pathKey(path), reason);
    for (let length = 0; length < path.length; length++) above.set(pathKey(path.slice(0, length)), reason);
  }
  const reasonOf = ({ path }: Edit) => {
    const around = path.map((_, index) => reasons.get(pathKey(path.slice(0, index + 1))));
    return around.find((reason) => reason !== undefined) ?? above.get(pathKey(path)) ?? reasons.get(pathKey([]));
  };
  return new Map(
    edits.flatMap((edit): [Edit, Reason][] => {
      const reason = reasonOf(edit);
      return reason === undefined ? [] : [[edit, reason]];
    }),
  );
}

function editedWithout(failed: ReadonlyMap<Edit, Reason>, edits: readonly Edit[], file: Source): EditedFile {
  const kept = edits.filter((edit) => !failed.has(edit));
  const rest = editFile(file, kept);
  return { file: rest.file, failed: new Map([...failed, ...rest.failed]) };
}

/** Where nobody knows which of them the text cannot have. */
function editedInHalves(file: Source, edits: readonly Edit[]): EditedFile {
  const middle = edits.length >>> 1;
  const first = editFile(file, edits.slice(0, middle));
  const text = first.file.after;
  const second = editFile({ ...file, text, json: jsonOf({ ...file, text }) }, edits.slice(middle));
  const { name, text: before } = file;
  return { file: { name, before, after: second.file.after }, failed: new Map([...first.failed, ...second.failed]) };
}

function wantedJson(json: Json, edits: readonly Edit[]): JsonObject {
  const wanted = withValues(json, edits);
  return isObject(wanted) ? wanted : {};
}

/** What the manifest would not say once it has the texts, and what would be wrong with it. */
function loadedAgain(edits: readonly Edit[], files: readonly ChangedFile[], input: AcceptInput): Tried {
  const texts = new Map(files.map(({ name, after }) => [name, after]));
  const again = input.reload(input.files.map(({ name, text }) => ({ name, text: texts.get(name) ?? text })));
  const { document, sourceMap } = again.plain;
  const wanted = wantedJson(input.document, edits);
  const isKept = ({ path }: Edit) => same(valueAt(document, path), valueAt(wanted, path));
  const failed = new Map<Edit, Reason>(
    edits.filter((edit) => !isKept(edit)).map((edit) => [edit, whereFrom(edit.path, again.plain)]),
  );
  const problems = again.diagnostics.filter(isError);
  if (failed.size > 0 || problems.length > 0) return { failed, problems, sourceMap };
  return { failed: same(document, wanted) ? failed : allOf(edits, 'form'), problems, sourceMap };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

function allOf(edits: readonly Edit[], reason: Reason): Map<Edit, Reason> {
  return new Map(edits.map((edit) => [edit, reason]));
}

function same(one: Json | undefined, other: Json | undefined): boolean {
  return one === undefined || other === undefined ? one === other : canonicalJson(one) === canonicalJson(other);
}
