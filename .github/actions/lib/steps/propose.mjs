// Keeps one proposed change that writes accepted drift into the manifest. Runs in a job that has no key of the service, and trusts nothing
// that the other job stored: what is no manifest, or does not fit, is refused.

import { existsSync } from 'node:fs';
import { readStored } from '../accepted.mjs';
import { isFleet } from '../program.mjs';
import { proposalOf, putProposal } from '../proposal.mjs';

export async function propose(forge) {
  const { about, inputs, words } = forge;
  const { accepted } = forge.files;
  const stored = existsSync(accepted) ? readStored(accepted) : undefined;
  // A file of a commit cannot name that commit.
  if (stored?.commit !== forge.head()) return sayUnknown(forge);
  if (!forge.canTell) throw new Error(forge.needed);
  const { base, root, folder, more } = forge.checkout();
  const wanted = proposalOf(stored, {
    about,
    isFleet: isFleet(forge),
    request: words.request,
    run: words.link,
    more,
    root,
    folder,
    manifest: inputs.manifest,
    fleet: inputs.fleet,
  });
  await putProposal(forge, { about, base, request: words.request, ...wanted });
}

function sayUnknown(forge) {
  const missing = forge.missing();
  if (missing !== undefined) throw new Error(missing);
  forge.say('notice', forge.words.unknownDrift);
}
