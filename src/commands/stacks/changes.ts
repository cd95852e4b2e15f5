// The options that change what a plan may do, as fleets have them: some name the stack that they are about.

import type { Flag } from '../options/option.ts';
import { OPTIONS } from '../options/options.ts';

export function forOneStack(flag: Flag): Flag {
  return { ...flag, text: `${flag.text}; for one stack` };
}

export const FLEET_CHANGES: readonly Flag[] = [
  OPTIONS.targets,
  OPTIONS.allowDeletes,
  { ...OPTIONS.allowLoss, flags: '--allow-loss <entry:address>' },
  OPTIONS.allowTakeover,
  { ...OPTIONS.allowOpening, flags: '--allow-opening <entry:address>' },
  forOneStack(OPTIONS.recreate),
  OPTIONS.policy,
];
