// Finds what the plan of a change is compared with. Knows no secret.

import { optionsToCompare } from '../git.mjs';

export function base(forge) {
  const say = (text) => forge.say('notice', text);
  const [, found = ''] = optionsToCompare(forge.base(), forge.inputs.options, say);
  forge.put({ base: found });
}
