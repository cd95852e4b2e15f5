// A view as one self-contained HTML page.

import { documentOf } from '../document/document.ts';
import { contentOf } from '../html/blocks.ts';
import { page } from '../html/html.ts';
import type { View } from '../view/view.ts';
import type { Writer } from '../writer.ts';

export const format = { name: 'html', position: 40, isLog: false, draw: drawHtml } as const satisfies Writer;

function drawHtml(view: View): string {
  const { at, sentence } = view;
  const title = at === undefined ? sentence : `${at.stack}: ${sentence}`;
  return page(title, contentOf(documentOf(view)));
}
