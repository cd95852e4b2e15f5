// Hosts in texts: DNS names and IP addresses (ADR-0043). One host has one normal form: ASCII, lower case, no final dot.

import { domainToASCII, domainToUnicode } from 'node:url';

/** What a name and an address may be; in international names, letters and digits of every script are allowed. */
const NAME_WORDS = 'a DNS name ("*." may stand in front) of letters, digits, "-" inside a label, "_" and dots';

/** Where a colon separates the host from a port, or may. */
export const HOST_WORDS = `${NAME_WORDS}, an IPv4 address, or an IPv6 address in brackets`;

/** Where a host stands alone. */
export const DOMAIN_WORDS = `${NAME_WORDS}, or an IPv4 address`;

/** Signs that international names have at some places (RFC 5892, appendix A); the conversion decides where. */
const SIGNS = '\\u00b7\\u0375\\u05f3\\u05f4\\u30fb\\u200c\\u200d';

/** A character of a host, as the source of a regular expression. */
export const HOST_CHARACTER = `[\\p{L}\\p{M}\\p{N}._${SIGNS}-]`;

/** Limits of DNS (RFC 1035), in characters of the ASCII form. */
const MAX_NAME = 253;
const MAX_LABEL = 63;

const WILDCARD = '*.';
/** Names in normal form, which need no conversion unless a label looks encoded or like a number. */
const PLAIN_NAME = /^[a-z0-9._-]+$/;
const NAME = new RegExp(`^${HOST_CHARACTER}+$`, 'u');
/** Of the signs, two cannot be seen. */
const JOINERS = /[\u200c\u200d]/g;
/** Some letters and marks that cannot be seen, which the conversion drops. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;
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
  if (!NAME.test(name) || UNSEEN.test(name.replace(JOINERS, ''))) return undefined;
  const form = PLAIN_NAME.test(name) && !isConverted(name) ? name : ascii(name);
  if (form === undefined || form.length > MAX_NAME) return undefined;
  const labels = form.split('.');
  if (labels.some((label) => label === '' || label.length > MAX_LABEL) || hasOuterHyphen(form)) return undefined;
  // The conversion reads "1.1" or "0x7f.1" as an address that the text does not show.
  return isAddress(form) && form !== name ? undefined : form;
}

/** No label of a host begins or ends with a hyphen (RFC 1123), whichever script it is in (RFC 5891). */
function hasOuterHyphen(form: string): boolean {
  const shown = form.includes('xn--') ? domainToUnicode(form) : form;
  return /^-|-$|-\.|\.-/.test(shown);
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
