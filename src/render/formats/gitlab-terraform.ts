// The terraform report of GitLab, which merge requests show as counts.

import { drawCounts } from '../terraform/document.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'gitlab-terraform',
  position: 100,
  isLog: false,
  draws: ['plan'],
  words: ['create', 'update', 'delete'],
  draw: drawCounts,
} as const satisfies Writer;
