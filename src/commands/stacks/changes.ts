// The options that change what a plan may do, as fleets have them: some name the stack that they are about.

import type { Flag } from '../options/option.ts';
import { OPTIONS } from '../options/options.ts';

export const FLEET_CHANGES: readonly Flag[] = [
  OPTIONS.targets,
  OPTIONS.allowDeletes,
  { ...OPTIONS.allowLoss, flags: '--allow-loss <entry:address>' },
  { ...OPTIONS.recreate, text: `${OPTIONS.recreate.text}; for one stack` },
  OPTIONS.policy,
];
