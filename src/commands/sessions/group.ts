// What the commands about sessions have in common. A folder with a file of this name holds the subcommands of one group.

import { formatsOf, OPTIONS, SERVICE } from '../options/options.ts';

export const group = { name: 'sessions', text: 'list or revoke application sessions' };

export const flags = { output: formatsOf(['text', 'json']), service: SERVICE, hidden: [OPTIONS.settleMs] };
