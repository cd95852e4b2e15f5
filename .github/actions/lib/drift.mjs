// Looks for drift; the text of the issue is written to a file, and so is what a pull request would write into the manifest.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  if (PULL_REQUEST === 'true' && (code === 0 || code === 2)) await accept(code, found);
});

/** Stores what the pull request says and changes; no document where nothing drifted. */
async function accept(code, found) {
  const path = join(FOLDER, 'document.json');
  const accepted =
    code === 0
      ? 0
      : await edgeform(['drift', '--accept', 'all', '--format', 'json', ...givenOptions('drift')], { stdout: path });
  if (accepted !== 0 && accepted !== 2) {
    annotate('warning', `the drift could not be accepted: exit code ${accepted}; the pull request stays as it is`);
    return;
  }
  const document = code === 0 ? null : JSON.parse(readFileSync(path, 'utf8'));
  const stored = join(FOLDER, 'accepted.json');
  writeFileSync(stored, JSON.stringify({ found: readFileSync(found, 'utf8'), document }));
  setOutput('accepted', stored);
  setOutput('artifact', acceptedName(subject()));
}
