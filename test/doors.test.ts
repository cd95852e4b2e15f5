// What tests may import from src: doors, behind which a room can change without any test. The names that are no doors yet are listed, too,
// and that list only gets shorter (doors.json).

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import listed from './doors.json' with { type: 'json' };

/** Never raise them: a test of a new function goes through a door, and a test that is deleted takes its names out of the list. */
const MOST_NOT_YET = 657;
const MOST_DOORS = 138;

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SRC = resolve(HERE, '../src');
const IMPORT = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'(\.[^']+)'/g;

type Names = Readonly<Record<string, readonly string[]>>;

/** The doors of a folder of src, for those who look for one. */
function doorsOf(folder: string): string[] {
  return namesIn(listed.doors).filter((name) => name.startsWith(`${folder}/`));
}

function namesIn(list: Names): string[] {
  return Object.entries(list).flatMap(([file, names]) => names.map((name) => `${file} ${name}`));
}

/** `plan/build.ts buildPlan` for each name that a file imports from src. */
function importedBy(path: string): string[] {
  return [...readFileSync(join(HERE, path), 'utf8').matchAll(IMPORT)].flatMap(([, names = '', specifier = '']) => {
    const target = relative(SRC, resolve(HERE, dirname(path), specifier));
    if (target.startsWith('..')) return [];
    return names
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/ as .*/, ''),
      )
      .filter((name) => name !== '')
      .map((name) => `${target} ${name}`);
  });
}

const files = readdirSync(HERE, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
const imported = new Map(files.map((path) => [path, importedBy(path)]));
const used = new Set([...imported.values()].flat());

test('a test imports from src what is a door', () => {
  const known = new Set([...namesIn(listed.doors), ...namesIn(listed.not_yet)]);
  const found = [...imported].flatMap(([path, names]) =>
    names
      .filter((name) => !known.has(name))
      .map((name) => {
        const near =
          doorsOf(name.split('/')[0] ?? '').join(', ') || 'the command line (commands/shell/program.ts main)';
        return `test/${path} imports ${name}, which is no door; what it says can be asked through ${near}`;
      }),
  );
  expect(found).toEqual([]);
});

test('what is no door is a list that only gets shorter', () => {
  const names = namesIn(listed.not_yet);
  expect(
    names.filter((name) => !used.has(name)),
    'no test imports these any more: take them out',
  ).toEqual([]);
  expect(names.length, 'set MOST_NOT_YET to what is left').toBe(MOST_NOT_YET);
});

test('doors are few, and each is used', () => {
  const names = namesIn(listed.doors);
  expect(names.filter((name) => !used.has(name))).toEqual([]);
  expect(names.length).toBeLessThanOrEqual(MOST_DOORS);
  expect(names.filter((name) => namesIn(listed.not_yet).includes(name))).toEqual([]);
});
