// Text without what makes no difference to the service: equal texts mean the same.

import type { StringField } from './field.ts';

/** The text in lower case where case does not count, and without a final line break where that does not. */
export function plainForm({ caseless, finalBreak }: StringField, text: string): string {
  const whole = finalBreak === 'ignored' ? text.replace(/[\r\n]+$/, '') : text;
  return caseless === true ? whole.toLowerCase() : whole;
}
