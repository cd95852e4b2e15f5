// The words of a manifest that frames show are those that a manifest may have.

import { expect, test } from 'vitest';
import { maskedLines } from '../../src/render/view/mask-source.ts';
import { ownKeys } from '../../src/schema/own-keys.ts';

test('every top-level key ends the declarations of variables', () => {
  for (const { name } of ownKeys().filter((key) => key.path === key.name && key.name !== 'lifecycle')) {
    const text = `variables:\n  a:\n    sensitive: true\n${name}:\n  own-name: some text`;
    const hidden = name === 'variables';
    expect(maskedLines(text).at(-1), name).toBe(hidden ? '  own-name: (sensitive)' : '  own-name: some text');
  }
});
