// Accepted drift → the files of the manifest as they would be. Writes nothing.
//
// Each value is looked for in the text of its block, or goes into the last overlay. What a preset or a pipe brings has no such place,
// and is left out. Then the manifest is loaded again with the new texts: it must say exactly what was wanted, or what does not is left
// out, too; and of what is not valid together, as little as possible is left out.

import type { Diagnostic } from '../core/diagnostic.ts';
import { groupBy } from '../core/group.ts';
import { canonicalJson, type Json, type Path } from '../core/json.ts';
import { valueAt } from '../core/value.ts';
import type { ManifestResult } from '../manifest/load.ts';
import type { SourceMap } from '../manifest/source-map.ts';
import { pathKey } from '../manifest/unknown-values.ts';
import { splitText } from '../manifest/values/expression.ts';
import { keepValid, type Tried, type Why } from './keep-valid.ts';
import type { LeftOut, Reason } from './reasons.ts';
import { documentWith, sourceOfFile, sourceOfOverlay, type ManifestText, type Source } from './source.ts';
import { editText } from './text/edit-text.ts';
import type { Refused } from './text/editing.ts';
import { leftOut, wantedEdits, type Asked, type Edit } from './wanted.ts';

interface Texts<Text = Pick<ManifestText, 'name' | 'text'>> {
  /** Without overlays. */
  readonly files: readonly Text[];
  /** Files that are laid over them, in this order. */
  readonly overlays: readonly Text[];
}

interface AcceptInput extends Asked, Texts<ManifestText> {
  /** The manifest with these texts in place of its own. */
  readonly reload: (texts: Texts) => Pick<ManifestResult, 'plain' | 'diagnostics'>;
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
  const sources = sourcesOf(input);
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

interface PlacedEdit {
  readonly edit: Edit;
  readonly file: Source;
}

/** The files in which a value may be written: with overlays, what other environments read stays as it is. */
function sourcesOf({ files, overlays, reload, document }: AcceptInput): Source[] {
  const last = overlays.at(-1);
  if (last !== undefined) {
    const below = reload({ files, overlays: overlays.slice(0, -1) }).plain.document;
    return [sourceOfOverlay(last, below)];
  }
  const whyKept = isForEnvironments(document) ? 'other-environments' : undefined;
  return files.map((file) => sourceOfFile({ ...file, whyKept: file.whyKept ?? whyKept }));
}

/** One text for several stacks: the name of its stack holds a variable. */
function isForEnvironments(document: Json): boolean {
  const stack = valueAt(document, ['stack']);
  return typeof stack === 'string' && splitText(stack).some(({ type }) => type === 'variable');
}

/** The file of its block, or why it is not written there. */
function placeOf(edit: Edit, sources: readonly Source[], input: AcceptInput): Source | Reason {
  const place = fileOf(edit, sources, input);
  return typeof place === 'string' ? place : (edit.lastReason ?? place);
}

function fileOf({ path, value }: Edit, sources: readonly Source[], { document, sourceMap }: AcceptInput) {
  const source = sources.find((one) => one.mayHave(path));
  if (source === undefined) return 'form';
  if (source.whyKept !== undefined) return source.whyKept;
  if (source.has(path)) return source;
  if (valueAt(document, path) !== undefined) return sourceMap.isOfPreset(path) ? 'preset' : source;
  return value === undefined ? 'form' : source;
}

function layIn(placed: readonly PlacedEdit[], input: AcceptInput): Tried {
  const edited = editFiles(placed, input);
  const files = changedFiles(edited);
  const failed = new Map(edited.flatMap((result) => [...result.failed]));
  if (failed.size > 0 || files.length === 0) return { failed, problems: [] };
  const edits = placed.map(({ edit }) => edit);
  return loadedAgain(edits, files, input);
}

function editFiles(placed: readonly PlacedEdit[], { files, overlays }: AcceptInput): EditedFile[] {
  const editsByFile = groupBy(placed, ({ file }) => file.name);
  return [...files, ...overlays].flatMap(({ name }) => {
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
  const edited = editText(file, file.wanted(edits));
  if (edited.text !== undefined) return { file: { name, before, after: edited.text }, failed: new Map() };
  const failed = failedOf(edits, edited.refused, file);
  if (failed.size > 0) return editedWithout(failed, edits, file);
  const [only, another] = edits;
  if (only === undefined) return { file: { name, before, after: before }, failed };
  if (another === undefined) return { file: { name, before, after: before }, failed: new Map([[only, 'form']]) };
  return editedInHalves(file, edits);
}

/** The edits in, above or below what refuses them. */
function failedOf(edits: readonly Edit[], refused: readonly Refused[], { pathsOf }: Source): Map<Edit, Reason> {
  const reasons = new Map<string, Reason>();
  const above = new Map<string, Reason>();
  for (const { path, reason } of refused) {
    reasons.set(pathKey(path), reason);
    for (let length = 0; length < path.length; length++) above.set(pathKey(path.slice(0, length)), reason);
  }
  const reasonAt = (path: Path) => {
    const around = path.map((_, index) => reasons.get(pathKey(path.slice(0, index + 1))));
    return around.find((reason) => reason !== undefined) ?? above.get(pathKey(path)) ?? reasons.get(pathKey([]));
  };
  const reasonOf = (edit: Edit) =>
    pathsOf(edit)
      .map(reasonAt)
      .find((reason) => reason !== undefined);
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
  const second = editFile(file.withText(text), edits.slice(middle));
  const { name, text: before } = file;
  return { file: { name, before, after: second.file.after }, failed: new Map([...first.failed, ...second.failed]) };
}

/** What the manifest would not say once it has the texts, and what would be wrong with it. */
function loadedAgain(edits: readonly Edit[], files: readonly ChangedFile[], input: AcceptInput): Tried {
  const texts = new Map(files.map(({ name, after }) => [name, after]));
  const changed = ({ name, text }: ManifestText) => ({ name, text: texts.get(name) ?? text });
  const again = input.reload({ files: input.files.map(changed), overlays: input.overlays.map(changed) });
  const { document, sourceMap } = again.plain;
  const wanted = documentWith(input.document, edits);
  const isKept = ({ path }: Edit) => same(valueAt(document, path), valueAt(wanted, path));
  const failed = new Map<Edit, Reason>(
    edits.filter((edit) => !isKept(edit)).map((edit) => [edit, sourceMap.isOfPreset(edit.path) ? 'preset' : 'form']),
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
