// Markdown for comments and job summaries. A document that is too long is shortened: texts are cut, and the least important parts are
// left out; the summary line and the names of what is lost go last.

import { escapeControls } from '../../core/text/escape-controls.ts';
import { knownSecrets } from '../../core/secrets/known.ts';
import { byteLength, percentEncoded, plural } from '../../core/text/text.ts';
import { documentOf } from '../document/document.ts';
import { partsOf } from '../markdown/blocks.ts';
import { code, truncate } from '../markdown/markdown.ts';
import { shorten } from '../markdown/parts.ts';
import type { RenderOptions } from '../render-options.ts';
import type { View } from '../view/view.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'markdown',
  position: 30,
  isLog: false,
  isForForge: true,
  draw: drawMarkdown,
} as const satisfies Writer;

/** Longest text in a document that is too long. */
const MAX_TEXT = 60;

/** Below the 65,536 characters of a comment on GitHub, with room for what a pipeline adds. */
const MAX_COMMENT = 60_000;

/** The view without a final line break, at most `limit` bytes long. */
function drawMarkdown(view: View, { comment = {} }: RenderOptions, limit = MAX_COMMENT): string {
  const drawn = (longest: number, fits: (text: string) => boolean) => {
    const [heading, ...rest] = partsOf(documentOf(view), { longest, depth: 0, base: 0 });
    const body = { parts: rest, separator: '\n\n' };
    const end = view.is === 'problems' ? [] : footerLines(view, comment, longest);
    const whole = ({ text, left }: ReturnType<typeof shorten>) => {
      const first = heading === undefined ? '' : shorten(heading, () => true).text;
      const note = longest === Infinity ? [] : [missingText(left, limit > MAX_COMMENT)];
      return [marker(view), first, ...note, ...(text === '' ? [] : [text]), ...end].join('\n\n');
    };
    return whole(shorten(body, (one) => fits(whole(one))));
  };
  const text = drawn(Infinity, () => true);
  return byteLength(text) <= limit ? text : drawn(MAX_TEXT, (one) => byteLength(one) <= limit);
}

/** A summary of a job has a larger limit than a comment. */
function missingText(left: ReadonlyMap<string, number>, isSummary: boolean): string {
  const counts = [...left].map(([noun, count]) => plural(count, noun)).join(', ');
  const said = `Long texts are cut${counts === '' ? '' : `; left out: ${counts}`}.`;
  const where = isSummary ? 'the log of the job' : 'the log of the job, and in its summary up to the limit of that';
  return `_This is too long to show in full. ${said} Everything is in ${where}; \`--format html\` shows it, too._`;
}

/** Drift omits the commit: its issue outlives commits, and the same drift should give the same text. */
function footerLines(
  { is }: View,
  { version, commit }: NonNullable<RenderOptions['comment']>,
  longest: number,
): string[] {
  const shown = (whole: string) => code(truncate(escapeControls(whole), longest));
  const said = [
    ...(version === undefined ? [] : [`edgeform ${shown(version)}`]),
    ...(commit === undefined || is === 'drift' ? [] : [`commit ${shown(commit)}`]),
  ];
  return said.length === 0 ? [] : ['---', said.join(' · ')];
}

/** Longer than any stack, address or digest of ours; a plan file may contain anything. */
const MAX_VALUE = 120;

/**
 * The first line of a comment, an invisible marker for programs: `<!-- edgeform:plan stack=shop … -->`. Its form is a contract
 * with pipelines, described in docs/formats.md.
 */
function marker({ is, facts }: View): string {
  const pairs = Object.entries(facts).map(([name, value]) => `${name}=${encoded(value)}`);
  return `<!-- ${[`edgeform:${is}`, ...pairs].join(' ')} -->`;
}

/**
 * Percent-encoded except slashes and the first colon, without two hyphens in a row, so that nothing ends the comment. Masked
 * first, because the output filter might not recognise an encoded secret.
 */
function encoded(value: string): string {
  const isWhole = value.length <= MAX_VALUE && /^[\w:/.-]*$/.test(value);
  const text = isWhole ? value : knownSecrets.mask(value);
  return text
    .slice(0, MAX_VALUE)
    .replace(/[^\w./-]|-(?=-)/gu, percentEncoded)
    .replace('%3A', ':');
}
