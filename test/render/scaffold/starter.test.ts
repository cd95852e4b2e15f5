// The first manifest: valid as it is, valid with its blocks, and what must not be committed beside it.

import { describe, expect, test } from 'vitest';
import { managedKinds } from '../../../src/catalog/lookup.ts';
import { starterManifest } from '../../../src/render/scaffold/starter.ts';
import { load } from '../../support/world.ts';

const text = starterManifest('shop', managedKinds);

describe('a starter manifest', () => {
  test('is valid and empty', () => {
    const manifest = load(text);
    expect([manifest.stack, manifest.resources]).toEqual(['shop', []]);
  });

  test('is valid with every block', () => {
    const { resources, outputs } = load(text.replaceAll(/^# (?!yaml-language-server)/gm, ''));
    const starters = managedKinds.flatMap(({ starter }) => starter ?? []);
    expect(resources.length).toBeGreaterThanOrEqual(starters.length);
    expect([...outputs]).toHaveLength(starters.flatMap(({ outputs: lines }) => lines ?? []).length);
  });

  test('of no kinds has no outputs and stays valid', () => {
    const bare = starterManifest('shop', []);
    expect(bare).not.toContain('outputs');
    expect(load(bare).resources).toEqual([]);
  });

  test('keeps a stack that reads like a number a name', () => {
    expect(load(starterManifest('1e3', [])).stack).toBe('1e3');
  });
});
