// Markdown for comments and job summaries.

import { drawMarkdown } from '../markdown/document.ts';
import type { Writer } from '../writer.ts';

export const format = { name: 'markdown', position: 30, isLog: false, draw: drawMarkdown } as const satisfies Writer;
