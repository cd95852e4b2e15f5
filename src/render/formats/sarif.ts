// SARIF, for code scanning.

import { drawSarif, SARIF_WORDS } from '../reports/sarif.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'sarif',
  position: 70,
  isLog: false,
  draws: ['problems', 'drift', 'plan'],
  words: SARIF_WORDS,
  draw: drawSarif,
} as const satisfies Writer;
