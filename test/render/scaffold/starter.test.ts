// The first manifest: valid as it is, valid with its blocks, and what must not be committed beside it.

import { describe, expect, test } from 'vitest';
import { managedKinds } from '../../../src/catalog/lookup.ts';
import { starterManifest } from '../../../src/render/scaffold/starter.ts';
import { loadTexts } from '../../support/loading.ts';
import { load } from '../../support/world.ts';

const SCHEMA = './node_modules/edgeform/schemas/manifest.schema.json';
const text = starterManifest('shop', managedKinds, SCHEMA);

describe('a starter manifest', () => {
  test('is valid and empty', () => {
    const manifest = load(text);
    expect([manifest.stack, manifest.resources]).toEqual(['shop', []]);
  });

  test('is valid with every block', () => {
    const whole = text.replaceAll(/^# (?!yaml-language-server)/gm, '');
    const { value, diagnostics } = loadTexts(whole, { env: { EDGEFORM_VAR_github_secret: 'correct-horse' } });
    expect(diagnostics).toEqual([]);
    const { resources = [], outputs = new Map<string, unknown>() } = value ?? {};
    const starters = managedKinds.flatMap(({ starter }) => starter ?? []);
    expect(resources.length).toBeGreaterThanOrEqual(starters.length);
    expect([...outputs]).toHaveLength(starters.flatMap(({ outputs: lines }) => lines ?? []).length);
  });

  test('of no kinds has no outputs and stays valid', () => {
    const bare = starterManifest('shop', [], SCHEMA);
    expect(bare).not.toContain('outputs');
    expect(load(bare).resources).toEqual([]);
  });

  test('keeps a stack that reads like a number a name', () => {
    expect(load(starterManifest('1e3', [], SCHEMA)).stack).toBe('1e3');
  });
});
