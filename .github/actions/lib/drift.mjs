// Looks for drift; the text of the issue is written to a file.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents, edgeform, givenOptions } from './edgeform.mjs';
import { addSummary, main, newFolder, setOutput } from './github.mjs';

const { FOLDER } = process.env;

await main(async () => {
  newFolder(FOLDER);
  const [summary, found] = ['summary.md', 'drift.md'].map((name) => join(FOLDER, name));
  const code = await edgeform(['drift', '--format', 'github', ...documents(summary, found), ...givenOptions('drift')]);
  if (existsSync(summary)) addSummary(readFileSync(summary, 'utf8'));
  setOutput('code', code);
  setOutput('found', found);
});
