// Names of what a job keeps for others: artifacts, caches and branches.

import { createHash } from 'node:crypto';
import { withoutSlashes } from './text.mjs';

/** One name for a stack at a service. */
export function keyOf({ stack, service }) {
  const digest = createHash('sha256').update(withoutSlashes(service)).digest('hex');
  return `${stack}-${digest.slice(0, 8)}`;
}

const PORTS = { 'http:': '80', 'https:': '443' };

/** Where the program keeps the journal of a stack: as it names the folder, without what it does about very long names of hosts. */
export function journalPath({ stack, service }) {
  const { protocol, hostname, port } = new URL(service);
  const host = hostname.replaceAll(/[[\]]/g, '').replaceAll(/[^a-z0-9._-]/g, '-');
  return `.edgeform/${host}_${port || (PORTS[protocol] ?? '')}/${stack}.journal.jsonl`;
}

/** Of the plan of a commit. */
export function planName(about, head) {
  return `edgeform-plan-${keyOf(about)}-${head}`;
}

/** Of what accepting the drift would write. What an earlier attempt of the run stored is still there. */
export function acceptedName(about, attempt) {
  return `edgeform-accepted-${keyOf(about)}-${attempt}`;
}
