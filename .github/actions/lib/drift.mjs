// Looks for drift; the text of the issue is written to a file.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { givenOptions, edgeform, lines } from './edgeform.mjs';
import { addSummary, main, newFolder, setOutput } from './github.mjs';

const { FOLDER, IGNORE } = process.env;

await main(async () => {
  newFolder(FOLDER);
  const found = join(FOLDER, 'drift.md');
  const ignore = lines(IGNORE).flatMap((path) => ['--ignore', path]);
  const code = await edgeform([
    'drift',
    '--format',
    'github',
    '--summary-file',
    found,
    ...ignore,
    ...givenOptions('drift'),
  ]);
  if (existsSync(found)) addSummary(readFileSync(found, 'utf8'));
  setOutput('code', code);
  setOutput('found', found);
});
