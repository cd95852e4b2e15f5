// The documents: every command in them is carried out, and every link leads somewhere.

import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { looseCommands, stepsOf } from '../../scripts/docs/blocks.mjs';
import { brokenLinks, documents } from '../../scripts/docs/links.mjs';
import { runDocument } from '../../scripts/docs/run.mjs';
import { IS_FULL } from '../support/full.ts';
import { servedScript } from '../support/served.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const paths = documents(ROOT);
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
/** docs/migration.md needs a Terraform, and has a test of its own. */
const carriedOut = paths
  .filter((path) => path !== 'docs/migration.md')
  .filter((path) => stepsOf(textOf(path)).some(({ command }) => command !== undefined));

/** What people read first, and where a process is killed. In the others, a command has a process of its own only with `npm run test:full`. */
const WITH_PROCESSES = ['README.md', 'docs/how-to/recover.md'];
const hasProcesses = (path: string) => IS_FULL || WITH_PROCESSES.includes(path);
const program = await servedScript(mkdtempSync(join(tmpdir(), 'served-')));

test('the documents with processes are there', () => {
  expect(WITH_PROCESSES.filter((path) => !carriedOut.includes(path))).toEqual([]);
});

describe('commands', () => {
  test.concurrent.each(carriedOut.filter(hasProcesses))('%s does what it says', async (path) => {
    const { code, output } = await runDocument(path, ROOT);
    expect(code, output).toBe(0);
  });

  test.each(carriedOut.filter((path) => !hasProcesses(path)))('%s does what it says', async (path) => {
    const { code, output } = await runDocument(path, ROOT, program);
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
