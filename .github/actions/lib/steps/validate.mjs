// Checks the manifest, with findings at its lines, in each form that the forge reads.

import { optionsOf, programOf } from '../program.mjs';

export async function validate(forge) {
  const edgeform = programOf(forge);
  const options = optionsOf(forge, 'validate');
  const codes = [];
  for (const { format, path } of forge.findings)
    codes.push(await edgeform(['validate', '--format', format, ...options], { stdout: path }));
  const [code] = codes;
  forge.put({ code });
  return code;
}
