// Logs of GitLab jobs.

import { drawGitlab } from '../ci/gitlab.ts';
import type { Writer } from '../writer.ts';

export const format = { name: 'gitlab', position: 60, isLog: true, draw: drawGitlab } as const satisfies Writer;
