// The size of a text after filling in, computed before the text is built: a short file can ask for more than fits into memory.

import { Secret } from '../../core/secrets/secret.ts';
import { byteLength } from '../../core/text/text.ts';
import { Expression, type Reference } from '../../core/value.ts';
import { MAX_FILE_BYTES, MAX_TOTAL_BYTES } from '../text/preflight.ts';
import { report, type Cursor } from './convert-value.ts';
import type { VariableValue } from './variables.ts';

export type TextPiece = VariableValue | Reference;

/** Adds the pieces to the total as one text; false, with a report, when they exceed a limit. */
export function isWithinLimit(pieces: readonly TextPiece[], cursor: Cursor): boolean {
  const { filled } = cursor.context;
  const known = new Map<TextPiece, number>();
  let bytes = 0;
  for (const piece of pieces) {
    const size = known.get(piece) ?? bytesOf(piece);
    known.set(piece, size);
    bytes += size;
  }
  const fix = 'use the value fewer times, or a smaller one';
  if (bytes > MAX_FILE_BYTES) {
    // The exact length would reveal that of a secret.
    const isSecret = pieces.some((piece) => piece instanceof Secret || (piece instanceof Expression && piece.isSecret));
    const size = isSecret ? 'too large' : `${bytes} bytes`;
    const message = `the text would become ${size} once its expressions are filled in; at most 4 MiB are allowed`;
    report(cursor, 'too-large', { message, fix });
    return false;
  }
  if (filled.bytes + bytes > MAX_TOTAL_BYTES) {
    const message = 'the texts up to this one would become larger than 16 MiB once their expressions are filled in';
    report(cursor, 'too-large', { message, fix });
    return false;
  }
  filled.bytes += bytes;
  return true;
}

/** References are not filled in yet. */
function bytesOf(piece: TextPiece): number {
  if (piece instanceof Secret) return byteLength(piece.reveal());
  if (piece instanceof Expression) return piece.parts.reduce((sum, part) => sum + bytesOf(part), 0);
  return typeof piece === 'object' ? 0 : byteLength(String(piece));
}
