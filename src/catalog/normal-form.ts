// The normal form of a field's values: two values that the service takes for the same have the same one (ADR-0043). What is
// compared, digested and unique is the normal form; where it says so, it is also what is sent.

import type { Field, NumberForm, StringField, TextForm } from './field.ts';
import { hostForm, hostportForm } from './host.ts';
import { publicKeyForm } from './public-key.ts';

interface FormRule {
  /** What makes no difference, in words. */
  readonly rule: string;
  readonly normal: (text: string) => string;
  /** True for a text that has such a form at all; every text without it. */
  readonly isValid?: (text: string) => boolean;
  /** The service accepts nothing but the normal form. */
  readonly isSent?: true;
}

const TEXT_FORMS: Readonly<Record<TextForm, FormRule>> = {
  caseless: { rule: 'compared without case', normal: (text) => text.toLowerCase() },
  trimmed: { rule: 'compared without spaces and line breaks at its ends', normal: (text) => text.trim() },
  'public-key': {
    rule: 'compared by its type and its base64 text; a comment makes no difference',
    normal: publicKeyForm,
  },
  url: { rule: 'its scheme and host are compared without case and in ASCII', normal: urlForm },
  host: hostRule('compared and sent in ASCII and lower case, without a final dot', hostForm),
  hostport: hostRule('the host is compared and sent in ASCII and lower case, without a final dot', hostportForm),
  email: hostRule('compared and sent in lower case, with its domain in ASCII', emailForm),
  selector: hostRule('its host is compared and sent in ASCII and lower case, without a final dot', selectorForm),
  'bind-rule': hostRule(
    'its domain or address is compared and sent in ASCII and lower case, without a final dot',
    bindRuleForm,
  ),
};

/** A text with a host in it; one without stays apart from its case, because a service may hold it. */
function hostRule(rule: string, formOf: (text: string) => string | undefined): FormRule {
  return { rule, normal: (text) => formOf(text) ?? text, isValid: (text) => formOf(text) !== undefined, isSent: true };
}

const NUMBER_FORMS: Readonly<
  Record<NumberForm, { readonly rule: string; readonly normal: (value: number) => number }>
> = { float32: { rule: 'compared as a 32-bit number', normal: shortestFloat } };

/** The normal form of a text. */
export function normalText({ form }: StringField, text: string): string {
  return form === undefined ? text : TEXT_FORMS[form].normal(text);
}

/** The text as requests carry it: as written, or in the normal form. */
export function sentText({ form }: StringField, text: string): string {
  return form !== undefined && TEXT_FORMS[form].isSent ? TEXT_FORMS[form].normal(text) : text;
}

/** False for a text that cannot have the field's form, such as a host with a dollar sign. */
export function isOfForm({ form }: StringField, text: string): boolean {
  const isValid = form && TEXT_FORMS[form].isValid;
  return isValid === undefined || isValid(text);
}

export function normalNumber(form: NumberForm | undefined, value: number): number {
  return form === undefined ? value : NUMBER_FORMS[form].normal(value);
}

/** The rule of the field's form, in words; undefined for a field that is compared as it is. */
export function formRule(field: Field): string | undefined {
  if (field.type === 'string') return field.form && TEXT_FORMS[field.form].rule;
  return field.type === 'number' ? field.form && NUMBER_FORMS[field.form].rule : undefined;
}

/** Scheme and host of a URL, if it has them; the rest stays as it is, because it may have a case. */
function urlForm(text: string): string {
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.exec(text)?.[0];
  if (scheme === undefined) return text;
  const rest = text.slice(scheme.length);
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  return (
    scheme.toLowerCase() + (hostForm(authority) ?? hostportForm(authority) ?? authority) + rest.slice(authority.length)
  );
}

function emailForm(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  const domain = hostForm(text.slice(at + 1));
  return at < 1 || domain === undefined ? undefined : `${text.slice(0, at).toLowerCase()}@${domain}`;
}

/** A path, a host, or a host with a path (§2). */
function selectorForm(text: string): string | undefined {
  const slash = text.indexOf('/');
  const head = slash < 0 ? text : text.slice(0, slash);
  if (slash === 0) return text;
  const host = hostForm(head) ?? hostportForm(head);
  return host === undefined ? undefined : host + text.slice(head.length);
}

const BIND = 'bind:';
const ANYTHING = '*';

/** `*`, or what may be bound: a label with a key and a value, or a domain or address (§2). */
function bindRuleForm(text: string): string | undefined {
  if (!text.startsWith(BIND)) return text === ANYTHING ? text : undefined;
  const target = text.slice(BIND.length);
  if (target.includes('=') || target === ANYTHING) return text;
  const form = hostForm(target) ?? hostportForm(target);
  return form === undefined ? undefined : BIND + form;
}

/** Digits that tell any two 32-bit numbers apart. */
const FLOAT_DIGITS = 9;

/** The shortest number that is stored as the same 32-bit number: 0.3 for 0.30000001192092896. */
function shortestFloat(value: number): number {
  const stored = Math.fround(value);
  for (let digits = 1; digits < FLOAT_DIGITS; digits++) {
    const short = Number(stored.toPrecision(digits));
    if (Math.fround(short) === stored) return short;
  }
  return stored;
}
