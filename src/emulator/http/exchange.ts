// One HTTP exchange: reads the body, gets the answer, applies faults and logs it. Knows no operation.

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Json, JsonObject } from '../../core/json.ts';
import { tryParseJson } from '../../core/json.ts';
import type { Core } from './answer.ts';
import { answer, errorBody } from './answer.ts';
import type { Fault, FaultEffect } from '../faults.ts';
import { Refusal } from '../problem.ts';

const MAX_BODY_BYTES = 1024 * 1024;

/** One request as received; `status` is 0 if it was not, or not yet, answered. */
export interface RequestRecord {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly status: number;
  /** The JSON body, or its text if it is not JSON. */
  readonly body: Json | undefined;
}

export interface Service extends Core {
  readonly faultsFor: (method: string, path: string) => Fault[];
  readonly latencyMs: number;
  readonly requests: RequestRecord[];
}

/** The server's listener; whatever a request contains, it answers or drops the connection, and never throws. */
export function createListener(service: Service): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    exchange(service, request, response).catch(() => response.destroy());
  };
}

async function exchange(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/';
  const method = request.method ?? '';
  const text = await readText(request);
  const record = { method, path, status: 0, body: text === undefined ? undefined : loggable(text) };
  service.requests.push(record);
  const faults = service.faultsFor(method, path);
  await pause(service.latencyMs + Math.max(0, ...faults.map((fault) => (fault.action === 'delay' ? fault.ms : 0))));
  const struck = <A extends FaultEffect['action']>(action: A) =>
    faults.find((fault): fault is Fault & { readonly action: A } => fault.action === action);
  if (struck('dropBefore')) return void request.socket.destroy();
  const replaced = struck('status');
  const stale = struck('staleList');
  const view =
    stale && method === 'GET' ? { ...service.view, store: service.view.store.past(stale.writes ?? 1) } : service.view;
  const real =
    replaced && !replaced.effect
      ? undefined
      : answer({ ...service, view }, { method, path, headers: request.headers, text });
  if (struck('dropAfter')) return void request.socket.destroy();
  record.status = replaced?.status ?? real?.status ?? 0;
  const body = replaced
    ? (replaced.body ?? errorBody(new Refusal(replaced.status, 'ERR_EDGE_FAULT', 'a scripted fault')))
    : real?.body;
  send(response, { status: record.status, body, headers: replaced?.headers ?? {}, cut: struck('truncate') });
}

interface Sending {
  readonly status: number;
  readonly body: JsonObject | string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly cut: { readonly bytes?: number } | undefined;
}

function send(response: ServerResponse, { status, body, headers, cut }: Sending): void {
  if (body === undefined) return void response.writeHead(status, headers).end();
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const size = Buffer.byteLength(text);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  response.writeHead(status, { 'content-type': type, 'content-length': String(size), ...headers });
  // Unlike bytes, a text is sent together with the headers.
  if (!cut) return void response.end(text);
  response.write(Buffer.from(text).subarray(0, cut.bytes ?? Math.floor(size / 2)), () => response.destroy());
}

/** Replaces a body that is not UTF-8, and so not JSON. */
const NOT_UTF8 = '\u0000';

/** The body as text, or undefined when it is too large; the rest is read and discarded. */
async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (bytes: Buffer) => {
    size += bytes.length;
    if (size <= MAX_BODY_BYTES) chunks.push(bytes);
  });
  await new Promise((resolve, reject) => request.once('end', resolve).once('error', reject));
  if (size > MAX_BODY_BYTES) return undefined;
  const bytes = Buffer.concat(chunks);
  return isUtf8(bytes) ? bytes.toString('utf8') : NOT_UTF8;
}

function loggable(text: string): Json | undefined {
  return text === '' ? undefined : (tryParseJson(text) ?? text);
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await wait(ms);
}
