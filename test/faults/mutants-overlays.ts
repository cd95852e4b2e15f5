// Seeded mistakes where an overlay meets something else: names of stacks, names in the manifest, secrets, and the commands that judge.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const RULE = { tests: ['manifest/reuse/overlay-rule.test.ts'] };

export const OVERLAY_PAIRS: readonly Mutant[] = [
  ...mistakes('manifest/reuse/stack-unsaid.ts', RULE, [
    ['a variable in the name of the stack is no environment', 'stackUnsaid', { value: 'stack' }, "'shop'"],
    ['only the last overlay may name the stack', 'stackUnsaid', { call: 'some' }, 'mayNameStack(last)'],
  ]),
  ...mistakes('manifest/reuse/overlay-rule.ts', RULE, [
    ['the rule forgets what the overlay drops', 'layersByRule', { value: 'wasThere' }, 'isThere'],
  ]),
  ...mistakes('manifest/reuse/block.ts', RULE, [
    ['the rule of resources is none of routes', 'expandSection', { value: 'allowed' }, 'inner'],
  ]),
  ...mistakes('manifest/reuse/sensitive-taken.ts', RULE, [
    [
      'what an overlay takes away from a secret is only what it says',
      'sensitiveTaken',
      { value: 'isLost' },
      'sensitive.has(name) && isObject(declaration) && declaration[SENSITIVE] === false',
    ],
  ]),
  ...mistakes('commands/render.ts', { tests: ['commands/render.test.ts'] }, [
    ['`render` forgets the policies', 'render', { value: 'judged' }, 'found'],
    [
      '`render` forgets the values from outside',
      'render',
      { value: 'found' },
      'await loadFound({ ...invocation, env: {} }, { mayLackValues: true })',
    ],
  ]),
];
