// Hosts in texts: DNS names and IP addresses (ADR-0043). One host has one normal form: ASCII, lower case, no final dot.

import { domainToASCII } from 'node:url';

/** The only characters of a host. Letters and digits of every script are allowed in international names. */
export const HOST_WORDS =
  'a DNS name ("*." may stand in front) or an IP address, with letters, digits, "-", "_" and dots only';

/** One of them, as the source of a regular expression; some marks and letters cannot be seen. */
export const HOST_CHARACTER = '(?!\\p{Default_Ignorable_Code_Point})[\\p{L}\\p{M}\\p{N}._-]';

/** Limits of DNS (RFC 1035), in characters of the ASCII form. */
const MAX_NAME = 253;
const MAX_LABEL = 63;

const WILDCARD = '*.';
/** Names in normal form, which need no conversion unless a label looks encoded or like a number. */
const PLAIN_NAME = /^[a-z0-9._-]+$/;
const NAME = new RegExp(`^(?:${HOST_CHARACTER})+$`, 'u');
const IPV6 = /^\[[0-9A-Fa-f:.]+\]$/;
const NUMBER = /^(?:[0-9]+|0x[0-9a-f]*)$/;
const IPV4 = /^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$/;

/** The normal form of a host; undefined for a text that is no host. */
export function hostForm(text: string): string | undefined {
  if (IPV6.test(text)) return ascii(text);
  if (text.startsWith(WILDCARD)) {
    const name = nameForm(text.slice(WILDCARD.length));
    return name === undefined || isAddress(name) ? undefined : WILDCARD + name;
  }
  return nameForm(text);
}

/** The normal form of `host:port`; undefined when the host is none. */
export function hostportForm(text: string): string | undefined {
  const colon = text.lastIndexOf(':');
  const [host, port] = [text.slice(0, colon), text.slice(colon + 1)];
  if (colon < 0 || !/^[0-9]{1,5}$/.test(port)) return undefined;
  const form = hostForm(host);
  return form === undefined ? undefined : `${form}:${port}`;
}

function nameForm(text: string): string | undefined {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  if (!NAME.test(name)) return undefined;
  const form = PLAIN_NAME.test(name) && !isConverted(name) ? name : ascii(name);
  if (form === undefined || form.length > MAX_NAME) return undefined;
  const labels = form.split('.');
  if (labels.some((label) => label === '' || label.length > MAX_LABEL)) return undefined;
  // The conversion reads "1.1" or "0x7f.1" as an address that the text does not show.
  return isAddress(form) && form !== name ? undefined : form;
}

/** Encoded labels are validated, and a last label that is a number makes the name an address. */
function isConverted(name: string): boolean {
  return name.includes('xn--') || NUMBER.test(name.slice(name.lastIndexOf('.') + 1));
}

function isAddress(form: string): boolean {
  return IPV4.test(form);
}

/** Works without the network; empty for what cannot be converted. */
function ascii(text: string): string | undefined {
  const form = domainToASCII(text);
  return form === '' ? undefined : form;
}
