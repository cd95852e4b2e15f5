// Looks for drift; the text of the issue is written to a file.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { givenOptions, edgeform } from './edgeform.mjs';
import { addSummary, main, newFolder, setOutput } from './github.mjs';

const { FOLDER } = process.env;

await main(async () => {
  newFolder(FOLDER);
  const found = join(FOLDER, 'drift.md');
  const code = await edgeform(['drift', '--format', 'github', '--summary-file', found, ...givenOptions('drift')]);
  if (existsSync(found)) addSummary(readFileSync(found, 'utf8'));
  setOutput('code', code);
  setOutput('found', found);
});
