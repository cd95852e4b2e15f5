// Checks the manifest, with annotations at its lines.

import { givenOptions, edgeform } from './edgeform.mjs';
import { main, setOutput } from './github.mjs';

await main(async () => {
  const code = await edgeform(['validate', '--format', 'github', ...givenOptions('validate')]);
  setOutput('code', code);
  process.exitCode = code;
});
