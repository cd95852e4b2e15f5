// One self-contained HTML page.

import { drawHtml } from '../html/document.ts';
import type { Writer } from '../writer.ts';

export const format = { name: 'html', position: 40, isLog: false, draw: drawHtml } as const satisfies Writer;
