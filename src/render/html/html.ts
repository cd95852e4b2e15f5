// One HTML page that needs nothing else: no script, no address, no image. Text is escaped here, tags are made here only.

/** Markup that is safe as it stands; made by the functions of this file only. */
export type Markup = { readonly markup: string };

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

export type Content = string | Markup | readonly Content[];

/** Text escaped, markup as it is. */
function inner(content: Content): string {
  if (typeof content === 'string') return escapeHtml(content);
  return 'markup' in content ? content.markup : content.map(inner).join('');
}

type Tag =
  | 'a'
  | 'code'
  | 'dd'
  | 'del'
  | 'details'
  | 'div'
  | 'dl'
  | 'dt'
  | 'footer'
  | 'h1'
  | 'h2'
  | 'header'
  | 'ins'
  | 'li'
  | 'main'
  | 'ol'
  | 'p'
  | 'pre'
  | 'section'
  | 'span'
  | 'strong'
  | 'summary'
  | 'table'
  | 'tbody'
  | 'td'
  | 'th'
  | 'thead'
  | 'tr'
  | 'ul';

/** An element; attribute values are escaped. */
export function element(tag: Tag, content: Content, attributes: Readonly<Record<string, string>> = {}): Markup {
  const given = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
  return { markup: `<${tag}${given.join('')}>${inner(content)}</${tag}>` };
}

/** Elements below each other, for people who read the source. */
export function stacked(parts: readonly Markup[]): Markup {
  return { markup: parts.map(({ markup }) => `\n${markup}`).join('') + '\n' };
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** A whole page. */
export function page(title: string, body: readonly Markup[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${CSS}</style>`,
    '</head>',
    '<body>',
    element('main', stacked(body)).markup,
    '</body>',
    '</html>',
  ].join('\n');
}

const CSS = `
:root {
  color-scheme: light dark;
  --text: #1f2328; --quiet: #59636e; --back: #ffffff; --card: #f6f8fa; --line: #d1d9e0; --link: #0550ae;
  --good: #116329; --good-back: #dafbe1; --bad: #a40e26; --bad-back: #ffebe9;
  --warn: #7d4e00; --warn-back: #fff8c5; --rare: #6639ba;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6edf3; --quiet: #9ea7b3; --back: #0d1117; --card: #161b22; --line: #3d444d; --link: #79c0ff;
    --good: #7ee787; --good-back: #12351f; --bad: #ffa198; --bad-back: #4b1113;
    --warn: #f2cc60; --warn-back: #3a2d05; --rare: #d2a8ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--text); background: var(--back); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; overflow-wrap: anywhere; }
h1 { font-size: 1.35rem; line-height: 1.35; margin: 0 0 .25rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
header p, footer, .meta { color: var(--quiet); margin: 0; }
footer { margin-top: 2rem; }
a { color: var(--link); }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; unicode-bidi: isolate; }
.problems { border-left: .3rem solid var(--bad); background: var(--bad-back); padding: .75rem 1rem; margin: 1rem 0; }
.problems.warning { border-color: var(--warn); background: var(--warn-back); }
.problems h2 { margin: 0 0 .25rem; }
.problems ul { margin: 0; padding-left: 1.25rem; }
.problems > ul > li + li { margin-top: .5rem; }
.problems p { margin: 0; }
.sym { display: inline-block; min-width: 1.25em; font-weight: 700; text-align: center; }
.good { color: var(--good); }
.warn { color: var(--warn); }
.bad, .loses { color: var(--bad); }
.rare { color: var(--rare); }
.act, .status { font-weight: 600; }
.sym, .status { white-space: nowrap; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--quiet); font-weight: 600; }
td p { margin: 0; }
td:nth-child(2) { width: 34%; }
td:nth-child(4) { width: 34%; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .75rem 0; background: var(--card); }
summary { padding: .5rem .75rem; cursor: pointer; }
summary:focus-visible, a:focus-visible { outline: .15rem solid var(--link); outline-offset: .1rem; }
.body { padding: 0 .75rem .75rem; }
.body p { margin: 0 0 .25rem; }
pre { margin: .5rem 0 0; padding: .5rem 0; white-space: pre-wrap; background: var(--back); border: 1px solid var(--line); border-radius: .3rem; }
pre > * { display: block; min-height: 1.5em; padding: 0 .75rem 0 calc(.75rem + 2ch); text-indent: -2ch; text-decoration: none; unicode-bidi: isolate; }
ins { color: var(--good); background: var(--good-back); }
del { color: var(--bad); background: var(--bad-back); }
.changed { color: var(--warn); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; }
dt { font-weight: 600; }
dd { margin: 0; }
@media (max-width: 40rem) {
  thead { position: absolute; clip-path: inset(50%); }
  tr { display: block; padding: .5rem 0; border-top: 1px solid var(--line); }
  td, td:nth-child(n) { display: block; width: auto; border: 0; padding: 0; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .5rem; }
}
@media print {
  :root { color-scheme: light; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  details { break-inside: avoid-page; }
  details::details-content { content-visibility: visible; block-size: auto; }
  ins, del, .problems { print-color-adjust: exact; }
}
`;
