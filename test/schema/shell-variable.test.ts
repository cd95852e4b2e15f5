import { expect, test } from 'vitest';
import { shellVariableFix } from '../../src/schema/shell-variable.ts';

test.each([
  {
    text: 'www.$DOMAIN:443',
    fix: '$DOMAIN is not filled in: write ${var.DOMAIN}, and declare it with variables: { DOMAIN: {} }',
  },
  { text: '$1', fix: undefined },
  { text: 'a$', fix: undefined },
  { text: '${var.a}', fix: undefined },
])('$text: $fix', ({ text, fix }) => {
  expect(shellVariableFix(text)).toBe(fix);
});
