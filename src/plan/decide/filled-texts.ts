// Texts that hold a reference, once it is filled in: they must have the form of their field, like texts of the manifest.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { Expression, eachLeaf, valueAt, type ValueObject } from '../../core/value.ts';
import type { Kind } from '../../catalog/kind.ts';
import { hasForm } from '../../catalog/text-limits.ts';
import { fieldAt } from '../../catalog/walk.ts';

interface Filled {
  readonly kind: Kind;
  readonly address: string;
  /** With references, as in the manifest. */
  readonly written: ValueObject;
  /** With every known reference filled in. */
  readonly filled: ValueObject;
}

/** An error for each filled-in text without the form that its field takes. */
export function checkFilledTexts({ kind, address, written, filled }: Filled): Diagnostic[] {
  if (written === filled) return [];
  const problems: Diagnostic[] = [];
  eachLeaf(written, (leaf, path) => {
    const field = leaf instanceof Expression ? fieldAt(kind.fields, path) : undefined;
    const value = valueAt(filled, path);
    const text = value instanceof Secret ? value.reveal() : value;
    if (field?.type !== 'string' || typeof text !== 'string' || hasForm(field, text)) return;
    const got = value instanceof Secret ? 'a sensitive value' : JSON.stringify(text);
    const expected = field.pattern?.words ?? `one of ${(field.values ?? []).join(', ')}`;
    const name = path.join('.');
    const message = `${address}: ${name} refers to a value that it does not take: it is ${got}, expected ${expected}`;
    const fix = 'refer to another value, or correct the text around the reference';
    problems.push({ code: 'wrong-reference', severity: 'error', address, path: name, message, fix });
  });
  return problems;
}
