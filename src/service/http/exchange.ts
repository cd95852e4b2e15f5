// One HTTP request and its answer, without interpretation: the interface behind which the network can be replaced.

interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** For connection, headers and body together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: larger than allowed. */
  readonly bytes: Buffer | undefined;
}

/** The connection failed, so nothing was sent. The cause is the platform's error. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  /** Prefix of the reason in a message: the proxy that failed, if any. */
  readonly where: string;

  constructor(cause: unknown, reason = 'no connection was made', where = '') {
    super(reason, { cause });
    this.where = where;
  }
}

/** Sends once and never again. Throws `ConnectError`, or a platform error with a `code`, directly or in its `cause`. */
export type Exchange = (request: HttpRequest) => Promise<HttpResponse>;
