// One HTTP request and its answer, without any meaning: the seam behind which the network can be replaced.

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** For the connection, headers and body together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; what came several times is joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** undefined: larger than allowed */
  readonly bytes: Buffer | undefined;
}

/** There was no connection yet when it failed, so nothing was sent. The cause is what the platform says. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  /** What comes before the reason in a message: the proxy that it is about, if any. */
  readonly where: string;

  constructor(cause: unknown, reason = 'no connection was made', where = '') {
    super(reason, { cause });
    this.where = where;
  }
}

/** Sends once and never again. Throws `ConnectError`, or as the platform does: with a `code`, or with one in its `cause`. */
export type Exchange = (request: HttpRequest) => Promise<HttpResponse>;
