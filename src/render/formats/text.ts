// Text for terminals and logs.

import { drawText } from '../text/text.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'text',
  position: 10,
  isLog: true,
  draw: (view, style) => drawText(view, style),
} as const satisfies Writer;
