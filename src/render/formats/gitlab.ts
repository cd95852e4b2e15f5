// Logs of GitLab jobs.

import { drawGitlab } from '../ci/gitlab.ts';
import type { Writer } from '../writer.ts';

export const format = { name: 'gitlab', isLog: true, draw: drawGitlab } as const satisfies Writer;
