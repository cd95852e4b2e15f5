// Where the cache of the branch that applies is out of reach, takes the journal that the last apply kept with its job. It is only read: what plans
// keeps none. Without it, a plan goes on, unless the service has objects that only a journal knows.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { journalPath } from '../names.mjs';
import { journalsOf } from '../plans.mjs';
import { isFleet } from '../program.mjs';

export async function journal(forge) {
  if (!isMissing(forge)) return undefined;
  const why = await takeKept(forge);
  if (why === undefined) return undefined;
  if (!forge.needsJournal) return forge.say('notice', `The plan is made without the journal: ${why}`);
  const unable = `There is no plan, because the journal is missing: ${why}`;
  forge.say('error', unable);
  return forge.put({ unable });
}

/** On the branch itself, the cache has what there is. That no service is named, the program says; a fleet names its own. */
function isMissing(forge) {
  if (forge.change() === undefined || (!isFleet(forge) && !URL.canParse(forge.about.service))) return false;
  return journalsOf(forge).length === 0;
}

/** Why there is none, if there should be one. Before the first apply, there is none to have. */
async function takeKept(forge) {
  const { about, words } = forge;
  // The stacks of a fleet have one each, at services that only the program knows.
  if (isFleet(forge)) return words.noJournal('those of a fleet are not taken from the last apply', false);
  const path = journalPath(about);
  if (!forge.canTell) return words.noJournal('there is no token that finds it');
  try {
    const last = await forge.lastApply();
    if (last === undefined) return undefined;
    const text = await forge.keptBy(last, path);
    if (text === undefined) return words.noJournal(`the job ${last} of the last apply gives nobody here its artifact`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    forge.say('notice', `The journal is that of the last apply, from the artifact of the job ${last}.`);
    return undefined;
  } catch (error) {
    return words.noJournal(error.message);
  }
}
