// Checks a plan document against its compiled schema, and describes the first violation in one sentence.

import type { Json } from '../core/json.ts';
import { validate } from './compiled-plan.mjs';

/** What is wrong with the shape of a plan document, or undefined. Never repeats values. */
export function planShapeProblem(document: Json): string | undefined {
  if (validate(document)) return undefined;
  const [error] = validate.errors ?? [];
  const place =
    error?.instancePath
      .split('/')
      .filter((part) => part !== '')
      .join('.') ?? '';
  return `${place === '' ? 'the document' : place} does not have the shape of a plan (${error?.keyword ?? 'unknown'})`;
}
