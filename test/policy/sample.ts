// Policies given as texts, judging manifests given as texts.

import { expect } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostic.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { compilePolicies, type CompiledPolicies } from '../../src/policy/compile.ts';
import { runExamples } from '../../src/policy/examples.ts';
import { loadManifest } from '../../src/manifest/load.ts';

/** A file with one policy. */
export function fileWith(policy: JsonObject): { name: string; text: string } {
  const whole = { name: 'p', on: 'object', expression: 'true', message: 'no', ...policy };
  return { name: 'policies.json', text: JSON.stringify({ version: 1, policies: [whole] }) };
}

export function problemsOf(policy: JsonObject): readonly Diagnostic[] {
  return compilePolicies([fileWith(policy)]).diagnostics;
}

export function compiled(policy: JsonObject): CompiledPolicies {
  const { value, diagnostics } = compilePolicies([fileWith(policy)]);
  expect(diagnostics).toEqual([]);
  if (value === undefined) throw new Error('unreachable');
  return value;
}

/** The problems of a manifest by a policy; variables have no values unless given. */
export function judged(policy: JsonObject, manifest: JsonObject, variables: Record<string, string> = {}) {
  const text = JSON.stringify({ version: 1, stack: 'shop', ...manifest });
  return judgedIn(policy, { name: 'edgeform.json', text }, variables);
}

/** The same for the text of a file. */
export function judgedIn(
  policy: JsonObject,
  file: { readonly name: string; readonly text: string },
  variables: Record<string, string> = {},
  overlays: readonly (typeof file)[] = [],
) {
  const files = [file];
  const readFile = () => ({ diagnostics: [] });
  const given = new Map(Object.entries(variables));
  const { value, diagnostics } = loadManifest({
    files,
    overlays,
    variables: given,
    env: {},
    readFile,
    mayLackValues: true,
  });
  expect(diagnostics).toEqual([]);
  if (value === undefined) throw new Error('unreachable');
  return compiled(policy).judgeManifest(value);
}

/** What an example of a policy gets where it expects nothing; `passed` if that is so. */
export function verdict(
  policy: JsonObject,
  manifest: JsonObject,
  live: JsonObject = {},
  unowned: JsonObject = {},
): string {
  const example = { name: 'e', stack: 'shop', manifest, live, unowned, expect: [] };
  const file = { name: 'e.test.json', text: JSON.stringify({ version: 1, tests: [example] }) };
  const [found] = runExamples([file], compiled(policy)).diagnostics;
  if (found === undefined) return 'passed';
  return found.code === 'policy-test-failed' ? `violated ${found.got ?? ''}` : `${found.code} ${found.message}`;
}
