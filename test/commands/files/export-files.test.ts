// An export as it is printed: the manifest itself, or what was written where.

import { expect, test } from 'vitest';
import { renderExportAs } from '../../../src/commands/files/export-files.ts';

const files = ['a', 'b'].map((name) => ({ path: `${name}.yaml`, text: `${name}\n` }));

test.each([
  { paths: [], variables: [], text: 'a\nb\n' },
  { paths: ['/x/a.yaml'], variables: [], text: 'Exported 1 resource:\n  /x/a.yaml\n' },
  { paths: ['/x'], variables: ['a', 'b'], text: 'Exported 1 resource, 2 variables without a value:\n  /x\n' },
])('$paths with $variables variables', ({ paths, variables, text }) => {
  const made = { files, resources: 1, addresses: new Map(), variables, leftOut: [], alreadyOwned: 0 };
  expect(renderExportAs('text', made, { stack: 'shop', warnings: [], paths, verb: 'Exported' })).toBe(text);
});
