// The JSON documents.

import { drawJson } from '../json/json.ts';
import type { Writer } from '../writer.ts';

export const format = { name: 'json', position: 20, isLog: false, draw: drawJson } as const satisfies Writer;
