// Looks for drift; the text of the issue is written to a file, and so is what a proposed change would write into the manifest.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { clear, textOf } from '../files.mjs';
import { acceptedName } from '../names.mjs';
import { documents, optionsOf, programOf } from '../program.mjs';

export async function drift(forge) {
  const { files, inputs } = forge;
  if (forge.isIdleFork()) {
    forge.say('notice', 'Drift was not looked for: this is a fork, and it names no service.');
    return;
  }
  clear(files.summary, files.note, files.accepted);
  const edgeform = programOf(forge);
  const options = optionsOf(forge, 'drift');
  const code = await edgeform(['drift', '--format', forge.format, ...documents(forge), ...options]);
  forge.put({ code, found: files.note });
  if (existsSync(files.summary)) forge.summarise(readFileSync(files.summary, 'utf8'));
  if (inputs.proposes && (code === 0 || code === 2)) await storeAccepted(forge, code === 2);
}

/**
 * Stores the document of `drift --accept all`, or none where nothing drifted, beside what was found in words: for a job that has no key of
 * the service. Without the file, it is not known whether there is drift.
 */
async function storeAccepted(forge, hasDrifted) {
  const { accepted, note } = forge.files;
  const document = hasDrifted ? await documentOf(forge, `${accepted}.tmp`) : null;
  if (document === undefined) return;
  writeFileSync(accepted, JSON.stringify({ commit: forge.head(), found: textOf(note, forge.words), document }));
  forge.put({ accepted, artifact: acceptedName(forge.about, forge.attempt) });
}

async function documentOf(forge, path) {
  const edgeform = programOf(forge);
  const options = optionsOf(forge, 'drift');
  const code = await edgeform(['drift', '--accept', 'all', '--format', 'json', ...options], { stdout: path });
  const text = readFileSync(path, 'utf8');
  rmSync(path);
  if (code === 0 || code === 2) return JSON.parse(text);
  forge.say('warning', `the drift could not be accepted: exit code ${code}; what was proposed stays as it is`);
  return undefined;
}
