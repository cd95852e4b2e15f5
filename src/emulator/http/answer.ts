// Answers one request, however it arrived: checks the caller, finds the operation, and turns a refusal into an error body.
// Knows neither sockets nor faults.

import type { IncomingHttpHeaders } from 'node:http';
import type { Json, JsonObject } from '../../core/json.ts';
import { tryParseJson } from '../../core/json.ts';
import type { AccessRules } from '../access.ts';
import { authenticate, checkVersion } from '../access.ts';
import type { Answer } from '../handlers.ts';
import { perform } from '../handlers.ts';
import type { PageRules } from '../paging.ts';
import { invalid, PROBLEM, Refusal } from '../problem.ts';
import type { View } from './respond.ts';
import type { Router } from './router.ts';

/** The parts of the service, without its transport. */
export interface Core {
  readonly view: View;
  readonly access: AccessRules;
  readonly router: Router;
  readonly pages: PageRules;
  readonly now: () => string;
}

/** One request as it was read. */
interface Asked {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body; undefined when it is too large. */
  readonly text: string | undefined;
}

/** The answer without faults; every refusal becomes its error body. */
export function answer(core: Core, asked: Asked): Answer {
  try {
    return decide(core, asked);
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(500, PROBLEM.internal, 'the emulator failed');
    return { status: refusal.status, body: errorBody(refusal) };
  }
}

function decide(core: Core, asked: Asked): Answer {
  const { view, access, pages } = core;
  const caller = authenticate(access, view.store, asked.headers);
  checkVersion(access, asked.headers);
  const [path = '', query] = asked.path.split('?', 2);
  const target = core.router(asked.method, path);
  if (target === undefined) throw new Refusal(404, undefined, 'Not Found', { path });
  const body = readJson(asked);
  return perform({
    view,
    target,
    caller,
    query: new URLSearchParams(query),
    body,
    pages,
    now: core.now(),
    tokenSeed: access.apiKey,
  });
}

function readJson({ method, headers, text }: Asked): Json | undefined {
  if (text === undefined) throw new Refusal(413, PROBLEM.tooLarge, 'the body is larger than 1 MiB');
  const takesBody = method === 'POST' || method === 'PATCH' || method === 'PUT';
  if (!takesBody && text !== '') throw invalid(PROBLEM.unexpectedBody, `${method} takes no body`);
  if (!takesBody) return undefined;
  if (!/^application\/json *(;.*)?$/i.test(headers['content-type'] ?? '')) {
    throw new Refusal(415, PROBLEM.mediaType, 'the content type must be application/json');
  }
  const json = tryParseJson(text);
  if (json === undefined) throw invalid(PROBLEM.badJson, 'the body is not JSON');
  return json;
}

export function errorBody({ code, status, message, details }: Refusal): JsonObject {
  return { ...(code !== undefined && { error_code: code }), status_code: status, msg: message, details };
}
