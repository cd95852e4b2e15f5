// A response that does not have the shape in the specification. It is never treated as "empty" or "gone".

/** `path` is a dotted path inside the response body. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  readonly path: string;

  constructor(path: string, expected: string) {
    super(`${path === '' ? 'the body' : path} is not ${expected}`);
    this.path = path;
  }
}
