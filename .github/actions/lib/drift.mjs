// Looks for drift; the text of the issue is written to a file, and so is what a pull request would write into the manifest.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeAccepted } from './accept.mjs';
import { documents, edgeform, givenOptions } from './edgeform.mjs';
import { acceptedName, addSummary, annotate, main, newFolder, setOutput, subject } from './github.mjs';

const { FOLDER, PULL_REQUEST = '' } = process.env;

await main(async () => {
  newFolder(FOLDER);
  const [summary, found] = ['summary.md', 'drift.md'].map((name) => join(FOLDER, name));
  const code = await edgeform(['drift', '--format', 'github', ...documents(summary, found), ...givenOptions('drift')]);
  if (existsSync(summary)) addSummary(readFileSync(summary, 'utf8'));
  setOutput('code', code);
  setOutput('found', found);
  if (PULL_REQUEST === 'true' && (code === 0 || code === 2)) await store(code, readFileSync(found, 'utf8'));
});

/** For the action drift-pull-request. */
async function store(code, found) {
  const stored = join(FOLDER, 'accepted.json');
  const warn = (text) => annotate('warning', text);
  const about = { hasDrifted: code === 2, found, options: givenOptions('drift'), warn };
  if (!(await storeAccepted(stored, about))) return;
  setOutput('accepted', stored);
  setOutput('artifact', acceptedName(subject()));
}
