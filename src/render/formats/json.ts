// The JSON documents.

import { documentJson } from '../view/documents.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'json',
  position: 20,
  isLog: false,
  draw: ({ document }) => documentJson(document),
} as const satisfies Writer;
