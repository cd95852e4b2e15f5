// One change that writes accepted drift into the manifest: opened, kept up to date, and closed. A forge says of each proposal from the branch
// whether its own user opened it.
//
// The branch has one commit, whose message ends with a digest of what it changes. As long as that is so, the branch is ours and is
// written over; else it has the work of somebody else, and is left alone.

import { digestOf, digestOfAccepted, documentsIn, filesOf, manifestsNamed, MAX_FILES } from './accepted.mjs';
import { keyOf } from './names.mjs';
import { isAbout, readMarker, withMarker, withoutMarker } from './marker.mjs';
import { create, ourComments, putComment } from './sticky.mjs';

const KIND = 'accept';
const SEAL = 'Edgeform-Changes: ';

/** The end of the message of a commit that is ours. */
function sealOf(texts) {
  return `${SEAL}${digestOf([...texts].sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}

/** What a branch changes, if nobody but us did it; else undefined. One that was merged changes nothing. */
async function sealedTexts(forge, { sha, commits, message, paths }) {
  if (commits === 0) return new Map();
  if (commits > 1 || paths.length > MAX_FILES) return undefined;
  const texts = await textsAt(forge, paths, sha);
  return message.trimEnd().split('\n').at(-1) === sealOf(texts) ? texts : undefined;
}

async function textsAt(forge, paths, sha) {
  const texts = new Map();
  for (const path of paths) texts.set(path, await forge.fileAt(path, sha));
  return texts;
}

/**
 * Makes the proposal what it is to be. `wanted` has the files, the title, the body and the fingerprint of what was accepted; without it
 * there is nothing to propose, and `farewell` says why. `request` is what the forge calls a proposed change.
 */
export async function putProposal(forge, { about, base, wanted, farewell, request }) {
  const branch = `edgeform/drift-${keyOf(about)}`;
  const { all, open, rival } = await proposalsOf(forge, { branch, about, base });
  const another = rival && anotherOpen(rival, branch, request);
  const head = await forge.branchSince(branch, base);
  const sealed = head && (await sealedTexts(forge, head));
  const isForeign = head !== undefined && sealed === undefined;
  if (wanted === undefined) {
    if (another) forge.say('notice', another);
    await markGone(forge, all, about);
    return close(forge, { about, branch, open, head, isForeign, farewell });
  }
  const turnedDown = open === undefined && all.find((one) => isTurnedDown(one, wanted.fingerprint));
  if (turnedDown)
    return forge.say(
      'notice',
      `${request} ${turnedDown.name} with the same changes was closed by a person, so there is no new one until the drift changes or was gone; or reopen that one`,
    );
  const texts = new Map([...wanted.files].map(([path, { text }]) => [path, text]));
  if (isForeign) return leave(forge, { about, branch, open, head, texts, request });
  if (open === undefined && another) throw new Error(another);
  if (sealed === undefined || !areEqual(sealed, texts)) {
    await requireCommitted(forge, wanted.files, base);
    const message = `${wanted.title}\n\n${wanted.why}\n\n${sealOf(texts)}\n`;
    await forge.writeBranch(branch, { base, message, files: wanted.files, isThere: head !== undefined });
  }
  const body = withMarker(wanted.body, KIND, { ...about, result: 'open', fingerprint: wanted.fingerprint });
  if (open === undefined)
    await create(
      () => forge.createProposal({ branch, base: base.ref, title: wanted.title, body }),
      async () => [(await proposalsOf(forge, { branch, about, base })).open].filter((one) => one !== undefined),
    );
  else if (open.body !== body) await forge.updateProposal(open.number, { body });
}

/** Ours about the stack, the open one of them, and one in whose way ours would be: a branch has one open proposal for another branch. */
async function proposalsOf(forge, { branch, about, base }) {
  const found = await forge.proposals(branch);
  const all = found.filter(({ isOwn, body }) => isOwn && isAbout(body, KIND, about));
  const isOpen = ({ state }) => state === 'open';
  const rival = found.find((one) => isOpen(one) && one.base === base.ref && !all.includes(one));
  return { all, open: all.find(isOpen), rival };
}

function anotherOpen({ name, isOwn }, branch, request) {
  const why = isOwn ? 'its text lost the first line' : 'another user opened it';
  return `${request} ${name} is open for the branch ${branch}, and ${why}: close it, and run the job again`;
}

/** A checkout may have other texts than the commit: generated ones, or other line breaks. They would be part of the change. */
async function requireCommitted(forge, files, { sha }) {
  for (const [path, { before }] of files)
    if ((await forge.fileAt(path, sha)) !== before.toString('utf8'))
      throw new Error(`${path} is not as commit ${sha.slice(0, 12)} has it: check out that commit, and change nothing`);
}

/** One that a person closed, for as long as the same is live: what has nothing more to say has no fingerprint. */
function isTurnedDown({ state, body }, fingerprint) {
  return state === 'closed' && readMarker(body).facts.fingerprint === fingerprint;
}

/** The drift that people turned down is gone: if it comes again, it is proposed again. */
async function markGone(forge, all, about) {
  for (const { number, state, body } of all)
    if (state === 'closed' && readMarker(body).facts.result === 'open')
      await forge.updateProposal(number, { body: asGone(body, about) });
}

function asGone(body, about) {
  return withMarker(body, KIND, { ...about, result: 'gone' });
}

function areEqual(one, other) {
  return one.size === other.size && [...one].every(([path, text]) => other.get(path) === text);
}

async function close(forge, { about, branch, open, head, isForeign, farewell }) {
  if (isForeign) {
    if (open !== undefined) await sayOnce(forge, about, open, `${farewell} ${keptBecause(branch)}`);
    return;
  }
  if (open !== undefined) {
    await forge.updateProposal(open.number, { body: asGone(open.body, about), close: true });
    try {
      await forge.createComment(open.number, `${farewell} Closed.`);
    } catch (error) {
      forge.say('warning', `${open.name} is closed without a comment: ${error.message}`);
    }
  }
  if (head !== undefined) await forge.deleteBranch(branch);
}

function keptBecause(branch) {
  return `The branch \`${branch}\` has commits that edgeform did not make, so it is left as it is.`;
}

/** Says why the branch is not kept up to date, unless it has all that is wanted. */
async function leave(forge, { about, branch, open, head, texts, request }) {
  const found = await textsAt(forge, texts.keys(), head.sha);
  if (open !== undefined && areEqual(found, texts)) return;
  const kept = `${keptBecause(branch)} For a new ${request}, delete the branch.`;
  forge.say('warning', kept.replaceAll('`', ''));
  if (open === undefined) return;
  // Without a fingerprint, it is not turned down when it is closed, which forges do when its branch is deleted.
  const body = withMarker(open.body, KIND, { ...about, result: 'left' });
  if (open.body !== body) await forge.updateProposal(open.number, { body });
  await sayOnce(forge, about, open, `The branch does not have what drifted, as it is now. ${kept}`);
}

/** The same text is not written again. */
async function sayOnce(forge, about, { number }, text) {
  const body = withMarker(text, 'branch', about);
  const mine = await ourComments(forge, number, 'branch', about);
  if (mine.at(-1)?.body !== body) await putComment(forge, number, 'branch', about, body);
}

/**
 * What `putProposal` is to do with what was stored: what it wants, or why there is nothing. `more` are further paragraphs of the text, `run`
 * is a link, and the rest says where the manifests are.
 */
export function proposalOf(
  { found, document },
  { about, isFleet, request, run, more = [], root, folder, manifest, fleet },
) {
  const documents = documentsIn(document);
  const isManifest = manifestsNamed({ folder, manifest, fleet });
  const files = filesOf(documents, { root, folder, isManifest });
  if (document === null) return { farewell: `The drift is gone, as ${run} shows.` };
  if (files.size === 0) return { farewell: `Nothing of the drift can be written into the manifest, as ${run} shows.` };
  return {
    wanted: {
      files,
      title: `Accept the drift of ${isFleet ? 'fleet' : 'stack'} ${about.stack}`,
      why: 'What was changed outside is live already; the manifest asks for it from here on.',
      fingerprint: digestOfAccepted(documents),
      body: proposalBody({ documents, found, request, more }),
    },
  };
}

const MAX_LEFT_OUT_BYTES = 3000;

/** The text of the proposal. What comes from the manifest or the service stands in a block of code, or in what the program wrote. */
export function proposalBody({ documents, found, request, more = [] }) {
  const left = documents.flatMap(({ name, document }) =>
    document.left_out.map((one) => leftOutLine(name === '' ? one : { ...one, address: `${name}: ${one.address}` })),
  );
  return [
    `This ${request} writes what was changed outside into the manifest, so that the manifest asks for what is live. Merging it changes nothing at the service but markers. To put the manifest's values back instead, close it and run \`apply\`.`,
    ...more,
    ...(left.length === 0 ? [] : [`**Not in it**, because it has no place of its own in the manifest:`, blockOf(left)]),
    withoutMarker(found),
    '---\nIt is kept up to date as long as nobody else commits to its branch, and closed when the drift is gone.',
  ].join('\n\n');
}

function leftOutLine({ address, path, source, message, fix }) {
  const where = [address ?? 'an object without a block', ...(path === null ? [] : [path])].join('.');
  const place = source === null || source === undefined ? '' : ` (${source})`;
  return [`${where}${place}: ${message}`, `  fix: ${fix}`].map(inert).join('\n');
}

/** One line without control characters. */
function inert(text) {
  const line = String(text)
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ');
  return line.length > 300 ? `${line.slice(0, 299).toWellFormed()}…` : line;
}

/** As many lines as there is room for, in a fence that none of them ends. */
function blockOf(lines) {
  const shown = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_LEFT_OUT_BYTES) break;
    shown.push(line);
  }
  const rest = lines.length - shown.length;
  const text = [...shown, ...(rest === 0 ? [] : [`and ${rest} more: run edgeform drift --accept all`])].join('\n');
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fence}text\n${text}\n${fence}`;
}
