// Refusals of the emulator: status, code and message of an error answer. Knows neither HTTP nor kinds.

import { BugError } from '../core/diagnostic.ts';

/** Error codes of the emulator's answers; the specification shows none (ADR-0007). */
export const PROBLEM = {
  noCredentials: 'ERR_EDGE_200',
  badCredentials: 'ERR_EDGE_202',
  unknownCredentials: 'ERR_EDGE_203',
  mediaType: 'ERR_EDGE_210',
  unexpectedBody: 'ERR_EDGE_211',
  badJson: 'ERR_EDGE_213',
  unknownField: 'ERR_EDGE_214',
  badValue: 'ERR_EDGE_215',
  badVersion: 'ERR_EDGE_217',
  noVersion: 'ERR_EDGE_218',
  tooLarge: 'ERR_EDGE_220',
  badCursor: 'ERR_EDGE_223',
  badQuery: 'ERR_EDGE_231',
  badLimit: 'ERR_EDGE_233',
  notFound: 'ERR_EDGE_404',
  nothingToChange: 'ERR_EDGE_606',
  owner: 'ERR_EDGE_630',
  inUse: 'ERR_EDGE_5112',
  fixedChoice: 'ERR_EDGE_5108',
  unknownReference: 'ERR_EDGE_6501',
  notUnique: 'ERR_EDGE_7122',
  rule: 'ERR_EDGE_7028',
  internal: 'ERR_EDGE_100',
} as const;

/** Thrown to refuse a request; becomes the error body. Without a code, the path is unknown. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string | undefined;
  readonly details: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string | undefined,
    message: string,
    details: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** A broken rule on input: 400. */
export function invalid(code: string, message: string): Refusal {
  return new Refusal(400, code, message);
}

/** The message of a failure to load a seed or to start; rethrows a bug of our own. */
export function failureMessage(error: unknown): string {
  if (error instanceof Error && !(error instanceof BugError)) return error.message;
  throw error;
}
