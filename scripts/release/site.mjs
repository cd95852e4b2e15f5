// The documents as a site: built from its own lock, complete, and without anything that a reader without a network would miss.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demand, run } from './tools.mjs';

export function checkSite() {
  const cwd = 'docs/site';
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd });
  const said = run('npm', ['run', 'build'], { cwd });
  demand(!/error/i.test(said), said);
  const built = join(cwd, '.vitepress/dist');
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && !path.startsWith('site/') && path !== 'site.md',
  );
  const missing = pages.filter((path) => !existsSync(join(built, path.replace(/\.md$/, '.html'))));
  demand(missing.length === 0, `no page for ${missing.join(', ')}`);
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' });
  for (const path of files.filter((name) => name.endsWith('.html'))) {
    const tags = readFileSync(join(built, path), 'utf8').match(/<(?:script|link|img)[^<>]*>/g) ?? [];
    const loaded = tags.find((tag) => /(?:src|href)="https?:/.test(tag));
    demand(loaded === undefined, `${path} loads ${loaded}`);
  }
  demand(
    files.some((path) => path.includes('localSearchIndex')),
    'there is no index to search',
  );
  return `${pages.length + 1} pages`;
}
