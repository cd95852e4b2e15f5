// apply and destroy: defines their differences; both run the same code.

import { EXAMPLES } from '../catalog/examples.ts';
import { FLAGS, formatsOf } from './options/flags.ts';
import { carryOut } from './shell/carry-out.ts';
import type { CommandSpec } from './shell/command.ts';

const OUTPUT = [...formatsOf('report'), FLAGS.detail, FLAGS.summary, FLAGS.events, FLAGS.metrics];
const JOURNAL = [FLAGS.journal, FLAGS.resolve, FLAGS.settle];

export const commands: readonly CommandSpec[] = [
  {
    position: 30,
    words: 'apply [planfile]',
    text: 'carry out a new or saved plan, after confirmation',
    flags: {
      own: [FLAGS.approve, FLAGS.target, ...FLAGS.allow, FLAGS.tokens, ...JOURNAL],
      manifest: FLAGS.manifest,
      output: OUTPUT,
      service: FLAGS.service,
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
      own: [FLAGS.approve, ...JOURNAL],
      manifest: FLAGS.manifest,
      output: OUTPUT,
      service: FLAGS.service,
      // The flags of apply, so that scripts can run both alike.
      hidden: [...FLAGS.allow, FLAGS.tokens],
    },
    help: { examples: ['destroy'] },
    run: (call) => carryOut(call, true),
  },
];
