// `without`: what a block, or the top of an overlay, drops of all that lies below it. A path that drops nothing is a mistake: it is
// misspelled, is there twice, or what it names is gone already.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { isList, type Json } from '../../core/json.ts';
import { WITHOUT } from '../../catalog/reuse-keys.ts';
import { buildSourceMap, type Drop } from '../source-map.ts';
import type { ParsedFile } from '../text/parse.ts';
import { pathKey, UnknownValues } from '../unknown-values.ts';
import { cutsOf, NO_CUTS, type Cuts, type DroppedPath } from './cuts.ts';
import { complain, type ValueInFile } from './judging.ts';
import type { Reuse } from './reuse-problems.ts';

/** What the entries of `without` at a block, or at the top of an overlay, drop. */
export function cutsFrom(
  given: Json,
  { file, path: place }: ValueInFile,
  { mayDropNothing }: Pick<DroppedPath, 'mayDropNothing'>,
  reuse: Reuse,
): Cuts {
  const path = [...place, WITHOUT];
  if (file.unknownValues.has(path)) return NO_CUTS;
  if (!isList(given)) {
    complain(reuse, { file, path }, 'wrong-type', { ...NOT_PATHS, message: 'without is not a list of paths' });
    return NO_CUTS;
  }
  const dropped = given.flatMap((text, index): DroppedPath[] => {
    const at = [...path, String(index)];
    if (file.unknownValues.has(at)) return [];
    if (typeof text !== 'string' || text === '') {
      complain(reuse, { file, path: at }, 'wrong-type', { ...NOT_PATHS, message: 'this is not a path' });
      return [];
    }
    const segments = text.split('.');
    const target = [...place, ...segments];
    return [{ file, place: at, text, path: segments, target, mayDropNothing, hasDropped: false }];
  });
  for (const entry of dropped) reuse.drops.push(entry);
  return cutsOf(dropped);
}

const NOT_PATHS = { expected: 'a list of paths, such as [oauth.provider.github.teams]', fix: 'write without: [PATH]' };

/** An error for each entry that drops nothing, unless what it names may be in a part that is not known. */
export function dropsNothing({ drops }: Reuse, plain: readonly ParsedFile[]): Diagnostic[] {
  const wrong = drops.filter(({ hasDropped, mayDropNothing }) => !hasDropped && !mayDropNothing);
  if (wrong.length === 0) return [];
  const unknown = new UnknownValues(() => false);
  for (const { unknownValues } of plain) unknown.takeOver(unknownValues, (path) => ({ path, isThere: false }));
  return wrong
    .filter(({ target }) => !unknown.mayHave(target))
    .map(({ file, place, text }) =>
      buildSourceMap([file]).error('bad-without', place, {
        message: `${JSON.stringify(text)} drops nothing`,
        fix: 'name a path that a preset, or the manifest below an overlay, has; or remove it',
      }),
    );
}

/** Which entry has dropped a path of the plain manifest. */
export function dropsByTarget({ drops }: Reuse): ReadonlyMap<string, Drop> {
  return new Map(
    drops
      .filter(({ hasDropped }) => hasDropped)
      .map(({ file, place, text, target }) => [
        pathKey(target),
        { text, range: () => buildSourceMap([file]).value(place) },
      ]),
  );
}
