// Drift that was accepted, as the job that looked for it stores it, and what becomes of the files of the manifest. All of it is judged
// again here: a file is changed only where the inputs lead to it, where it is a manifest already, by a section that begins a line of it, and
// where the patch fits. Knows no forge.

import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { applyPatch } from './patch.mjs';
import { SECTIONS } from './sections.mjs';
import { withoutSlashes } from './text.mjs';

/** What a manifest may have, and far more than a patch of it needs. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_STORED_BYTES = 64 * 1024 * 1024;
export const MAX_FILES = 100;

/** Folders that a forge runs things from. */
const OF_FORGES = ['.git', '.github', '.gitea', '.forgejo', '.gitlab'];

export function readStored(path) {
  if (statSync(path).size > MAX_STORED_BYTES) throw new Error('what was accepted is too large');
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** The documents of `drift --accept` in one of a stack or a fleet, each with the name that its stack has in the fleet. */
export function documentsIn(document) {
  if (document === null) return [];
  if (document.stacks === undefined) return [{ name: '', document }];
  return document.stacks.flatMap(({ name, accept = null }) => (accept === null ? [] : [{ name, document: accept }]));
}

/** One digest of what was accepted: the same as long as the same is live, wherever it stands in a file. */
export function digestOfAccepted(documents) {
  const accepted = documents.flatMap(({ name, document }) =>
    document.accepted.map(({ fingerprint, path, change }) => JSON.stringify([name, fingerprint, path, change])),
  );
  return digestOf(accepted.sort());
}

export function digestOf(value) {
  return `sha256:${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`;
}

/**
 * The files as they are to be, by their paths in the repository. `root` is the checkout, `folder` that of the manifest in it. Fails for a
 * path or a file that is no manifest, and for a patch that does not fit.
 */
export function filesOf(documents, { root, folder, isManifest }) {
  const files = new Map();
  const patches = documents.flatMap(({ document }) => document.files);
  if (patches.length > MAX_FILES) throw new Error(`the patch changes more than ${MAX_FILES} files`);
  for (const { path, patch } of patches) {
    const place = placeOf(path, folder);
    const problem =
      place === undefined || !isManifest(place) ? 'it is no file of the manifest' : wrongWith(root, place);
    if (problem !== undefined) throw new Error(`the patch names ${shown(path)}, and ${problem}`);
    if (files.has(place)) throw new Error(`the patch names ${shown(path)} twice`);
    files.set(place, patched(join(root, place), { path, patch }));
  }
  return files;
}

function patched(at, { path, patch }) {
  const bytes = readFileSync(at);
  const text = bytes.toString('utf8');
  // What is no UTF-8 would be written as something else.
  if (!Buffer.from(text).equals(bytes)) throw new Error(`${shown(path)} is not UTF-8`);
  if (!keysOf(text.replace(/^\ufeff/, '')).some((key) => SECTIONS.includes(key)))
    throw new Error(
      `the patch names ${shown(path)}, and no section of a manifest, such as \`tls_edges:\`, begins a line of it`,
    );
  try {
    const made = applyPatch(text, String(patch));
    if (Buffer.byteLength(made) > MAX_BYTES) throw new Error(`the file would have more than ${MAX_BYTES} bytes`);
    return { text: made, isExecutable: (statSync(at).mode & 0o100) !== 0, before: bytes };
  } catch (error) {
    throw new Error(`the patch of ${shown(path)} cannot be used: ${error.message}`, { cause: error });
  }
}

/** The keys at the top level of JSON; of YAML those that begin a line, because there is no reader of YAML here. */
function keysOf(text) {
  try {
    return Object.keys(JSON.parse(text) ?? {});
  } catch {
    return [...text.matchAll(/^["']?([a-z_]+)["']?[ \t]*:/gm)].map(([, key]) => key);
  }
}

/** The path from the root of the repository; undefined for one that leads out of it, or where manifests never are. */
function placeOf(path, folder) {
  if (typeof path !== 'string' || /[\\\p{Cc}]/u.test(path) || path.startsWith('/')) return undefined;
  const above = posix.normalize(`${folder}/`);
  const place = posix.normalize(posix.join(above, path));
  if (place.startsWith('/') || place.split('/')[0] === '..') return undefined;
  if (place.split('/').some((part) => OF_FORGES.includes(part.toLowerCase()))) return undefined;
  // The folder of the manifest was chosen in the workflow; below it, nothing hidden is meant.
  const own = place.startsWith(above) ? place.slice(above.length) : place;
  const isHidden = own.split('/').some((part) => part.startsWith('.'));
  return isHidden || !/\.(?:ya?ml|json)$/i.test(place) ? undefined : place;
}

function wrongWith(root, place) {
  const at = join(root, place);
  const found = lstatSync(at, { throwIfNoEntry: false });
  if (found === undefined) return 'it does not exist';
  if (!found.isFile()) return 'it is no file';
  if (realpathSync(at) !== join(realpathSync(root), place)) return 'it is behind a symbolic link';
  return undefined;
}

function shown(path) {
  return JSON.stringify(String(path).slice(0, 200));
}

/** Whether a path in the repository is one that the inputs name: the files and folders of a stack, or what lies beside or below a fleet file. */
export function manifestsNamed({ folder, manifest, fleet }) {
  const at = (path) => withoutSlashes(posix.join(folder, path));
  const isBelow = (place, above) => above === '.' || place.startsWith(`${above}/`);
  if (fleet !== '') {
    const roots = [at('.'), posix.dirname(at(fleet))];
    return (place) => roots.some((root) => isBelow(place, root));
  }
  const named = (manifest.length === 0 ? ['edgeform.yaml', 'edgeform'] : manifest).map((path) => {
    const wildcard = path.search(/[*?]/);
    return wildcard < 0 ? { path: at(path) } : { below: at(path.slice(0, path.lastIndexOf('/', wildcard) + 1) || '.') };
  });
  return (place) =>
    named.some(({ path, below }) =>
      path === undefined ? isBelow(place, below) : place === path || posix.dirname(place) === path,
    );
}
