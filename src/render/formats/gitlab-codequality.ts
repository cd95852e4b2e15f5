// The code quality report of GitLab.

import { drawQuality, QUALITY_WORDS } from '../reports/code-quality.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'gitlab-codequality',
  position: 90,
  isLog: false,
  draws: ['problems', 'drift'],
  words: QUALITY_WORDS,
  draw: drawQuality,
} as const satisfies Writer;
