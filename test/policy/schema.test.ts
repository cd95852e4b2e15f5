// The schema of policy files, as editors use it, says the same as the program.

import { Ajv } from 'ajv';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readEntries } from '../../src/policy/read.ts';
import { policySchema } from '../../src/schema/policy-schema.ts';

test.each([
  ['examples/policies/rules.yaml', true],
  ['examples/policies/rules.test.yaml', true],
  ['examples/fleet/edgeform.fleet.yaml', false],
])('%s: %s', (name, isRight) => {
  const text = readFileSync(name, 'utf8');
  expect(new Ajv({ strict: false }).compile(policySchema())(parse(text))).toBe(isRight);
  expect(readEntries({ name, text }, name.includes('test') ? 'tests' : 'policies').diagnostics.length === 0).toBe(
    isRight,
  );
});
