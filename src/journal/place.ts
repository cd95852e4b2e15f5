// Where a journal lies unless the user names a file: one folder for each service, so that one working directory serves several.

import { shortDigest } from '../core/digest.ts';

/** Longer names are cut: file systems take 255 bytes, and a host may have as many. */
const LONGEST = 120;

const ENDING = '.journal.jsonl';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * The service as the name of a folder: host and port as `HOST_PORT`, with a hyphen for every character of an IPv6 address that a
 * file system may refuse. Two services that share a name are told apart by what the journal says of itself (ADR-0042).
 */
export function serviceFolder({ protocol, hostname, port }: URL): string {
  const host = hostname.replace(/[[\]]/g, '').replace(/[^a-z0-9._-]/g, '-');
  const name = `${host}_${port || (DEFAULT_PORTS[protocol] ?? '')}`;
  return name.length <= LONGEST ? name : `${name.slice(0, LONGEST)}-${shortDigest(name)}`;
}

/** The default path, relative to the working directory. */
export function journalOf(service: URL, stack: string): string {
  return `.edgeform/${serviceFolder(service)}/${stack}${ENDING}`;
}

/** True for the default path in any folder: only there do journals of other stacks lie beside it. */
export function isDefaultJournal(path: string, service: URL, stack: string): boolean {
  return `/${path}`.endsWith(`/${journalOf(service, stack)}`);
}

/** The stack of a journal with this name, in the folder of a service; undefined for other files. */
export function stackOfJournal(name: string): string | undefined {
  return name.endsWith(ENDING) ? name.slice(0, -ENDING.length) : undefined;
}
