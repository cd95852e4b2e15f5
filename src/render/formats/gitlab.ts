// GitLab job logs: the text, with a section for each resource's steps, expanded where something is lost.

import type { RenderOptions } from '../render-options.ts';
import { drawText } from '../text/text.ts';
import type { View } from '../view/view.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'gitlab',
  position: 60,
  isLog: true,
  isForForge: true,
  draw: drawGitlab,
} as const satisfies Writer;

const CLEAR = '\u001b[0K';

/** Section times are 0, because a view has no clock. */
function drawGitlab(view: View, style: RenderOptions): string {
  return drawText(view, style, ({ head, lines, loses }, index) => [
    `${CLEAR}section_start:0:edgeform_step_${index + 1}${loses ? '' : '[collapsed=true]'}\r${CLEAR}${head}`,
    ...lines,
    `${CLEAR}section_end:0:edgeform_step_${index + 1}\r${CLEAR}`,
  ]);
}
