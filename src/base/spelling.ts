// Every form in which a secret can stand in a text that is written: as it is, escaped once or twice, in base64, and line
// by line. Knows the escapes of our own formats and of what a service may echo.

import { visible, visibleJson } from './visible.ts';

type Escape = (text: string) => string;

const ENTITIES: readonly Readonly<Record<string, string>>[] = [
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#x27;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;' },
];

const json: Escape = (text) => JSON.stringify(text).slice(1, -1);
const lowerHex: Escape = (text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
const form: Escape = (text) => new URLSearchParams([['', text]]).toString().slice(1);

const ESCAPES: readonly Escape[] = [
  json,
  (text) => visibleJson(json(text)),
  visible,
  ...ENTITIES.map(
    (table): Escape =>
      (text) =>
        text.replace(/[&<>"']/g, (character) => table[character] ?? character),
  ),
  encodeURIComponent,
  (text) => lowerHex(encodeURIComponent(text)),
  encodeURI,
  form,
  (text) => lowerHex(form(text)),
  // Data and properties of GitHub's workflow commands, and a bar inside a Markdown table.
  (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'),
  (text) => text.replaceAll('|', '\\x7c'),
  // A single quote in YAML and in a shell.
  (text) => text.replaceAll("'", "''"),
];

const PLAIN = /^[\w.-]+$/;
/** Above this, escapes of escapes are left out. */
const SHORT = 1024;
const MOST_FORMS = 256;
/** A line of a longer secret that says something by itself. */
const MIN_LINE = 8;
const MIN_BASE64 = 4;

/** The forms, each once, the secret itself first. */
export function spellings(secret: string): string[] {
  // Most secrets have nothing in them that anything would escape.
  if (PLAIN.test(secret)) return [...new Set([secret, ...base64Forms(secret)])];
  // A half of a surrogate pair has no bytes of its own; it is written as U+FFFD.
  const whole = Buffer.from(secret, 'utf8').toString('utf8');
  const found = new Set([secret, whole, whole.trim()]);
  escapeInto(found, ESCAPES);
  if (secret.length <= SHORT) escapeInto(found, ESCAPES);
  for (const text of new Set([whole, whole.trim()])) for (const coded of base64Forms(text)) found.add(coded);
  const lines = whole.split(/[\r\n]+/).map((line) => line.trim());
  if (lines.length > 1)
    for (const line of lines.filter(saysSomething)) for (const one of spellings(line)) found.add(one);
  return [...found];
}

/** Frames such as `-----BEGIN PRIVATE KEY-----` are in every file of their kind. */
function saysSomething(line: string): boolean {
  return line.length >= MIN_LINE && !/^-+[A-Z0-9 ]+-+$/.test(line);
}

function escapeInto(found: Set<string>, escapes: readonly Escape[]): void {
  for (const text of [...found]) {
    for (const escape of escapes) if (found.size < MOST_FORMS) found.add(escape(text));
  }
}

/** What of the base64 text depends on the secret alone, wherever in other bytes it begins. */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const forms = [0, 1, 2].flatMap((offset) => {
    const coded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const core = coded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return forms.filter((core) => core.length >= MIN_BASE64);
}
