// Checks the manifest, with annotations at its lines.

import { givenOptions, edgeform } from './edgeform.mjs';
import { main } from './github.mjs';

await main(async () => {
  process.exitCode = await edgeform(['validate', '--format', 'github', ...givenOptions('validate')]);
});
