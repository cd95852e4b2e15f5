// The documents as a site. It has its own packages, so that who works on the program never installs
// them: `npm ci && npm run build` in docs/site. The result works without a network.
import { existsSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCS = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const REPOSITORY = 'https://github.com/edgeform/edgeform/blob/main/';

/** Pages of each part, by what a reader wants of them. */
const PARTS = {
  Start: [
    ['Install', 'install'],
    ['From nothing to a stack', 'tutorial'],
  ],
  'How to': [
    ['Adopt what exists', 'export'],
    ['Migrate from Terraform', 'migration'],
    ['Rotate a key', 'how-to/rotate-a-key'],
    ['Move a hostport', 'how-to/move-a-hostport'],
    ['Rename', 'how-to/rename-a-stack'],
    ['Split a stack', 'how-to/split-a-stack'],
    ['Recover after a crash', 'how-to/recover'],
    ['Pull requests', 'pull-requests'],
    ['Forks', 'how-to/forks'],
    ['Roll out in waves', 'how-to/canary'],
    ['Schedules', 'how-to/schedules'],
    ['Notifications', 'how-to/notifications'],
    ['Secrets', 'how-to/secrets'],
    ['Renovate', 'how-to/renovate'],
    ['Presets and overlays', 'how-to/presets-and-overlays'],
    ['Generate a manifest', 'how-to/generate'],
    ['Many stacks', 'fleets'],
    ['Policies', 'policies'],
    ['Proxies and certificates', 'how-to/proxies'],
    ['Containers', 'how-to/container'],
    ['Editors', 'editors'],
    ['The emulator', 'emulator'],
    ['Another service', 'compatibility'],
  ],
  Reference: [
    ['Guide and exit codes', 'guide'],
    ['Commands and options', 'commands'],
    ['Kinds and fields', 'reference'],
    ['Errors', 'errors'],
    ['Formats', 'formats'],
    ['The terminal', 'terminal'],
    ['Performance', 'performance'],
  ],
  Explanation: [
    ['Identity without state', 'explanation/identity'],
    ['The truth about drift', 'explanation/drift'],
    ['What is promised', 'reliability'],
    ['Architecture', 'ARCHITECTURE'],
    ['Glossary', 'GLOSSARY'],
    ['Decisions', 'adr/README'],
  ],
};

const sidebar = Object.entries(PARTS).map(([text, pages]) => ({
  text,
  items: pages.map(([title, path]) => {
    if (!existsSync(join(DOCS, `${path}.md`))) throw new Error(`docs/${path}.md does not exist`);
    return { text: title, link: `/${path}` };
  }),
}));

export default {
  title: 'edgeform',
  description: 'Declarative reconciler for the Edge Ingress Management API',
  // A copy: pages are compiled with what is installed beside them.
  srcDir: 'pages',
  // The front page is here, beside its settings.
  rewrites: { 'site.md': 'index.md' },
  outDir: '.vitepress/dist',
  cacheDir: '.vitepress/cache',
  cleanUrls: false,
  markdown: { html: false, config: withRules },
  themeConfig: {
    nav: sidebar.map(({ text, items }) => ({ text, link: items[0].link })),
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    footer: { message: 'MIT' },
  },
};

function withRules(md) {
  md.core.ruler.push('leave', leave);
  md.core.ruler.push('tables', markTables);
}

/** A name in a table that is not longer is never broken. */
const SHORT = 34;

/** Each cell of a table knows the head of its column, and short names in it are marked. */
function markTables({ tokens }) {
  let heads = [];
  let column = 0;
  let isInTable = false;
  tokens.forEach((token, at) => {
    const { type } = token;
    if (type === 'table_open') [isInTable, heads] = [true, []];
    if (type === 'table_close') isInTable = false;
    if (type === 'tr_open') column = 0;
    if (type === 'th_open') heads.push(tokens[at + 1]?.content ?? '');
    if (type === 'td_open') token.attrSet('data-head', heads[column++] ?? '');
    if (type !== 'inline' || !isInTable) return;
    for (const child of token.children ?? [])
      if (child.type === 'code_inline' && child.content.length <= SHORT) child.attrJoin('class', 'short');
  });
}

/** Links to what is no page lead to the repository: examples, schemas, tests, recorded sessions. */
function leave(state) {
  const from = state.env.relativePath ?? '';
  for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
    // Expressions of workflows are no expressions of a page.
    if (token.type === 'code_inline') token.attrSet('v-pre', '');
    const href = token.type === 'link_open' ? token.attrGet('href') : null;
    if (href === null || /^[a-z]+:|^[#/]/.test(href)) continue;
    const path = posix.normalize(posix.join('docs', posix.dirname(from), href));
    if (!path.startsWith('docs/') || !/\.md(?:#.*)?$/.test(path)) token.attrSet('href', `${REPOSITORY}${path}`);
  }
}
