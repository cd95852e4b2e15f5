// How large texts become when they are filled in.

import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { Expression } from '../../../src/core/value.ts';
import { MAX_FILE_BYTES, MAX_TOTAL_BYTES } from '../../../src/manifest/text/preflight.ts';
import type { TextPiece } from '../../../src/manifest/values/text-limit.ts';
import { isWithinLimit } from '../../../src/manifest/values/text-limit.ts';
import { contextOf } from '../../support/manifest-parts.ts';

const full = 'x'.repeat(MAX_FILE_BYTES);
const reference = { address: 'reserved_addrs.a', attr: 'addr' };

function judge(pieces: readonly TextPiece[], filled = 0) {
  const context = { ...contextOf(''), filled: { bytes: filled } };
  const isWithin = isWithinLimit(pieces, { path: ['a'], context });
  return { isWithin, context, bytes: context.filled.bytes, codes: context.diagnostics.map(({ code }) => code) };
}

describe('a text is at most 4 MiB, and all together at most 16', () => {
  test.each<{ name: string; given: readonly TextPiece[]; filled?: number; bytes: number; codes?: readonly string[] }>([
    { name: 'nothing', given: [], bytes: 0 },
    { name: 'bytes count, not characters', given: ['é', 1, true], bytes: 2 + 1 + 4 },
    { name: 'each use of a piece counts', given: ['ab', 'ab', 'ab'], bytes: 6 },
    { name: 'references are not there yet', given: ['ab', reference], bytes: 2 },
    {
      name: 'what is known of an expression counts',
      given: [new Expression(['abc', reference, new Secret('de')])],
      bytes: 5,
    },
    { name: 'as large as it may be', given: [full], bytes: MAX_FILE_BYTES },
    { name: 'one byte too large', given: [full, 'x'], bytes: 0, codes: ['too-large'] },
    { name: 'all together as large as they may be', given: ['x'], filled: MAX_TOTAL_BYTES - 1, bytes: MAX_TOTAL_BYTES },
    {
      name: 'all together one byte too large',
      given: ['xy'],
      filled: MAX_TOTAL_BYTES - 1,
      bytes: MAX_TOTAL_BYTES - 1,
      codes: ['too-large'],
    },
  ])('$name', ({ given, filled, bytes, codes = [] }) => {
    const found = judge(given, filled);
    expect([found.isWithin, found.bytes, found.codes]).toEqual([codes.length === 0, bytes, codes]);
  });

  test('how large it would be is told, and not when that tells of a secret', () => {
    const size = String(MAX_FILE_BYTES + 1);
    expect(judge([full, 'x']).context.diagnostics[0]?.message).toContain(size);
    expect(judge([full, new Secret('x')]).context.diagnostics[0]?.message).not.toContain(size);
  });
});
