// Seeded mistakes that are made from the tables of decisions: each without each of its rows. A row that is added is seeded with the same
// commit, and a row that moves within its table needs nothing.

import type { Mutant } from './mutants.ts';
import { rowNames, sourceOf } from './mutation.ts';

interface Table {
  readonly file: string;
  readonly name: string;
  /** What notices each row that is missing. */
  readonly tests: readonly string[];
}

const POLICIES = ['scenarios/scenarios', 'plan/policies/policies', 'plan/policies/deletions', 'plan/policies/in-use'];
const OTHER_POLICIES = [
  'plan/policies/another-account',
  'plan/protection',
  'plan/transfers',
  'plan/policies/replacements',
];

const TABLES: readonly Table[] = [
  { file: 'apply/gate/gate-rules.ts', name: 'WRITE_RULES', tests: ['apply/gate'] },
  { file: 'apply/gate/answer-rules.ts', name: 'ANSWER_RULES', tests: ['apply/gate'] },
  { file: 'apply/write.ts', name: 'AFTER', tests: ['apply/run-step'] },
  { file: 'service/outcomes.ts', name: 'NEXT', tests: ['service/retry'] },
  {
    file: 'plan/policies/policies.ts',
    name: 'CONSENT',
    tests: [...POLICIES, ...OTHER_POLICIES, 'cli/refused-plans', 'cli/another-account', 'fleet/imports'],
  },
  { file: 'plan/policies/policies.ts', name: 'OBSTACLES', tests: [...POLICIES, 'cli/moved-away'] },
  { file: 'plan/policies/deletions.ts', name: 'TOO_MANY', tests: [...POLICIES, 'cli/refused-plans'] },
  { file: 'plan/policies/in-use.ts', name: 'IN_USE', tests: [...POLICIES, 'plan/misplaced-marker'] },
  { file: 'plan/policies/replacements.ts', name: 'REPLACEMENTS', tests: [...POLICIES, ...OTHER_POLICIES] },
  { file: 'plan/policies/transfers.ts', name: 'TRANSFERS', tests: ['plan/transfers', 'cli/living-stack'] },
  { file: 'render/document/document.ts', name: 'GROUPS', tests: ['render/plan-text', 'render/formats'] },
];

/** Every table without each of its rows. */
export function tableMutants(root: string): Mutant[] {
  return TABLES.flatMap(({ file, name, tests }) =>
    rowNames(sourceOf(root, { file }), file, name).map((row): Mutant => ({
      name: `${name} without ${row}`,
      file,
      find: { row: `${name}.${row}` },
      tests: tests.map((test) => `${test}.test.ts`),
    })),
  );
}
