// The requests of a step as lines, for who wants all details.

import type { PlannedRequest } from '../../plan/plan.ts';

export function requestLines({ method, path, body }: PlannedRequest): string[] {
  const lines = body === undefined ? [] : JSON.stringify(body, null, 2).split('\n');
  return [`> ${method} ${path}`, ...lines.map((line) => `  ${line}`)];
}
