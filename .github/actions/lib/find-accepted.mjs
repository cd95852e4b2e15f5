// Finds the name under which the job that looked for drift stored what was accepted. Knows no secret.

import { acceptedName, checkStart, main, setOutput, subject } from './github.mjs';

await main(() => {
  checkStart(process.env.STACK);
  setOutput('artifact', acceptedName(subject()));
});
