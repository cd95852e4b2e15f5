// The emulated service on loopback over real HTTP: sockets, bodies, faults and the request log.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, JsonObject } from '../base/json.ts';
import { BugError } from '../base/diagnostic.ts';
import { faultScript } from './faults.ts';
import type { Emulator, EmulatorOptions, Fault, RequestRecord } from './options.ts';
import { dump, restore, seed } from './seed.ts';
import type { Outgoing, ServiceSettings } from './service.ts';
import { handle } from './service.ts';
import { kindOfList, Store } from './store.ts';

export type { Emulator, EmulatorOptions, RequestRecord } from './options.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const DEFAULT_PAGE_SIZE = 100;
const DEFAULT_KEY = 'emulator-key';

/** Starts a service on loopback; it stops, with all its connections, on `close`. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const store = new Store({ now });
  if (options.stateFile !== undefined && existsSync(options.stateFile)) {
    const saved: Json = JSON.parse(readFileSync(options.stateFile, 'utf8'));
    restore(store, saved);
  } else if (options.seed !== undefined) seed(store, options.seed, now());
  const settings: ServiceSettings = {
    apiKey: options.apiKey ?? DEFAULT_KEY,
    versionHeader: options.versionHeader ?? { name: 'Service-Version', value: '2' },
    pageSize: Math.min(100, Math.max(1, options.pageSize ?? DEFAULT_PAGE_SIZE)),
    disabled: options.disabled ?? [],
  };
  const requests: RequestRecord[] = [];
  const next = faultScript(options.faults ?? []);
  const serve = (request: IncomingMessage, response: ServerResponse) => answer({ store, settings, options, requests, next }, request, response);
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await new Promise<void>((ready, fail) => {
    server.once('error', fail);
    server.listen(options.port ?? 0, '127.0.0.1', ready);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new BugError('the emulator has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    apiKey: settings.apiKey,
    requests,
    objects: (key) => objectsOf(store, key),
    mutate: (id, patch) => {
      store.overwrite(id, patch);
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => {
          closed();
        });
        server.closeAllConnections();
      }),
  };
}

function objectsOf(store: Store, key: string): JsonObject[] {
  const kind = kindOfList(key);
  if (kind === undefined) throw new BugError(`no list has the key ${key}`);
  return store
    .list(kind)
    .reverse()
    .map(({ id, parentId, fields }) => ({ ...fields, id, ...(parentId !== undefined && { parent_id: parentId }) }));
}

interface Host {
  readonly store: Store;
  readonly settings: ServiceSettings;
  readonly options: EmulatorOptions;
  readonly requests: RequestRecord[];
  readonly next: ReturnType<typeof faultScript>;
}

async function answer(host: Host, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { store, settings, options, requests, next } = host;
  const text = await readText(request);
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? '127.0.0.1'}`);
  const method = request.method ?? 'GET';
  const fault = next(method, url.pathname);
  if (options.latencyMs !== undefined && options.latencyMs > 0) await sleep(options.latencyMs);
  if (fault?.type === 'delay') await sleep(fault.ms);
  if (fault?.type === 'drop-before') {
    request.socket.destroy();
    return;
  }
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const outgoing = text === undefined ? tooLarge() : faultStatus(fault) ?? handle(store, settings, { method, url, headers, text });
  requests.push({ method, path: `${url.pathname}${url.search}`, status: outgoing.status, body: parse(text ?? '') });
  if (method !== 'GET' && outgoing.status < 300 && options.stateFile !== undefined) saveState(options.stateFile, store);
  send(request, response, outgoing, fault);
}

function tooLarge(): Outgoing {
  return { status: 413, body: { error_code: 'ERR_TOO_LARGE', status_code: 413, msg: 'the body is too large', details: {} } };
}

function faultStatus(fault: Fault['action'] | undefined): Outgoing | undefined {
  if (fault?.type !== 'status') return undefined;
  const { status } = fault;
  return { status, body: fault.body ?? { error_code: 'ERR_FAULT', status_code: status, msg: 'scripted fault', details: {} } };
}

function send(request: IncomingMessage, response: ServerResponse, outgoing: Outgoing, fault: Fault['action'] | undefined): void {
  if (fault?.type === 'drop-after') {
    request.socket.destroy();
    return;
  }
  if (outgoing.body === null) {
    response.writeHead(outgoing.status).end();
    return;
  }
  const text = JSON.stringify(outgoing.body);
  const extra = fault?.type === 'status' ? fault.headers : undefined;
  response.writeHead(outgoing.status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...extra });
  if (fault?.type === 'truncate') {
    response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
    return;
  }
  response.end(text);
}

/** The body as text; undefined when it is too large. */
async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    if (size <= MAX_BODY_BYTES) chunks.push(bytes);
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): Json {
  try {
    const json: Json = JSON.parse(text);
    return json;
  } catch {
    return text === '' ? null : text;
  }
}

/** A new file, flushed and renamed over the old one, so that a crash leaves one of the two whole. */
function saveState(file: string, store: Store): void {
  const temporary = `${file}.tmp`;
  const descriptor = openSync(temporary, 'w', 0o600);
  writeSync(descriptor, JSON.stringify(dump(store)));
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(temporary, file);
}
