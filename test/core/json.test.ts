// JSON from outside: it is read to a number of levels, and deeper text is told from text that is no JSON.

import { describe, expect, test } from 'vitest';
import { MAX_LEVELS, readJson, tryParseJson } from '../../src/core/json.ts';

const lists = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('readJson', () => {
  test.each([lists, objects])('reads so many levels and no more', (nested) => {
    expect(readJson(nested(MAX_LEVELS)).problem).toBeUndefined();
    for (const levels of [MAX_LEVELS + 1, 200_000]) {
      expect(readJson(nested(levels))).toEqual({ problem: 'depth', why: 'is nested deeper than 64 levels' });
      expect(tryParseJson(nested(levels))).toBeUndefined();
    }
    expect(readJson(nested(70), 70).problem).toBeUndefined();
  });

  test.each(['', '{', '{"a":}', '[1]]', 'x'])('%j is not JSON', (text) => {
    expect(readJson(text)).toEqual({ problem: 'syntax', why: 'is not JSON' });
  });

  test('null is a value', () => {
    expect(readJson('null')).toEqual({ json: null });
  });
});
