// fleet apply and fleet destroy: defines their differences; both run the same code.

import { OPTIONS, reading, reportOf, SERVICE, STACKS } from '../options/options.ts';
import type { CommandSpec } from '../shell/command.ts';
import { FLEET_CHANGES, forOneStack } from '../stacks/changes.ts';
import { carryOutFleet } from '../stacks/carry-out-fleet.ts';
import { group } from './group.ts';

const OWN = [OPTIONS.autoApprove, OPTIONS.failFast, OPTIONS.rate, OPTIONS.resolutions, OPTIONS.settleMs];

export const commands: readonly CommandSpec[] = [
  {
    position: 135,
    words: 'fleet apply [dir]',
    text: 'carry out new plans of all stacks, or saved ones, after confirmation',
    above: group,
    flags: {
      own: [...OWN, ...FLEET_CHANGES, OPTIONS.tokenDir],
      manifest: STACKS,
      output: reportOf('report'),
      service: SERVICE,
    },
    help: {
      examples: ['fleet apply', 'fleet apply plans --auto-approve', "fleet apply --only 'shop-*' --fail-fast"],
      exits: ['stale'],
    },
    run: (call) => carryOutFleet(call, 'apply'),
  },
  {
    position: 137,
    words: 'fleet destroy',
    text: 'delete everything that the stacks own, importers first',
    above: group,
    flags: {
      own: [...OWN, forOneStack(OPTIONS.deletedOutside), OPTIONS.policy, reading(OPTIONS.tokenDir)],
      manifest: STACKS,
      output: reportOf('report'),
      service: SERVICE,
    },
    help: { examples: ["fleet destroy --only 'preview-*'"] },
    run: (call) => carryOutFleet(call, 'destroy'),
  },
];
