// Stores what accepting the drift would change in the manifest, for a job that has no key of the service. For GitHub and GitLab alike.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { edgeform } from './edgeform.mjs';

/**
 * Writes the document of `drift --accept all`, or none where nothing drifted, beside what was found in words. Without the file, it is not
 * known whether there is drift. True if it was written.
 */
export async function storeAccepted(path, { hasDrifted, found, options, warn }) {
  const document = hasDrifted ? await documentOf(`${path}.tmp`, options, warn) : null;
  if (document === undefined) return false;
  writeFileSync(path, JSON.stringify({ found, document }));
  return true;
}

async function documentOf(path, options, warn) {
  const code = await edgeform(['drift', '--accept', 'all', '--format', 'json', ...options], { stdout: path });
  const text = readFileSync(path, 'utf8');
  rmSync(path);
  if (code === 0 || code === 2) return JSON.parse(text);
  warn(`the drift could not be accepted: exit code ${code}; what was proposed stays as it is`);
  return undefined;
}
