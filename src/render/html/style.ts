// The page's style: light and dark, wide and narrow, printed. Contains no `<` and no URL.

export const STYLE = `
:root {
  color-scheme: light dark;
  --text: #1b1f24; --quiet: #57606a; --back: #f6f7f9; --card: #ffffff; --line: #d8dde3; --soft: #eceff3; --link: #0b57b8;
  --good: #0f6a34; --good-back: #e3f6e9; --good-bar: #2da44e;
  --bad: #b0121f; --bad-back: #fdeceb; --bad-bar: #d1242f;
  --warn: #7a4b00; --warn-back: #fff3d1; --warn-bar: #d49a1f;
  --rare: #5e35b1; --rare-back: #f1ebfc; --rare-bar: #8250df;
  --mono: ui-monospace, 'SF Mono', SFMono-Regular, 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e4e8ee; --quiet: #9aa4b1; --back: #0d1014; --card: #15191f; --line: #2c333d; --soft: #1f252d; --link: #7db7ff;
    --good: #6fdc8c; --good-back: #10291a; --good-bar: #2ea043;
    --bad: #ff9a93; --bad-back: #361416; --bad-bar: #e5484d;
    --warn: #f0c45c; --warn-back: #2e2407; --warn-bar: #c6901a;
    --rare: #c7a9ff; --rare-back: #231a38; --rare-bar: #8b5cf6;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; color: var(--text); background: var(--back); font: 15px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 72rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2.25rem; }
footer { padding-bottom: 3rem; color: var(--quiet); }
h1 { margin: .15rem 0 1rem; font-size: 1.5rem; line-height: 1.3; font-weight: 650; letter-spacing: -.012em; }
h1 span { display: block; margin-top: .2rem; font-size: 1.0625rem; font-weight: 400; letter-spacing: 0; }
h2 { margin: 0 0 .6rem; font-size: 1.0625rem; line-height: 1.35; font-weight: 650; }
h3, h4, h5, h6 { margin: 1.25rem 0 .4rem; font-size: .8125rem; font-weight: 650; }
h3::first-letter, thead th::first-letter { text-transform: uppercase; }
p { margin: 0 0 .35rem; }
ul { margin: 0; padding-left: 1.15rem; }
section { margin-top: 2rem; }
section section { margin-top: 0; }
header p { color: var(--quiet); }
header .advice { margin: 1rem 0 0; color: var(--text); font-weight: 600; }
code, pre { font: .8667em/1.6 var(--mono); unicode-bidi: isolate; }
.meta, .meta code { color: var(--quiet); font-weight: 400; }
p.meta { font-size: .8667rem; }
a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; border-radius: 3px; }
.good { --tone: var(--good); --tint: var(--good-back); --fill: var(--good-bar); }
.warn { --tone: var(--warn); --tint: var(--warn-back); --fill: var(--warn-bar); }
.bad { --tone: var(--bad); --tint: var(--bad-back); --fill: var(--bad-bar); }
.rare { --tone: var(--rare); --tint: var(--rare-back); --fill: var(--rare-bar); }
.quiet { --tone: var(--quiet); --tint: var(--soft); --fill: var(--quiet); }
.act, .status { color: var(--tone); font-weight: 600; white-space: nowrap; }
.sym { display: inline-block; width: 1.35em; margin-right: .15em; border-radius: .25em; background: var(--tint); font: 700 .9em/1.35 var(--mono); text-align: center; }
summary .name, td .name, th .name, .box a .name { font-weight: 600; }
.loses { color: var(--bad); }
.calm { margin-top: 1.5rem; color: var(--quiet); }

.box { border: 1px solid var(--fill); border-radius: .5rem; background: var(--card); overflow: clip; }
.box h2 { margin: 0; padding: .5rem 1.1rem; border-bottom: 1px solid var(--fill); color: var(--tone); background: var(--tint); font-size: 1rem; }
.box > ul { padding: 0; list-style: none; }
.box > ul > li { padding: .65rem 1.1rem; }
.box > ul > li + li { border-top: 1px solid var(--line); }
.box p { margin: .1rem 0 0; }
.box .name + .name { font-weight: 400; }
.box a { color: inherit; text-underline-offset: .3em; }

table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .9rem .35rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
thead th { border-top: 0; white-space: nowrap; color: var(--quiet); font-size: .8667rem; font-weight: 600; }
td p { margin: 0; }
table { overflow-wrap: break-word; }
.list { width: 100%; table-layout: fixed; }
.list th:first-child { width: 8.5rem; }
.list th:nth-child(2) { width: 48%; }
.list td .act { display: inline-block; min-width: 6.75rem; }
.counts, .list { padding: .4rem 1.1rem; border: 1px solid var(--line); border-radius: .5rem; border-collapse: separate; border-spacing: 0; background: var(--card); }
.number { text-align: right; }
.counts td, .counts thead th + th { padding: .2rem 0 .2rem 2.25rem; }
.counts th { padding: .2rem 0; }
.counts .name, .counts .status { white-space: nowrap; }
.counts thead th { vertical-align: bottom; }

.rows { padding: 0; list-style: none; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); overflow: clip; }
.rows > li { content-visibility: auto; contain-intrinsic-size: auto 2.75rem; }
.rows > li + li { border-top: 1px solid var(--line); }
summary { display: grid; grid-template-columns: 1rem minmax(6.75rem, max-content) auto minmax(0, 1fr); column-gap: .6rem; align-items: baseline; padding: .5rem .9rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: ''; width: .42rem; height: .42rem; border: solid var(--quiet); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); align-self: center; }
[open] > summary::before { transform: translateY(-.15rem) rotate(45deg); }
summary:hover { background: var(--soft); }
summary:focus-visible { outline-offset: -2px; }
.hint { grid-column: -2; color: var(--quiet); font-size: .8667rem; text-align: right; }
[open] > summary .hint { display: none; }
.body { padding: 0 .9rem .8rem 2.5rem; scroll-margin-top: 3rem; }
.body:target { box-shadow: inset 3px 0 var(--link); }
pre { margin: .4rem 0 .5rem; padding: .3rem 0; overflow: clip; border: 1px solid var(--line); border-radius: .4rem; background: var(--back); white-space: pre-wrap; }
pre > * { display: block; min-height: 1.6em; padding: 0 .75rem 0 calc(.75rem + 2ch); text-indent: -2ch; text-decoration: none; unicode-bidi: isolate; }
ins { color: var(--good); background: var(--good-back); }
del { color: var(--bad); background: var(--bad-back); }
.changed { color: var(--warn); background: var(--warn-back); }
.frame { color: var(--text); }
.frame > * { padding-left: .75rem; text-indent: 0; }
mark { border-bottom: 2px solid var(--bad-bar); color: inherit; background: none; }

section[id] > h3 { margin-top: 2rem; font-size: 1.0625rem; }
section[id] > h3::first-letter { text-transform: none; }
section[id] .box + .box { margin-top: .75rem; }
.box h4 { margin: 0; padding: .5rem 1.1rem; border-bottom: 1px solid var(--fill); color: var(--tone); background: var(--tint); }
main > .counts { display: block; width: fit-content; max-width: 100%; margin-top: 1rem; overflow-x: auto; }
main > .counts td, main > .counts thead th + th { padding-left: 1.1rem; }
main > .wide td, main > .wide thead th + th { padding-left: .65rem; }
main > .counts thead .number { text-align: right; }
main > .counts td .name { font-weight: 400; }

.box > .rows { border: 0; border-radius: 0; }
.box > .rows > li { padding: 0; }
.names { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: 0; list-style: none; }
.long { display: block; }
.all { margin: .4rem 0 .6rem; }
.all > summary { display: grid; width: fit-content; grid-template-columns: 1rem auto; padding: 0; color: var(--link); }
.all > summary > span { grid-column: 2; }
.all > ul { margin: .3rem 0 0; padding-left: 1.6rem; list-style: none; }

@media (max-width: 79.9rem) {
  main > .wide, main > .wide tbody, main > .wide tr { display: block; }
  main > .wide thead { display: none; }
  main > .wide { width: 100%; padding: 0 .75rem; overflow-wrap: anywhere; }
  main > .wide tr { display: flex; flex-wrap: wrap; gap: 0 .9rem; padding: .45rem 0; }
  main > .wide tr + tr { border-top: 1px solid var(--line); }
  main > .wide tr > * { padding: 0; border: 0; text-align: left; }
  main > .wide th { flex: 1 1 100%; }
  main > .wide .name { white-space: normal; }
  main > .wide .none { display: none; }
  main > .wide .number::after { content: ' ' attr(data-word); color: var(--quiet); }
}
@media (max-width: 46rem) {
  body, table { overflow-wrap: anywhere; }
  main > .counts, main > .counts tbody, main > .counts tr { display: block; }
  main > .counts thead { display: none; }
  main > .counts { width: 100%; padding: 0 .75rem; overflow-wrap: anywhere; }
  main > .counts tr { display: flex; flex-wrap: wrap; gap: 0 .9rem; padding: .45rem 0; }
  main > .counts tr + tr { border-top: 1px solid var(--line); }
  main > .counts tr > * { padding: 0; border: 0; text-align: left; }
  main > .counts th { flex: 1 1 100%; }
  main > .counts .name, main > .counts .status { white-space: normal; }
  main > .counts .none { display: none; }
  main > .counts .number::after { content: ' ' attr(data-word); color: var(--quiet); }
  header, main, footer { padding-left: 1rem; padding-right: 1rem; }
  header { padding-top: 1.25rem; }
  h1 { font-size: 1.25rem; }
  .act, .status { white-space: normal; }
  th, td { padding-right: .6rem; }
  .list, .list tbody, .list tr, .list td { display: block; }
  .list thead { display: none; }
  .list { padding: 0 .75rem; }
  .list tr { padding: .45rem 0; }
  .list tr + tr { border-top: 1px solid var(--line); }
  .list td { padding: 0; border: 0; }
  summary { grid-template-columns: 1rem auto 1fr; row-gap: .1rem; padding: .55rem .75rem; }
  summary > span:nth-child(2) { grid-column: 2 / -1; }
  .hint { display: none; }
  .body { padding: 0 .75rem .75rem; }
}
@media print {
  :root { color-scheme: light; --back: #ffffff; }
  body { font-size: 9.5pt; }
  header, main, footer { max-width: none; padding: 0; }
  summary::before { visibility: hidden; }
  .rows > li { content-visibility: visible; break-inside: avoid-page; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .hint { display: none; }
  ins, del, .box, .sym { print-color-adjust: exact; }
}
`;
