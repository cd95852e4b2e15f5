// Values that YAML allows and a manifest does not.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { FIX_OF_MERGE_KEY } from '../../schema/habits.ts';
import { TEMPLATE_FIX } from './syntax.ts';

/** Maximum number of aliases in one file. */
export const MAX_ALIASES = 100;

/** Why a valid YAML value or key is not allowed in a manifest. */
export type RejectedValue = Pick<Diagnostic, 'code' | 'message' | 'fix' | 'related'>;

export const REJECTED_VALUES = {
  tooLarge: {
    code: 'too-large',
    message: 'the document is too large or too deep once its aliases are expanded',
    fix: 'split the stack into several files, or use fewer aliases',
  },
  tooManyAliases: {
    code: 'too-many-aliases',
    message: `the document uses more than ${MAX_ALIASES} aliases`,
    fix: 'write the values themselves',
  },
  noAnchor: {
    code: 'yaml-syntax',
    message: 'there is no anchor of that name before this alias',
    fix: 'write the value itself',
  },
  circular: {
    code: 'circular-alias',
    message: 'the alias refers to the block that it is in',
    fix: 'write the value itself',
  },
  template: { code: 'yaml-syntax', message: '{{ }} is template syntax, which is not supported', fix: TEMPLATE_FIX },
  key: { code: 'bad-key', message: 'a key must be text', fix: 'put the key in quotes' },
  merge: { code: 'merge-key', message: 'merge keys (<<) are not part of YAML 1.2', fix: FIX_OF_MERGE_KEY },
  proto: { code: 'bad-key', message: '__proto__ cannot be a key', fix: 'choose another name' },
  infinite: {
    code: 'bad-number',
    message: 'infinity and NaN are not allowed',
    fix: 'write the number itself, or quote it if it is text',
  },
  inexact: {
    code: 'bad-number',
    message: 'the number is too large to be represented exactly',
    fix: 'quote it if it is text',
  },
  tag: {
    code: 'unknown-tag',
    message: 'tags for values that JSON does not have, such as !!binary, are not supported',
    fix: 'write the value itself, as text, number, list or block',
  },
} as const satisfies Record<string, RejectedValue>;
