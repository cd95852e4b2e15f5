// What drift found as Markdown, HTML and annotations: its sentence, and the text below it as it is.

import type { Problem } from './document.ts';
import type { DriftView } from './text/drift.ts';
import { driftSentence, renderDrift } from './text/drift.ts';
import { annotations } from './ci/github.ts';
import { element, page } from './html/html.ts';
import { clip, fenced, firstThatFits } from './markdown/markdown.ts';
import { COMMENT_LIMIT, missingLines, paragraphs, placeLine, SIZES } from './markdown/plan-markdown.ts';
import type { Style } from './style.ts';
import { visible } from '../core/visible.ts';

/** Title, sentence and the empty line after them. */
const HEAD = 3;
const MAX_TITLE = 200;

function bodyLines(view: DriftView, detail: Style['detail']): string[] {
  return renderDrift(view, { color: false, width: 100, detail }).split('\n').slice(HEAD);
}

/** The findings without a final line break, at most `limit` characters long. */
export function driftMarkdown(view: DriftView, style: Style, limit = COMMENT_LIMIT): string {
  const { stack, service } = view.drift;
  const [all, names, , counts] = SIZES;
  const attempt = (size: (typeof SIZES)[number], lines: () => string[]) => () => {
    const shown = lines();
    return paragraphs([
      [`**${driftSentence(view)}**`],
      [placeLine(visible(stack), visible(service), { ...size, clip: MAX_TITLE })],
      missingLines(size),
      shown.length === 0 ? [] : fenced(shown, ''),
    ]);
  };
  return firstThatFits(limit, [
    attempt(all, () => bodyLines(view, style.detail)),
    attempt(names, () => bodyLines(view, 'names')),
    attempt(counts, () => []),
  ]);
}

export function driftHtml(view: DriftView, style: Style): string {
  const { stack, service } = view.drift;
  const lines = bodyLines(view, style.detail);
  const place = element('p', ['Stack ', element('code', visible(stack)), ' at ', element('code', visible(service))]);
  return page(`${visible(stack)}: ${driftSentence(view)}`, [
    element('header', [element('h1', driftSentence(view)), place]),
    ...(lines.length === 0
      ? []
      : [
          element(
            'pre',
            lines.map((line) => element('span', line)),
          ),
        ]),
  ]);
}

/** What annotations are called. */
const TITLE = 'drift';

/** The text, with an annotation for each finding that counts. */
export function driftGithub(view: DriftView, style: Style): string {
  const counted = view.drift.findings.filter((finding) => finding.type !== 'unmanaged');
  const problems = counted.map(({ type, address, live_id, changes, evidence }): Problem => ({
    group: 'warning',
    code: TITLE,
    text: [
      `${type}: ${visible(address ?? live_id ?? '')}`,
      ...(address === null && evidence !== undefined ? [clip(visible(evidence), MAX_TITLE)] : []),
      ...changes.map((change) => clip(visible(change.path), MAX_TITLE)),
    ].join(' '),
    place: undefined,
    addresses: [],
    facts: [],
  }));
  return [renderDrift(view, style), ...annotations(problems)].join('\n');
}
