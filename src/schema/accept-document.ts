// The document of `drift --accept`: what the manifest accepts, and what it cannot say.

import type { JsonObject } from '../core/json.ts';
import { diagnostics } from './document-parts.ts';
import { flag, list, oneOf, record, text, textOrNull } from './shapes.ts';

const path = { ...textOrNull, description: 'Inside the object; null for all of it.' };

export const acceptFields: JsonObject = {
  stack: text,
  service: text,
  written: { ...flag, description: 'True when the files were changed.' },
  accepted: list(
    record({
      fingerprint: text,
      address: text,
      path,
      change: { ...oneOf('set', 'removed', 'adopted'), description: 'What became of the value or the block.' },
      file: text,
    }),
  ),
  left_out: {
    ...list(
      record({
        fingerprint: text,
        address: textOrNull,
        path,
        reason: text,
        message: text,
        fix: text,
        source: { ...textOrNull, description: '`file:line:column` of what stands there now.' },
      }),
    ),
    description: 'What was to be accepted and cannot be written; the exit code is 2 if there is anything.',
  },
  files: list(record({ path: text, patch: { ...text, description: 'A unified diff.' } })),
  diagnostics,
};
