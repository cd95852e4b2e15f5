// Expressions of workflows, evaluated by GitHub's own library.

import type { data as Data } from '@actions/expressions';
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';

/** Any value of a context. */
export type Value = string | number | boolean | null | undefined | readonly Value[] | { readonly [key: string]: Value };
export type Contexts = Readonly<Record<string, Value>>;

/** How the job stands, for the functions that ask. */
export interface JobStatus {
  readonly failed: boolean;
  readonly cancelled: boolean;
}

const STATUS: Readonly<Record<string, (status: JobStatus) => boolean>> = {
  always: () => true,
  success: ({ failed, cancelled }) => !failed && !cancelled,
  failure: ({ failed, cancelled }) => failed && !cancelled,
  cancelled: ({ cancelled }) => cancelled,
};

/** The text with every `${{ }}` in it evaluated. */
export function fill(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{([\s\S]*?)\}\}/g, (_all, inner: string) =>
    evaluate(inner, contexts, { failed: false, cancelled: false }).coerceString(),
  );
}

/** Whether a condition has a function of the status in it: what failed before does not decide then. */
export function asksForStatus(condition: string | boolean | undefined): boolean {
  return new RegExp(`\\b(?:${Object.keys(STATUS).join('|')})\\s*\\(`).test(String(condition ?? ''));
}

/** Whether a condition holds; without a function of the status in it, only while nothing failed. */
export function holds(condition: string | boolean | undefined, contexts: Contexts, status: JobStatus): boolean {
  const text = String(condition ?? 'success()').trim();
  const inner = /^\$\{\{([\s\S]*)\}\}$/.exec(text)?.[1] ?? text;
  const value = evaluate(asksForStatus(inner) ? inner : `success() && (${inner})`, contexts, status);
  return !['', 'false', '0'].includes(value.coerceString());
}

function evaluate(text: string, contexts: Contexts, status: JobStatus): Data.ExpressionData {
  const functions = Object.entries(STATUS).map(([name, ask]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(ask(status)),
  }));
  const parsed = new Parser(new Lexer(text).lex().tokens, Object.keys(contexts), functions).parse();
  const known = new Map(functions.map((one) => [one.name, one]));
  return new Evaluator(parsed, toData(contexts) as Data.Dictionary, known).evaluate();
}

function toData(value: Value): Data.ExpressionData {
  if (value === null || value === undefined) return new data.Null();
  if (typeof value === 'string') return new data.StringData(value);
  if (typeof value === 'number') return new data.NumberData(value);
  if (typeof value === 'boolean') return new data.BooleanData(value);
  if (Array.isArray(value)) return new data.Array(...(value as Value[]).map(toData));
  return new data.Dictionary(...Object.entries(value).map(([key, one]) => ({ key, value: toData(one) })));
}
