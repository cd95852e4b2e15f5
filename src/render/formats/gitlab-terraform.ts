// GitLab's terraform report, shown in merge requests as counts: a replacement counts as one creation and one deletion.

import { documentJson } from '../view/documents.ts';
import type { View } from '../view/view.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'gitlab-terraform',
  position: 100,
  isLog: false,
  draws: ['plan', 'fleet'],
  draw: drawCounts,
} as const satisfies Writer;

/** An adoption counts as an update, because it writes the stack's marker. */
function drawCounts({ totals }: View): string {
  const count = (...words: string[]) => words.reduce((sum, word) => sum + (totals.get(word) ?? 0), 0);
  return documentJson({
    create: count('create', 'replace'),
    update: count('update', 'adopt'),
    delete: count('delete', 'replace'),
  });
}
