// One attempt: the headers sent (§4, §5, §9), and the evaluation of the answer. Does not decide about retries.

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { parseBody, type BodyResult } from './body.ts';
import type { Exchange, HttpResponse } from './exchange.ts';
import { knownOf, rejectedError, unusableError, type Attempt } from './failure.ts';
import { namesIn, describeOrigin, describeError, mediaType } from './describe-response.ts';
import { retryAfterMs } from './retry-after.ts';
import type { ApiError } from '../transport.ts';
import { transportFailure } from './thrown.ts';
import type { ClientSettings } from '../settings.ts';

export interface Answer {
  readonly status: number;
  /** Null for an empty 204. */
  readonly json: Json;
}

export interface ApiRequest {
  readonly method: Attempt['method'];
  readonly url: URL;
  readonly body?: JsonObject;
}

/** What came of one attempt. */
export type AttemptOutcome =
  /** A usable answer. */
  | { readonly answer: Answer }
  /** A refusal, a failure, or nothing that can be used. */
  | { readonly failure: ApiError };

/** The attempt's name in messages; without the values of its query, which the service chooses. */
export function attemptOf(settings: ClientSettings, { method, url }: ApiRequest): Attempt {
  const isWrite = method !== 'GET';
  const timeoutMs = isWrite ? settings.writeTimeoutMs : settings.readTimeoutMs;
  const names = namesIn(url.search);
  return { method, path: `${url.pathname}${names === '' ? '' : `?${names}`}`, origin: url.origin, timeoutMs, isWrite };
}

/** Sends once. Throws only errors that are not network failures. */
export async function attemptOnce(
  settings: ClientSettings,
  exchange: Exchange,
  target: ApiRequest,
  given: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<AttemptOutcome> {
  const attempt = { ...attemptOf(settings, target), timeoutMs: given.timeoutMs };
  const { method, url, body } = target;
  let response: HttpResponse;
  try {
    response = await exchange({
      method,
      url,
      headers: headersOf(settings, body !== undefined),
      body: body === undefined ? undefined : JSON.stringify(body),
      timeoutMs: given.timeoutMs,
      ...(given.signal && { signal: given.signal }),
    });
  } catch (error) {
    return { failure: transportFailure(attempt, error) };
  }
  return classifyResponse({ attempt, response, settings });
}

function headersOf(settings: ClientSettings, hasBody: boolean): Record<string, string> {
  return {
    authorization: `Bearer ${settings.apiKey.reveal()}`,
    [settings.versionHeader.name]: settings.versionHeader.value,
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(hasBody && { 'content-type': 'application/json' }),
  };
}

interface ReceivedResponse {
  readonly attempt: Attempt;
  readonly response: HttpResponse;
  readonly settings: ClientSettings;
}

function classifyResponse(received: ReceivedResponse): AttemptOutcome {
  const { status, bytes } = received.response;
  const parsed = status === 204 && bytes?.length === 0 ? { json: null } : readBody(received);
  if ('json' in parsed && status >= 200 && status < 300) return { answer: { status, json: parsed.json } };
  return { failure: classifyFailure(received, parsed) };
}

function classifyFailure(received: ReceivedResponse, parsed: BodyResult): ApiError {
  const { attempt, response } = received;
  const { status, headers } = response;
  const known = knownOf(status);
  const details = { status, retryAfterMs: retryAfterMs(headers) };
  const text = 'problem' in parsed ? parsed.problem : describeErrorBody(parsed.json, response);
  if (known === 'throttled' || known === 'unsent' || ('json' in parsed && isApiError(parsed.json)))
    return rejectedError(attempt, { ...details, text });
  const unusable = known === 'failed' ? 'failed' : 'unusable';
  if ('json' in parsed) {
    const why = `the answer (status ${status}) is ${text}`;
    return unusableError(attempt, { ...details, known: unusable, why, isAboutKey: status === 401 || status === 403 });
  }
  // A truncated body may be complete next time; for a refusal this matters only if it says whether something exists.
  const isCut = parsed.isCut && (status < 300 || status === 404);
  const why = `${text} (status ${status}${lengthOf(response)})`;
  return unusableError(attempt, { ...details, known: isCut ? 'lost' : unusable, why, isAboutKey: status === 401 });
}

function readBody({ attempt, response, settings: { maxBytes } }: ReceivedResponse): BodyResult {
  const { status, headers, bytes } = response;
  const final = (problem: string) => ({ problem, isCut: false });
  if (status >= 300 && status < 400) {
    const { location = '' } = headers;
    if (location === '') return final(`the answer has the status ${status} without a Location, and cannot be used`);
    return final(
      `the answer is a redirect to ${describeOrigin(location, attempt.origin)}, and redirects are not followed`,
    );
  }
  if (bytes === undefined) return final(`the answer is larger than ${maxBytes} bytes`);
  if (!['', 'identity'].includes(headers['content-encoding'] ?? ''))
    return final('the answer is compressed, although that was not requested');
  return parseBody(bytes, headers['content-type'] ?? '');
}

/** The length after a status; empty when the body exceeded the limit. */
function lengthOf({ bytes }: HttpResponse): string {
  return bytes === undefined ? '' : `, ${bytes.length} bytes`;
}

/** The content of an error body in the API's form. Any other body may be anything, so only its media type and length are shown. */
function describeErrorBody(json: Json, { headers, bytes }: HttpResponse): string {
  if (isApiError(json)) return describeError(json);
  return `${mediaType(headers['content-type'] ?? '')}, ${bytes?.length ?? 0} bytes, not an error in the API's form`;
}

/** The specification does not show error bodies (§7); public services of this shape send these keys (ADR-0004). */
function isApiError(json: Json): json is JsonObject {
  return isObject(json) && (typeof json['status_code'] === 'number' || typeof json['error_code'] === 'string');
}
