// When the answer to a write must not be trusted, one rule per entry. Breaking one makes the outcome unknown.

import { ID, METADATA } from '../../catalog/fields/common.ts';
import { isId } from '../../catalog/id.ts';
import { isObject, type Json } from '../../core/json.ts';
import { withArticle } from '../../core/text/text.ts';
import { readMarker } from '../../resource/marker/marker-codec.ts';
import type { GatedWrite, GateScope } from './gate-rules.ts';

interface GatedAnswer {
  readonly write: GatedWrite;
  readonly body: Json;
}

interface AnswerRule {
  readonly name: string;
  /** What is wrong with the answer, as the end of a sentence; its write then counts as unknown, never as done. */
  readonly check: (answered: GatedAnswer, scope: GateScope) => string | undefined;
}

/** A cache, a proxy or a bug in the service may answer with something else. */
export const ANSWER_RULES: readonly AnswerRule[] = [
  { name: 'empty-after-delete', check: saysSomething },
  { name: 'about-the-object', check: aboutAnother },
  { name: 'new-id', check: knownId },
  { name: 'own-marker', check: otherMarker },
];

function saysSomething({ write, body }: GatedAnswer): string | undefined {
  return write.request.method === 'DELETE' && body !== null ? 'is not one that the API gives' : undefined;
}

function aboutAnother({ write, body }: GatedAnswer): string | undefined {
  if (write.request.method !== 'PATCH' || idOf(body) === write.id) return undefined;
  return `is not about ${write.id ?? ''}`;
}

/** A new object has an unused id of its kind. */
function knownId({ write: { request, kind }, body }: GatedAnswer, { known, history }: GateScope): string | undefined {
  if (request.method !== 'POST') return undefined;
  const id = idOf(body);
  if (id === undefined || !isId(kind, id)) return `has no id of ${withArticle(kind.title)}`;
  return known.has(id) || history.written.has(id) || history.deleted.has(id)
    ? `names ${id}, which existed before`
    : undefined;
}

/** The new object has the marker that was sent; another object has another marker. */
function otherMarker({ write, body }: GatedAnswer): string | undefined {
  if (write.request.method !== 'POST' || !isObject(body)) return undefined;
  const [sent, came] = [write.request.body?.[METADATA], body[METADATA]];
  if (typeof sent !== 'string' || typeof came !== 'string' || sent === came) return undefined;
  const [ours, theirs] = [readMarker(sent).marker, readMarker(came).marker];
  if (theirs === undefined) return undefined;
  if (theirs.stack !== ours?.stack || theirs.address !== ours.address)
    return `is about ${theirs.address} of stack ${theirs.stack}`;
  return theirs.created_by === ours.created_by ? undefined : 'is about an object that another run created';
}

function idOf(body: Json): string | undefined {
  const id = isObject(body) ? body[ID] : undefined;
  return typeof id === 'string' ? id : undefined;
}
