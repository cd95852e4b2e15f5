// The catalogue's cross-field rules on a value that may hold secrets.

import type { ValueObject } from '../base/value.ts';
import { revealed } from '../base/value.ts';
import type { Kind, RuleViolation } from '../catalog/kind.ts';

/** The broken rules of a kind; only their paths may be shown. */
export function violationsOf(kind: Kind, content: ValueObject): readonly RuleViolation[] {
  // The catalogue types each check by its own table, which cannot be known here.
  return kind.check?.(revealed(content) as never) ?? [];
}
