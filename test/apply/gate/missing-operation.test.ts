// That something "is not there" is only said by a service in its own form, and only of what it may lack.

import { describe, expect, test } from 'vitest';
import { isReportedMissing, missingOperationHint } from '../../../src/apply/gate/missing-operation.ts';
import { kindByName } from '../../../src/catalog/lookup.ts';
import type { Known } from '../../../src/service/outcomes.ts';
import { apiError } from '../sample.ts';

type Method = 'POST' | 'PATCH' | 'DELETE';

describe('isReportedMissing', () => {
  test.each<readonly [Method, number | undefined, Known, boolean]>([
    ['DELETE', 404, 'refused', true],
    ['DELETE', 501, 'refused', true],
    ['PATCH', 501, 'refused', true],
    ['PATCH', 404, 'refused', false],
    ['POST', 404, 'refused', false],
    ['DELETE', 404, 'lost', false],
    ['DELETE', 404, 'unusable', false],
    ['DELETE', 409, 'refused', false],
    ['DELETE', undefined, 'refused', false],
  ])('%s with status %s, %s: %s', (method, status, known, expected) => {
    expect(isReportedMissing(apiError(known, { status }), { method, field: undefined })).toBe(expected);
  });
});

describe('missingOperationHint', () => {
  test.each<readonly [string, string, Method, string | undefined, number, string | undefined]>([
    ['an operation that may be missing', 'https_edge_route', 'POST', undefined, 404, '-routes'],
    ['the removal of a part', 'tls_edge', 'DELETE', 'backend', 405, '-module-delete'],
    ['an operation that every service has', 'tls_edge', 'DELETE', undefined, 404, undefined],
    ['another trouble', 'https_edge_route', 'POST', undefined, 422, undefined],
  ])('%s', (_, kind, method, field, status, expected) => {
    const hint = missingOperationHint(kindByName(kind), { method, field }, apiError('refused', { status }));
    if (expected === undefined) expect(hint).toBe('');
    else expect(hint).toContain(expected);
  });
});
