// Who may call: bearer tokens (§5) and the version header (§9). Knows nothing of the operations.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sha256 } from '../core/digest.ts';
import { tokenKey } from './keys.ts';
import { invalid, PROBLEM, Refusal } from './problem.ts';
import type { Store } from './state/store.ts';

export interface Caller {
  readonly owner: string;
  readonly admin: boolean;
}

export interface AccessRules {
  /** The token that always works, and its owner. */
  readonly apiKey: string;
  readonly holder: Caller;
  readonly versionHeader: { readonly name: string; readonly value: string };
}

/** The caller identified by the Authorization header: the main key, or any API key that still exists. */
export function authenticate(rules: AccessRules, store: Store, headers: IncomingHttpHeaders): Caller {
  const given = headers.authorization;
  if (given === undefined) throw new Refusal(403, PROBLEM.noCredentials, 'there is no Authorization header');
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(given)?.[1];
  if (token === undefined)
    throw new Refusal(403, PROBLEM.badCredentials, 'the Authorization header is not "Bearer TOKEN"');
  if (same(token, rules.apiKey)) return rules.holder;
  const [key] = store.holders(tokenKey(token));
  if (key === undefined) throw new Refusal(403, PROBLEM.unknownCredentials, 'no API key has this token');
  return { owner: key.owner, admin: false };
}

/** Throws unless the version header has its one value. */
export function checkVersion(rules: AccessRules, headers: IncomingHttpHeaders): void {
  const { name, value } = rules.versionHeader;
  const given = headers[name.toLowerCase()];
  if (given === undefined) throw invalid(PROBLEM.noVersion, `the header ${name} is missing; supported: ${value}`);
  if (given !== value)
    throw invalid(PROBLEM.badVersion, `the header ${name} has an unsupported value; supported: ${value}`);
}

function same(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(a)), Buffer.from(sha256(b)));
}
