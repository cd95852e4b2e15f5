// The first line of our comments and issues: an HTML comment that they are found by, as docs/formats.md describes it.

import { withoutSlashes } from './text.mjs';

/** What a text says of itself, or undefined when its first line is no marker. */
export function readMarker(text) {
  const [line] = String(text ?? '').split('\n', 1);
  const [, is, rest] = /^<!-- edgeform:([a-z]+)((?: [a-z]+=[^ ]*)*) -->\r?$/.exec(line) ?? [];
  if (is === undefined) return undefined;
  const facts = {};
  for (const pair of rest.split(' ').slice(1)) {
    const at = pair.indexOf('=');
    facts[pair.slice(0, at)] = decoded(pair.slice(at + 1));
  }
  return { is, facts };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A marker for a text that has none of its own. */
export function marker(is, facts) {
  const pairs = Object.entries(facts).map(([name, value]) => `${name}=${encoded(String(value))}`);
  return ['<!--', `edgeform:${is}`, ...pairs, '-->'].join(' ');
}

function encoded(text) {
  return encodeURIComponent(text.slice(0, 120).toWellFormed())
    .replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%2F', '/')
    .replace('%3A', ':')
    .replace(/-(?=-)/g, '%2D');
}

/** The text with one more fact at the end of its marker. */
export function withFact(text, name, value) {
  const [line] = text.split('\n', 1);
  return `${line.replace(/ -->(?=\r?$)/, () => ` ${name}=${encoded(value)} -->`)}${text.slice(line.length)}`;
}

/** True for a text of this kind about the same stack at the same service. */
export function isAbout(text, is, { stack, service }) {
  const found = readMarker(text);
  return found?.is === is && found.facts.stack === stack && withoutSlash(found.facts.service) === withoutSlash(service);
}

function withoutSlash(address) {
  const text = String(address ?? '');
  return withoutSlashes(text.slice(0, 120).toWellFormed());
}

/** The text without its marker. */
export function withoutMarker(text) {
  return (readMarker(text) === undefined ? text : text.slice(text.indexOf('\n') + 1 || text.length)).trim();
}

/** The text with a marker of this kind and these facts in place of its own. */
export function withMarker(text, is, facts) {
  return `${marker(is, facts)}\n\n${withoutMarker(text)}`;
}
