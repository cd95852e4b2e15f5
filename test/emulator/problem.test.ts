// Refusals of the emulator: what they carry, and codes that no two problems share.

import { expect, test } from 'vitest';
import { invalid, PROBLEM, Refusal } from '../../src/emulator/problem.ts';
import { errorBody } from '../../src/emulator/http/answer.ts';

test('no two problems have one code, and each is of the form of the service', () => {
  const codes = Object.values(PROBLEM);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.filter((code) => !/^ERR_EDGE_\d+$/.test(code))).toEqual([]);
});

test.each([
  { name: 'a broken rule is a 400', refusal: invalid(PROBLEM.badValue, 'no'), status: 400, code: PROBLEM.badValue },
  {
    name: 'a refusal may have another status',
    refusal: new Refusal(413, PROBLEM.tooLarge, 'no'),
    status: 413,
    code: PROBLEM.tooLarge,
  },
  { name: 'an unknown address has no code', refusal: new Refusal(404, undefined, 'no'), status: 404, code: undefined },
])('$name', ({ refusal, status, code }) => {
  expect(refusal).toBeInstanceOf(Error);
  const body = errorBody(refusal);
  expect([body['status_code'], body['error_code'], body['msg'], body['details']]).toEqual([status, code, 'no', {}]);
  expect(Object.hasOwn(body, 'error_code')).toBe(code !== undefined);
});

test('details of a refusal are told', () => {
  expect(errorBody(new Refusal(404, undefined, 'no', { path: '/x' }))['details']).toEqual({ path: '/x' });
});
