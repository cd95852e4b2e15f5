// The catalogue's cross-field rules on a value that may hold secrets.

import type { JsonObject } from '../core/json.ts';
import type { ValueObject } from '../core/value.ts';
import { revealed } from '../core/value.ts';
import type { Kind, RuleViolation } from '../catalog/kind.ts';
import { brokenRules } from '../catalog/kind.ts';

/** The broken rules of a kind; only their paths may be shown. */
export function violationsOf(kind: Kind, content: ValueObject): readonly RuleViolation[] {
  return brokenRules(kind, revealed(content) as JsonObject);
}
