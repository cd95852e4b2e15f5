// Stands in for undici until the client takes its exchange from the host.

import type { Exchange } from './seam.ts';

interface Options {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly headersTimeout: number;
}

export class EnvHttpProxyAgent {
  readonly isReal = false;
}

export async function request(url: URL, { method, headers, body, headersTimeout }: Options): Promise<object> {
  const { edgeformExchange } = globalThis as unknown as { edgeformExchange: Exchange };
  const made = await edgeformExchange({ method, url, headers, body: body ?? undefined, timeoutMs: headersTimeout });
  const { bytes } = made;
  return { statusCode: made.status, headers: made.headers, body: bytes === undefined ? [] : chunks(bytes) };
}

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes);
}
