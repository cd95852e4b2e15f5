// Seeded mistakes where an overlay meets something else: names of stacks, names in the manifest, secrets, and the commands that judge.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const RULE = { tests: ['manifest/reuse/overlay-rule.test.ts'] };

export const OVERLAY_PAIRS: readonly Mutant[] = [
  ...mistakes('manifest/reuse/stack-unsaid.ts', RULE, [
    [
      'an overlay forgets that the stack is that of another environment',
      'stackUnsaid',
      { condition: ['last'] },
      'true',
    ],
    ['a variable in the name of the stack is no environment', 'stackUnsaid', { value: 'stack' }, "'shop'"],
    ['only the last overlay may name the stack', 'stackUnsaid', { call: 'some' }, 'mayNameStack(last)'],
  ]),
  ...mistakes('manifest/reuse/overlay-rule.ts', RULE, [
    ['a change may be of what is not there', 'layersByRule', { call: 'refuseChange' }, 'undefined'],
    ['an addition may be of what is there', 'layersByRule', { call: 'refuseAddition' }, 'undefined'],
    ['the rule forgets what the overlay drops', 'layersByRule', { value: 'wasThere' }, 'isThere'],
    ['the rule forgets parts that cannot be read', 'refuseChange', { condition: ['mayHave'] }, 'false'],
    ['a wrong name of an overlay is told again as a wrong block', 'refuseChange', { call: 'add' }, 'undefined'],
  ]),
  ...mistakes('manifest/reuse/block.ts', RULE, [
    ['the rule of resources is none of routes', 'expandSection', { value: 'allowed' }, 'inner'],
    ['a preset that is not known has no routes', 'expandSection', { value: 'judging' }, 'reuse'],
  ]),
  ...mistakes('manifest/reuse/presets.ts', RULE, [
    ['the rule of blocks is none of presets', '', { condition: ['overlays'] }, 'false'],
  ]),
  ...mistakes('manifest/reuse/sensitive-taken.ts', RULE, [
    [
      'what an overlay takes away from a secret is only what it says',
      'sensitiveTaken',
      { value: 'isLost' },
      'sensitive.has(name) && isObject(declaration) && declaration[SENSITIVE] === false',
    ],
  ]),
  ...mistakes('manifest/text/quoted-file.ts', RULE, [
    [
      'the lines that a problem quotes forget what an overlay adds',
      'defaultsOfVariables',
      { call: 'inAdditions' },
      '[]',
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
    ['`render` masks a text that a value repeats', 'render', { call: 'remove' }, 'undefined'],
  ]),
];
