// The grammar of faults: what can go wrong with one request or one write to a file. Knows how each looks from outside.

import type { HttpResponse } from '../../src/service/http/exchange.ts';
import type { Json } from '../../src/core/json.ts';
import { isObject, tryParseJson } from '../../src/core/json.ts';
import { topLevelKinds } from '../../src/catalog/lookup.ts';
import type { Answered, Behind } from './service.ts';
import { BASE_URL } from './service.ts';

/** A fault of a request. `done` says whether the request is carried out, `reply` what the program gets. */
export interface RequestFault {
  readonly name: string;
  /** Which requests it makes sense for. */
  readonly on: 'any' | 'read' | 'write' | 'list' | 'object';
  readonly done: 'no' | 'yes' | 'late';
  readonly reply: Reply;
  /** Somebody else creates an object of the same kind at the same time. */
  readonly isCrowded?: true;
  /** Somebody else changes the object meanwhile. */
  readonly isEdited?: true;
  /** Id of an object that another stack takes over meanwhile; right before it, where it is read. */
  readonly takes?: string;
  /** An object that another stack takes into use meanwhile, and the name of the use; right before it, where it is read. */
  readonly uses?: { readonly id: string; readonly as: string };
  /** It may be over at the next try, so that a run that meets it once still comes to its end. */
  readonly isPassing?: true;
}

export type Reply =
  | { readonly type: 'error'; readonly code: string; readonly syscall: string }
  | { readonly type: 'no answer' }
  | { readonly type: 'crash' }
  | { readonly type: 'stale'; readonly behind?: Behind }
  /** It is on its way for so long, to the service and back. */
  | { readonly type: 'slow'; readonly thereMs: number; readonly backMs: number }
  /** Somebody else changes the object right before it is read. */
  | { readonly type: 'concurrent edit' }
  | { readonly type: 'answer'; readonly make: (echo: Echo) => HttpResponse };

/** What a careless service repeats in its errors. */
export interface Echo {
  readonly authorization: string;
  readonly text: string;
  readonly answered: Answered | undefined;
}

/** What a service that is asked too much says to wait. */
export const RETRY_AFTER_S = 7;

const JSON_TYPE = { 'content-type': 'application/json' };
const HTML = '<!doctype html><html><body><h1>Bad Gateway</h1></body></html>';

export function jsonAnswer(status: number, text: string, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return {
    status,
    headers: { ...(text !== '' && JSON_TYPE), 'content-length': String(Buffer.byteLength(text)), ...headers },
    bytes: Buffer.from(text),
  };
}

function says(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    type: 'answer',
    // Real services have been seen to quote the token, and gateways to quote the request.
    make: ({ authorization, text }) => {
      const body = {
        error_code: 'ERR_EDGE_FAULT',
        status_code: status,
        msg: `no: ${authorization} ${text}`,
        details: {},
      };
      return jsonAnswer(status, JSON.stringify(body), headers);
    },
  };
}

function fixed(status: number, text: string, headers: Readonly<Record<string, string>>): Reply {
  return { type: 'answer', make: () => ({ status, headers, bytes: Buffer.from(text) }) };
}

const html = (status: number) => fixed(status, HTML, { 'content-type': 'text/html' });
const error = (code: string, syscall = 'read'): Reply => ({ type: 'error', code, syscall });
const crash: Reply = { type: 'crash' };

/** A real list with other items, or another next page. */
function paged(
  change: (uri: string, prefix: string) => { readonly items?: readonly Json[]; readonly next: string },
): Reply {
  return {
    type: 'answer',
    make: ({ answered }) => {
      const page = tryParseJson(answered?.text ?? '');
      if (!isObject(page)) return jsonAnswer(answered?.status ?? 200, answered?.text ?? '');
      const kind = topLevelKinds.find(({ operations }) => Object.hasOwn(page, operations.list?.key ?? '-'));
      const uri = `${BASE_URL}${kind?.operations.list?.path ?? ''}`;
      const { items, next } = change(uri, kind?.idPrefix ?? '');
      const list = items === undefined ? {} : { [kind?.operations.list?.key ?? '']: items };
      return jsonAnswer(200, JSON.stringify({ ...page, ...list, next_page_uri: next }));
    },
  };
}

/** A real answer, cut in the middle. */
const half: Reply = {
  type: 'answer',
  make: ({ answered }) => {
    const text = answered?.text ?? '';
    return jsonAnswer(answered?.status ?? 200, text.slice(0, Math.floor(text.length / 2)));
  },
};

/** Whether a fault is one of this sort of request. An earlier fault can shift those that a later one would meet. */
export function strikes(
  { on }: Pick<RequestFault, 'on'>,
  { method, isList }: { readonly method: string; readonly isList: boolean },
): boolean {
  switch (on) {
    case 'any':
      return true;
    case 'list':
      return isList;
    case 'object':
      // The last look at an object before it is changed.
      return method === 'GET' && !isList;
    case 'read':
      return method === 'GET';
    case 'write':
      return method !== 'GET';
    default:
      return on satisfies never;
  }
}

export const REQUEST_FAULTS: readonly RequestFault[] = [
  { name: 'crash before', on: 'any', done: 'no', reply: crash },
  { name: 'crash after', on: 'write', done: 'yes', reply: crash },
  { name: 'crash, carried out later', on: 'write', done: 'late', reply: crash },
  { name: 'connection refused', on: 'any', done: 'no', reply: error('ECONNREFUSED', 'connect'), isPassing: true },
  { name: 'reset before', on: 'any', done: 'no', reply: error('ECONNRESET'), isPassing: true },
  {
    name: 'reset before, and somebody creates one',
    on: 'write',
    done: 'no',
    reply: error('ECONNRESET'),
    isCrowded: true,
  },
  { name: 'reset after', on: 'write', done: 'yes', reply: error('UND_ERR_SOCKET'), isPassing: true },
  { name: 'reset, carried out later', on: 'write', done: 'late', reply: error('ECONNRESET'), isPassing: true },
  { name: 'no answer before', on: 'any', done: 'no', reply: { type: 'no answer' }, isPassing: true },
  { name: 'no answer after', on: 'write', done: 'yes', reply: { type: 'no answer' }, isPassing: true },
  { name: '429', on: 'any', done: 'no', reply: says(429), isPassing: true },
  {
    name: '429 with Retry-After',
    on: 'any',
    done: 'no',
    reply: says(429, { 'retry-after': String(RETRY_AFTER_S) }),
    isPassing: true,
  },
  {
    name: '429 with Retry-After, and somebody changes it meanwhile',
    on: 'write',
    done: 'no',
    reply: says(429, { 'retry-after': String(RETRY_AFTER_S) }),
    isEdited: true,
  },
  {
    name: 'a slow answer, and somebody changes it meanwhile',
    on: 'write',
    done: 'yes',
    reply: { type: 'slow', thereMs: 10, backMs: 3_000 },
    isEdited: true,
  },
  { name: '500 before', on: 'any', done: 'no', reply: says(500), isPassing: true },
  { name: '500 after', on: 'write', done: 'yes', reply: says(500), isPassing: true },
  { name: '502 of a gateway before', on: 'any', done: 'no', reply: html(502), isPassing: true },
  { name: '502 of a gateway after', on: 'write', done: 'yes', reply: html(502), isPassing: true },
  { name: '502, carried out later', on: 'write', done: 'late', reply: html(502), isPassing: true },
  { name: '503 with Retry-After', on: 'any', done: 'no', reply: says(503, { 'retry-after': '3' }), isPassing: true },
  { name: '503 after', on: 'write', done: 'yes', reply: says(503), isPassing: true },
  { name: '504 before', on: 'any', done: 'no', reply: says(504), isPassing: true },
  { name: '504 after', on: 'write', done: 'yes', reply: html(504), isPassing: true },
  { name: '408 before', on: 'any', done: 'no', reply: says(408), isPassing: true },
  { name: '401', on: 'any', done: 'no', reply: says(401) },
  { name: '400', on: 'write', done: 'no', reply: says(400) },
  { name: '403', on: 'write', done: 'no', reply: says(403) },
  { name: '409', on: 'write', done: 'no', reply: says(409) },
  { name: 'cut body', on: 'any', done: 'yes', reply: half, isPassing: true },
  { name: 'empty 200', on: 'any', done: 'yes', reply: fixed(200, '', JSON_TYPE) },
  { name: 'empty 200, not carried out', on: 'write', done: 'no', reply: fixed(200, '', JSON_TYPE) },
  { name: 'page of a portal', on: 'any', done: 'no', reply: html(200) },
  { name: '404 of a portal', on: 'any', done: 'no', reply: html(404) },
  { name: 'redirect', on: 'any', done: 'no', reply: fixed(307, '', { location: 'https://elsewhere.test/steal' }) },
  { name: 'wrong shape', on: 'any', done: 'yes', reply: fixed(200, '{}', JSON_TYPE) },
  { name: 'an answer about nothing', on: 'write', done: 'no', reply: fixed(200, '{}', JSON_TYPE) },
  { name: 'empty list', on: 'list', done: 'yes', reply: fixed(200, '{"next_page_uri":null}', JSON_TYPE) },
  {
    name: 'next page elsewhere',
    on: 'list',
    done: 'yes',
    reply: paged((uri) => ({ next: uri.replace(/^https?:\/\/[^/]+/, 'https://elsewhere.test') })),
  },
  {
    name: 'empty page before the first',
    on: 'list',
    done: 'yes',
    reply: paged((uri, prefix) => ({ items: [], next: `${uri}?before_id=${prefix}zzzz` })),
  },
  { name: 'somebody changes it', on: 'object', done: 'yes', reply: { type: 'concurrent edit' } },
  { name: 'stale list', on: 'list', done: 'yes', reply: { type: 'stale' } },
  { name: 'list without what is new', on: 'list', done: 'yes', reply: { type: 'stale', behind: 'created' } },
  { name: 'list with what is gone', on: 'list', done: 'yes', reply: { type: 'stale', behind: 'deleted' } },
];

/** Not a fault: an answer that takes its time. */
export function slow(thereMs: number, backMs: number): RequestFault {
  const name = `${thereMs} ms there and ${backMs} ms back`;
  return { name, on: 'any', done: 'yes', reply: { type: 'slow', thereMs, backMs }, isPassing: true };
}

export function faultNamed(name: string): RequestFault {
  const found = REQUEST_FAULTS.find((fault) => fault.name === name);
  if (found === undefined) throw new Error(`there is no fault ${name}`);
  return found;
}

/** A fault of a write to a file: it fails and nothing is written, or the program ends before, after or within it. */
export interface FileFault {
  readonly name: string;
  readonly effect: 'ENOSPC' | 'EROFS' | 'before' | 'after' | 'torn';
}

export const FILE_FAULTS: readonly FileFault[] = [
  { name: 'file: crash before', effect: 'before' },
  { name: 'file: crash after', effect: 'after' },
  { name: 'file: crash within', effect: 'torn' },
  { name: 'file: no space', effect: 'ENOSPC' },
  { name: 'file: read-only', effect: 'EROFS' },
];

/** How long after its answer was lost a request is still carried out. */
export const LATE_MS = 6_000;

/** What happens at one point of a run, or from there on at every point of the same sort. */
export type Planned = {
  readonly at: number;
  readonly isLasting: boolean;
  /** Part of the path of the files that it goes on for; of all files when missing. */
  readonly under?: string;
} & ({ readonly request: RequestFault } | { readonly file: FileFault });

export function nameOf(planned: Planned): string {
  const name = 'request' in planned ? planned.request.name : planned.file.name;
  return `${name}${planned.isLasting ? ', lasting' : ''} at ${planned.at}`;
}
