// The catalogue's cross-field rules on a value that may hold secrets.

import { Secret, SECRET_MASK } from '../base/secret.ts';
import type { ValueObject } from '../base/value.ts';
import { mapLeaves } from '../base/value.ts';
import type { Kind, RuleViolation } from '../catalog/kind.ts';

/** The broken rules of a kind; secrets count as some text. */
export function violationsOf(kind: Kind, content: ValueObject): readonly RuleViolation[] {
  // The catalogue types each check by its own table, which cannot be known here.
  return kind.check?.(mapLeaves(content, (leaf) => (leaf instanceof Secret ? SECRET_MASK : leaf)) as never) ?? [];
}
