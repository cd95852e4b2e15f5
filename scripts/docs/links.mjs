// The documents of this repository, and links between them that lead nowhere.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fencesIn } from './blocks.mjs';

/** Paths of all documents, from the root. */
export function documents(root) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed.split('\n').filter((path) => path !== '' && !path.startsWith('test/') && existsSync(join(root, path)));
}

/** Links of a document to a file or a heading that does not exist. */
export function brokenLinks(path, root) {
  const text = fencesIn(readFileSync(join(root, path), 'utf8')).outside.replaceAll(/`[^`\n]*`/g, '');
  const links = [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, link]) => link);
  return links.filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(link, path, root));
}

function leadsSomewhere(link, from, root) {
  const [file, heading] = link.split('#');
  const path = file === '' ? from : normalize(join(dirname(from), decodeURIComponent(file)));
  if (!existsSync(join(root, path))) return false;
  return heading === undefined || headings(readFileSync(join(root, path), 'utf8')).has(heading);
}

/** Anchors of a document, as GitHub makes them. */
function headings(text) {
  const titles = [...fencesIn(text).outside.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title);
  const slug = (title) =>
    title
      .replaceAll(/\]\([^()]*\)/g, ']')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
  const seen = new Map();
  return new Set(
    titles.map(slug).map((one) => {
      const count = seen.get(one) ?? 0;
      seen.set(one, count + 1);
      return count === 0 ? one : `${one}-${count}`;
    }),
  );
}
