// The documents: every command in them is carried out, in the built program's own words, and every link leads somewhere.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { looseCommands, stepsOf } from '../../scripts/docs/blocks.mjs';
import { brokenLinks, documents } from '../../scripts/docs/links.mjs';
import { runDocument } from '../../scripts/docs/run.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const paths = documents(ROOT);
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
/** docs/migration.md needs a Terraform, and has a test of its own. */
const carriedOut = paths
  .filter((path) => path !== 'docs/migration.md')
  .filter((path) => stepsOf(textOf(path)).some(({ command }) => command !== undefined));

describe('commands', () => {
  test.concurrent.each(carriedOut)('%s does what it says', async (path) => {
    const { code, output } = await runDocument(path, ROOT);
    expect(code, output).toBe(0);
  });

  test('are all in blocks that are carried out', () => {
    expect(paths.filter((path) => looseCommands(textOf(path)) !== undefined)).toEqual([]);
  });
});

test('every link leads to a file and a heading that exist', () => {
  expect(paths.flatMap((path) => brokenLinks(path, ROOT).map((link) => `${path}: ${link}`))).toEqual([]);
});

test('the README is short', () => {
  expect(textOf('README.md').length).toBeLessThanOrEqual(9000);
});
