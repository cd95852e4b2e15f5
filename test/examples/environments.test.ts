// Every manifest with an overlay that a document or an example shows, applied as its reader would: the manifest, with the overlay, and
// the manifest again, at one service. Nothing of the other environment may change.

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { stepsOf } from '../../scripts/docs/blocks.mjs';
import { SETUPS } from '../../scripts/docs/setups.mjs';
import { usePlace } from '../support/place.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Environment {
  readonly page: string;
  readonly overlay: string;
  /** Folder of the repository whose files are there first. */
  readonly copy: string | undefined;
  readonly files: ReadonlyMap<string, string>;
}

const pages = ['README.md', 'docs', 'examples'].flatMap((path) =>
  path.endsWith('.md')
    ? [join(ROOT, path)]
    : readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md') && !name.startsWith('adr'))
        .map((name) => join(ROOT, path, name)),
);

/** The overlays that the commands of a page name, with the files as they are by then. */
function environmentsOf(path: string): Environment[] {
  const page = relative(ROOT, path);
  const setup = SETUPS[page];
  const files = new Map(Object.entries(setup?.files ?? {}));
  const found = new Map<string, Environment>();
  for (const step of stepsOf(readFileSync(path, 'utf8'))) {
    if (step.file !== undefined) files.set(step.file, step.text ?? '');
    for (const [, overlay = ''] of (step.command ?? '').matchAll(/--overlay[ =](\S+)/g))
      found.set(overlay, { page, overlay, copy: setup?.copy, files: new Map(files) });
  }
  return [...found.values()];
}

const environments = pages.flatMap(environmentsOf);
const place = usePlace({}, { EDGEFORM_VAR_github_secret: 'made-up' });

/** Every object of the service, by its id. */
function objects(): ReadonlyMap<string, object> {
  const lists = ['https_edges', 'tls_edges', 'backends', 'reserved_addrs', 'event_destinations', 'event_subscriptions'];
  return new Map(lists.flatMap((list) => place.emulator.objects(list).map((one) => [String(one['id']), one] as const)));
}

async function applied(...args: string[]): Promise<void> {
  const ran = await place.run(...args, '--auto-approve');
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
}

/** Applies one, the other, and the first again; the second run must add, and the third do nothing. */
async function neitherChanges(first: readonly string[], second: readonly string[]): Promise<void> {
  await applied(...first);
  const alone = objects();
  expect(alone.size).toBeGreaterThan(0);
  await applied(...second);
  const both = objects();
  expect(both.size).toBeGreaterThan(alone.size);
  expect([...both].filter(([id]) => alone.has(id))).toEqual([...alone]);
  await applied(...first);
  await applied(...second);
  expect(objects()).toEqual(both);
}

describe('base, overlay, base', () => {
  test('the documents that show both are found', () => {
    const known = environments.map(({ page, overlay }) => `${page} ${overlay}`);
    expect(known).toContain('docs/tutorial.md staging.yaml');
    expect(known).toContain('docs/how-to/presets-and-overlays.md staging.yaml');
  });

  test.each(environments)('$page with $overlay', async ({ copy, files, overlay }) => {
    if (copy !== undefined) cpSync(join(ROOT, copy), place.cwd, { recursive: true });
    for (const [name, text] of files) writeFileSync(join(place.cwd, name), text);
    const base = ['apply', '-f', 'edgeform.yaml'];
    await neitherChanges(base, [...base, '--overlay', overlay]);
  });

  test('examples/fleet, production and staging', async () => {
    cpSync(join(ROOT, 'examples/fleet'), place.cwd, { recursive: true });
    await neitherChanges(['fleet', 'apply', '--only', '*-prod'], ['fleet', 'apply', '--only', '*-staging']);
  });
});

test('every overlay of the repository names a stack, or lies over one with a variable', () => {
  const shown = pages.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^```yaml \[(staging|prod|production)\.yaml\]\n(.*?)^```/gms)].map(
      ([, name, text = '']) => [relative(ROOT, path), name, /^stack: /m.test(text)],
    ),
  );
  expect(shown.length).toBeGreaterThan(1);
  expect(shown.filter(([, , isNamed]) => isNamed === false)).toEqual([]);
});
