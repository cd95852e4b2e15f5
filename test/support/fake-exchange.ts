// Answers without a network: a script in place of the service, with the record of what was asked.

import type { Clients } from '../../src/service/client.ts';
import type { ClientPorts } from '../../src/service/http/client-state.ts';
import { createClients } from '../../src/service/client.ts';
import type { Exchange, HttpResponse } from '../../src/service/http/exchange.ts';
import type { ClientSettings } from '../../src/service/settings.ts';
import { ApiError } from '../../src/service/transport.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { createVirtualClock } from './virtual-clock.ts';

export const BASE_URL = 'https://api.example.test/v1';
export const KEY = 'probe-key-0123456789';

export const settingsOf = (more: Partial<ClientSettings> = {}): ClientSettings => ({
  baseUrl: new URL(BASE_URL),
  apiKey: new Secret(KEY),
  versionHeader: { name: 'Service-Version', value: '2' },
  readTimeoutMs: 30_000,
  writeTimeoutMs: 60_000,
  maxBytes: 1_000_000,
  ...more,
});

/** A JSON answer. */
export function reply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return raw(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}

/** An answer of any bytes. */
export function raw(
  status: number,
  text: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return { status, headers, bytes: Buffer.from(text) };
}

/** A refusal in the service's own form. */
export function refuse(status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return reply(status, { status_code: status, error_code: 'E', msg: 'no', details: {} }, headers);
}

/** A failure of the network, as the platform throws it. */
export function fault(code: string, more: object = {}): Error {
  return Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code, ...more }) });
}

export function timeout(): Error {
  return Object.assign(new Error('The operation was aborted due to timeout'), { name: 'TimeoutError' });
}

export type Step = HttpResponse | Error | ((request: Parameters<Exchange>[0]) => HttpResponse | Promise<HttpResponse>);

export async function play(step: Step, request: Parameters<Exchange>[0]): Promise<HttpResponse> {
  if (step instanceof Error) throw step;
  return typeof step === 'function' ? step(request) : step;
}

export interface FakeExchange extends Clients {
  readonly asked: readonly Parameters<Exchange>[0][];
  readonly clock: ReturnType<typeof createVirtualClock>;
  readonly trace: readonly string[];
}

/** Clients whose requests get the steps one after the other, and the last one for ever. Chance is always a half. */
export function fakeExchange(
  steps: readonly Step[] | Exchange,
  ports: ClientPorts = {},
  more: Partial<ClientSettings> = {},
): FakeExchange {
  const asked: Parameters<Exchange>[0][] = [];
  const trace: string[] = [];
  const clock = createVirtualClock();
  const exchange: Exchange = (request) => {
    asked.push(request);
    if (typeof steps === 'function') return steps(request);
    return play(steps[Math.min(asked.length, steps.length) - 1]!, request);
  };
  const settings = settingsOf({ trace: (line) => trace.push(line), ...more });
  return { ...createClients(settings, { exchange, clock, random: () => 0.5, ...ports }), asked, clock, trace };
}

/** The failure of the work, which must be an `ApiError`. */
export async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('nothing failed');
}
