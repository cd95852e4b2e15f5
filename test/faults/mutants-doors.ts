// Seeded mistakes that are made from what is there: the output filter passed by at one of its calls, and entries of the journal with any
// text. What is added to either is seeded with the same commit.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant, Tests, Worlds } from './mutants.ts';
import { countCalls, rowNames, sourceOf } from './mutation.ts';

/** A journal whose entries may have any text in one of their places. */
function withoutForms(root: string): Mutant[] {
  const file = 'journal/check-values.ts';
  return rowNames(sourceOf(root, { file }), file, 'FORMS').map((place): Mutant => ({
    name: `any text at ${place} of an entry`,
    file,
    find: { value: `FORMS.${place}` },
    to: '() => true',
    tests: ['journal/check-values.test.ts'],
  }));
}

/** What stands between a text and its sink: a function, and what is left of its call when it is passed by. */
interface Door {
  readonly call: string;
  /** The only file in which this name means the door; all but those of `base/` and of other rows when missing. */
  readonly file?: string;
  readonly to: string;
  readonly by: Worlds | Tests;
}

const SINKS = { tests: ['cli/sinks.test.ts'] };
const BOUNDS = { tests: ['core/bounds.test.ts'] };
const WORDS = { tests: ['commands/unexpected-error.test.ts'] };

const DOORS: readonly Door[] = [
  { call: 'filtered', to: '$0', by: SINKS },
  { call: 'filtered', file: 'index.ts', to: '$0', by: { tests: ['library/safety.test.ts'] } },
  { call: 'filtered', file: 'commands/shell/unexpected-error.ts', to: '$0', by: SINKS },
  { call: 'filteredSink', to: '{ ...$0, flush: () => undefined }', by: SINKS },
  { call: 'sealedFiles', to: '$0', by: SINKS },
  { call: 'filteredFiles', to: '$0', by: SINKS },
  { call: 'sealed', to: '$0', by: SINKS },
  // What is cut is masked before.
  { call: 'mask', file: 'core/bounds.ts', to: '$0', by: BOUNDS },
  { call: 'mask', file: 'render/markdown/markdown.ts', to: '$0', by: { tests: ['render/bounds.test.ts'] } },
  { call: 'holds', file: 'export/names.ts', to: 'false', by: { tests: ['resource/known-secrets.test.ts'] } },
  { call: 'mask', file: 'commands/shell/unexpected-error.ts', to: '$0', by: WORDS },
  { call: 'mask', file: 'platform/filter.ts', to: '$0', by: { tests: ['platform/filtered-files.test.ts'] } },
  { call: 'mask', file: 'render/formats/markdown.ts', to: '$0', by: { tests: ['render/marker.test.ts'] } },
  { call: 'mask', to: '$0', by: { tests: ['service/http/describe-response.test.ts', 'service/reading.test.ts'] } },
];

function passedBy(root: string): Mutant[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return DOORS.flatMap(({ call, file, to, by }) => {
    const others = DOORS.flatMap((door) => (door.call === call && door.file !== undefined ? [door.file] : []));
    const own =
      file === undefined ? files.filter((name) => !/^base[/\\]/.test(name) && !others.includes(name)) : [file];
    const found = own.sort().flatMap((name) => {
      const count = countCalls(sourceOf(root, { file: name }), name, call);
      return Array.from({ length: count }, (_, nth): Mutant => ({
        name: `a text past ${call}, call ${nth + 1} in ${name}`,
        file: name,
        find: { call, nth },
        to,
        ...by,
      }));
    });
    if (found.length === 0) throw new Error(`nothing calls ${call}`);
    return found;
  });
}

/** Mistakes at both, from the sources below a folder. */
export function doorMutants(root: string): readonly Mutant[] {
  return [...passedBy(root), ...withoutForms(root)];
}
