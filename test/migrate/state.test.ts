// Files that are no state, or not one that can be read: one problem with a fix, in bounded time.

import { describe, expect, test } from 'vitest';
import { readState } from '../../src/migrate/state.ts';

const state = (root_module: unknown) => JSON.stringify({ format_version: '1.0', values: { root_module } });
const resources = (count: number) =>
  `{"format_version":"1.0","values":{"root_module":{"resources":[${Array(count).fill('{}').join()}]}}}`;

const nested = (modules: number) =>
  `{"format_version":"1.0","values":{"root_module":${'{"child_modules":['.repeat(modules)}${']}'.repeat(modules)}}}`;

describe('readState', () => {
  test.each([
    { name: 'not JSON', text: 'resource "a" "b" {}', why: /it is not JSON/ },
    { name: 'a list', text: '[]', why: /not a JSON object/ },
    { name: 'a plan', text: '{"format_version":"1.2","planned_values":{},"resource_changes":[]}', why: /it is a plan/ },
    { name: 'the stored file', text: '{"version":4,"serial":1,"lineage":"x"}', why: /as Terraform stores it/ },
    { name: 'no version', text: '{}', why: /no format_version/ },
    { name: 'a later version', text: '{"format_version":"2.0"}', why: /"2\.0", and 1\.x is known/ },
    { name: 'a hostile version', text: `{"format_version":"${'9'.repeat(9999)}"}`, why: /characters left out/ },
    { name: 'modules without end', text: nested(200_000), why: /nested deeper than 64 levels/ },
    { name: 'a million resources', text: resources(1_000_000), why: /1000000 resources, and at most 20000/ },
  ])('$name', ({ text, why }) => {
    const { value, diagnostics } = readState(text);
    expect(value).toBeUndefined();
    expect(diagnostics).toEqual([
      { code: 'bad-state-file', severity: 'error', message: expect.stringMatching(why), fix: expect.any(String) },
    ]);
  });

  test.each([
    '{"format_version":"1.0"}',
    '{"format_version":"0.1","values":{}}',
    nested(30),
    state({ resources: 1, child_modules: [1, null, {}] }),
    '{"format_version":"1.0","values":{"__proto__":{"root_module":{"resources":[{}]}}}}',
  ])('%s has no resources', (text) => {
    expect(readState(text)).toEqual({ value: [], diagnostics: [] });
  });

  test('what is not a resource is one that cannot be imported', () => {
    const { value = [] } = readState(state({ resources: [1, {}, { type: 'a_b' }, { mode: 'managed' }] }));
    expect(value.map(({ why }) => why !== undefined)).toEqual([true, true, true, false]);
  });
});
