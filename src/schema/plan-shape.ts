// A plan document against its compiled schema: one sentence about the first thing that does not fit.

import type { Json } from '../core/json.ts';
import { validate } from './compiled-plan.mjs';

/** What is wrong with the shape of a plan document; undefined when nothing is. Values are never repeated. */
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
