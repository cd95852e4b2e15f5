// The first line of each document: a comment that programs know it by, which nobody sees. Its form is a contract
// with pipelines, described in docs/formats.md.

import { maskSecrets } from '../../core/secrets/find-secrets.ts';
import { percentEncoded } from '../../core/text/text.ts';
import type { View } from '../view/view.ts';

/** Longer than any stack, address or digest of ours; a plan file may hold anything. */
const MAX_VALUE = 120;

/** `<!-- edgeform:plan stack=shop … -->`, or a definition that nothing links to where comments are shown. */
export function marker({ is, facts }: Pick<View, 'is' | 'facts'>, hasHtml: boolean): string {
  const pairs = Object.entries(facts).map(([name, value]) => `${name}=${encoded(value)}`);
  const said = [`edgeform:${is}`, ...pairs].join(' ');
  return hasHtml ? `<!-- ${said} -->` : `[//]: # "${said}"`;
}

/**
 * Percent-encoded but for slashes and the first colon, and without two hyphens in a row, so that nothing ends the comment.
 * Masked first where the output filter could not know a secret again.
 */
function encoded(value: string): string {
  const isWhole = value.length <= MAX_VALUE && /^[\w:/.-]*$/.test(value);
  const text = isWhole ? value : maskSecrets(value);
  return text
    .slice(0, MAX_VALUE)
    .replace(/[^\w./-]|-(?=-)/gu, percentEncoded)
    .replace('%3A', ':');
}
