// The first line of a comment: an invisible marker for programs. Its form is a contract with pipelines, described in
// docs/formats.md.

import { knownSecrets } from '../../core/secrets/known.ts';
import { percentEncoded } from '../../core/text/text.ts';
import type { View } from '../view/view.ts';

/** Longer than any stack, address or digest of ours; a plan file may contain anything. */
const MAX_VALUE = 120;

/** `<!-- edgeform:plan stack=shop … -->`, or an unused link definition where HTML comments are shown. */
export function marker({ is, facts }: Pick<View, 'is' | 'facts'>, hasHtml: boolean): string {
  const pairs = Object.entries(facts).map(([name, value]) => `${name}=${encoded(value)}`);
  const said = [`edgeform:${is}`, ...pairs].join(' ');
  return hasHtml ? `<!-- ${said} -->` : `[//]: # "${said}"`;
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
