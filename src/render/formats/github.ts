// Logs of GitHub Actions.

import { drawGithub } from '../ci/github.ts';
import type { Writer } from '../writer.ts';

export const format = { name: 'github', position: 50, isLog: true, draw: drawGithub } as const satisfies Writer;
