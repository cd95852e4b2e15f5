// The JSON documents.

import { drawJson } from '../json/json.ts';
import type { Writer } from '../writer.ts';

export const format = { name: 'json', isLog: false, draw: drawJson } as const satisfies Writer;
