// An answer of another shape says where, and is an error of its own.

import { expect, test } from 'vitest';
import { ShapeError } from '../../src/resource/shape-error.ts';

test.each([
  ['the body itself', '', 'the body is not an object'],
  ['a place in it', 'routes.0.id', 'routes.0.id is not an object'],
])('%s', (_, path, message) => {
  const error = new ShapeError(path, 'an object');
  expect(error).toBeInstanceOf(Error);
  expect([error.name, error.path, error.message]).toEqual(['ShapeError', path, message]);
});
