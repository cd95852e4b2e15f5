// What an export warns of: what it lacks, files that no manifest may have, and a stack that has more.

import { expect, test } from 'vitest';
import { exportWarnings } from '../../src/export/export.ts';

const made = {
  files: [{ path: 'a.yaml', text: 'äb' }],
  resources: 1,
  addresses: new Map(),
  variables: [],
  leftOut: [],
  unmatched: [],
  alreadyOwned: 0,
};

test.each([
  { name: 'nothing', more: {}, maxBytes: 3, codes: [] },
  { name: 'a file by its bytes', more: {}, maxBytes: 2, codes: ['file-too-large'] },
  { name: 'objects of the stack that are not in it', more: { alreadyOwned: 2 }, maxBytes: 3, codes: ['stack-in-use'] },
])('$name', ({ more, maxBytes, codes }) => {
  const warnings = exportWarnings({ ...made, ...more }, { of: 'unmanaged', stack: 'shop' }, maxBytes);
  expect(warnings.map(({ code, severity }) => [code, severity])).toEqual(codes.map((code) => [code, 'warning']));
});
