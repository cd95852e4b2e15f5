// What pipelines do, by name. A step is given a forge, and knows none; its result is the exit code of a step that ends with its own.

import { apply } from './steps/apply.mjs';
import { base } from './steps/base.mjs';
import { comment } from './steps/comment.mjs';
import { drift } from './steps/drift.mjs';
import { findAccepted } from './steps/find-accepted.mjs';
import { find } from './steps/find.mjs';
import { install } from './steps/install.mjs';
import { issue } from './steps/issue.mjs';
import { journal } from './steps/journal.mjs';
import { plan } from './steps/plan.mjs';
import { propose } from './steps/propose.mjs';
import { queue } from './steps/queue.mjs';
import { report } from './steps/report.mjs';
import { setup } from './steps/setup.mjs';
import { validate } from './steps/validate.mjs';

export const STEPS = {
  setup,
  install,
  validate,
  base,
  journal,
  plan,
  comment,
  queue,
  find,
  apply,
  report,
  drift,
  issue,
  'find-accepted': findAccepted,
  propose,
};
