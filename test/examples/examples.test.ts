import { renderPlan } from '../render/sample.ts';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Field, Fields } from '../../src/catalog/field.ts';
import { managedKinds, topLevelKinds } from '../../src/catalog/lookup.ts';
import type { ValueObject } from '../../src/core/value.ts';
import { isValueObject } from '../../src/core/value.ts';
import { isList } from '../../src/core/json.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { documentJson } from '../../src/render/view/documents.ts';
import { loadFrom, readVariables, runnerOn, yamlFiles } from './stack.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const SECRET = new Map([['github_secret', 'made-up']]);
const SHOP = join(EXAMPLES, 'shop/edgeform');

const examples: readonly { readonly name: string; readonly files: readonly string[]; readonly load: () => Manifest }[] =
  [
    {
      name: 'minimal',
      files: [join(EXAMPLES, 'minimal/edgeform.yaml')],
      load: () => loadFrom(join(EXAMPLES, 'minimal'), ['edgeform.yaml']),
    },
    {
      name: 'shop',
      files: yamlFiles(SHOP).map((name) => join(SHOP, name)),
      load: () => loadFrom(SHOP, yamlFiles(SHOP), readVariables(join(EXAMPLES, 'shop/vars.example.yaml'))),
    },
    {
      name: 'generated',
      files: [join(EXAMPLES, 'generated/edgeform.yaml')],
      load: () => loadFrom(join(EXAMPLES, 'generated'), ['edgeform.yaml'], SECRET),
    },
    {
      name: 'presets',
      files: [join(EXAMPLES, 'presets/edgeform.yaml')],
      load: () => loadFrom(join(EXAMPLES, 'presets'), ['edgeform.yaml'], SECRET),
    },
    {
      name: 'modules-tour',
      files: [join(EXAMPLES, 'modules-tour/edgeform.yaml')],
      load: () =>
        loadFrom(
          join(EXAMPLES, 'modules-tour'),
          ['edgeform.yaml'],
          readVariables(join(EXAMPLES, 'modules-tour/vars.example.yaml')),
        ),
    },
  ];

const named = (name: string) => examples.find((example) => example.name === name);

/** Objects of somebody else: without a marker, and with the marker of another stack. */
const foreign = {
  reserved_addrs: [{ description: 'by hand', region: 'us' }],
  tls_edges: [
    {
      hostports: ['foreign.example.org:443'],
      metadata: '{"edgeform":{"v":1,"stack":"billing","address":"tls_edges.db","applied":{}}}',
    },
  ],
};

let emulator: Emulator;

beforeEach(async () => {
  emulator = await startEmulator({ seed: foreign });
});

afterEach(async () => {
  await emulator.close();
});

function everything(): string {
  return JSON.stringify(topLevelKinds.map((kind) => emulator.objects(kind.operations.list?.key ?? '')));
}

describe.each(examples)('the example $name', ({ files, load }) => {
  test('begins every file with the schema line of editors', () => {
    for (const file of files) {
      const first = readFileSync(file, 'utf8').split('\n')[0] ?? '';
      expect(first).toMatch(/^# yaml-language-server: \$schema=(\.\.\/)+schemas\/manifest\.schema\.json$/);
    }
  });

  test('is created, planned empty, applied without a write and destroyed, and nothing else is touched', async () => {
    const manifest = load();
    const runner = runnerOn(emulator);
    const before = everything();

    const plan = await runner.plan(manifest);
    expect({ refusals: plan.refusals, blocked: plan.blocked, diagnostics: plan.diagnostics }).toEqual({
      refusals: [],
      blocked: [],
      diagnostics: [],
    });
    expect(plan.summary.create).toBe(manifest.resources.length);

    const results = await runner.apply(manifest);
    expect(results.filter((result) => result.status !== 'done')).toEqual([]);
    const again = await runner.plan(manifest);
    expect(again.steps).toEqual([]);
    expect(again.summary.unchanged).toBe(manifest.resources.length);
    const writes = runner.writes();
    await runner.apply(manifest);
    expect(runner.writes()).toBe(writes);

    const destroyed = await runner.apply(manifest, { destroy: true });
    expect(destroyed.filter((result) => result.status !== 'done')).toEqual([]);
    expect(everything()).toBe(before);
  });

  test('shows no secret in any rendering of its plan', async () => {
    const plan = await runnerOn(emulator).plan(load());
    const shown = (['names', 'changes', 'full'] as const).map((detail) =>
      renderPlan(plan, { color: false, width: 100, detail }),
    );
    expect([...shown, documentJson(plan)].join('\n')).not.toContain('made-up');
  });
});

test('shop uses every kind that can be managed', () => {
  const used = new Set(
    named('shop')
      ?.load()
      .resources.map((resource) => resource.kind),
  );
  expect([...used].sort()).toEqual(managedKinds.map((kind) => kind.name).sort());
});

test('modules-tour uses every field of every module and target', () => {
  const resources = named('modules-tour')?.load().resources ?? [];
  const used = new Set(
    resources.flatMap((resource) => pathsOf(resource.spec).map((path) => `${resource.kind}.${path}`)),
  );
  const inTour = managedKinds.filter((kind) => resources.some((resource) => resource.kind === kind.name));
  const wanted = inTour.flatMap((kind) => fieldPaths(kind.fields).map((path) => `${kind.name}.${path}`));
  // Shown by example and not repeated everywhere: texts, switches, and both ways of signing in at every target.
  const repeated = /\.(?:metadata|description|format|enabled)$|\.auth\.(?:role|creds)/;
  expect(wanted.filter((path) => !used.has(path) && !repeated.test(path))).toEqual([]);
});

function fieldPaths(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.write === 'never' ? [] : [name, ...below(field).map((path) => `${name}.${path}`)],
  );
}

function below(field: Field): string[] {
  return field.type === 'object' ? fieldPaths(field.fields) : [];
}

function pathsOf(spec: ValueObject): string[] {
  return Object.entries(spec).flatMap(([name, value]) => {
    const inner = isValueObject(value) && !isList(value) ? pathsOf(value).map((path) => `${name}.${path}`) : [];
    return [name, ...inner];
  });
}
