// apply and destroy: defines their differences; both run the same code.

import { EXAMPLES } from '../catalog/examples.ts';
import { CHANGES, MANIFEST, OPTIONS, SERVICE, reading, reportOf } from './options/options.ts';
import { carryOut } from './shell/carry-out.ts';
import type { CommandSpec } from './shell/command.ts';

const JOURNAL = [OPTIONS.journal, OPTIONS.resolutions, OPTIONS.settleMs];

export const commands: readonly CommandSpec[] = [
  {
    position: 30,
    words: 'apply [planfile]',
    text: 'carry out a new or saved plan, after confirmation',
    flags: {
      own: [OPTIONS.autoApprove, OPTIONS.stack, ...CHANGES, OPTIONS.tokenDir, ...JOURNAL],
      manifest: MANIFEST,
      output: reportOf('report'),
      service: SERVICE,
    },
    help: {
      examples: ['apply', 'apply plan.json --auto-approve', `apply --resolve ${EXAMPLES.releasedAddress}=absent`],
      exits: ['stale'],
    },
    run: (call) => carryOut(call, false, call.args[0]),
  },
  {
    position: 60,
    words: 'destroy',
    text: 'delete everything the stack owns',
    flags: {
      own: [
        OPTIONS.autoApprove,
        OPTIONS.stackAlone,
        OPTIONS.deletedOutside,
        OPTIONS.policy,
        reading(OPTIONS.tokenDir),
        ...JOURNAL,
      ],
      manifest: MANIFEST,
      output: reportOf('report'),
      service: SERVICE,
      // The flags of apply, so that scripts can run both alike.
      hidden: [OPTIONS.allowDeletes, OPTIONS.allowLoss, OPTIONS.allowTakeover, OPTIONS.allowOpening],
    },
    help: { examples: ['destroy', 'destroy --stack shop'] },
    run: (call) => carryOut(call, true),
  },
];
