// Whether a request that was sent is one of a plan, whose placeholders are filled by then.

import { isList, isObject, type Json } from '../../src/core/json.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import type { PlannedRequest } from '../../src/plan/plan.ts';
import { marksIn } from './read-markers.ts';
import type { Entry } from './service.ts';

/** Whether a write is a request of a plan, with something in place of each placeholder. */
export function isSameRequest(request: PlannedRequest, entry: Entry): boolean {
  const planned = Object.keys(request.body ?? {});
  return planned.length === Object.keys(entry.body ?? {}).length && isPartOfRequest(request, entry);
}

/** Whether a write sends some fields of a request of a plan, and nothing else. */
export function isPartOfRequest(request: PlannedRequest, { method, path, body = {} }: Entry): boolean {
  const planned = request.body ?? {};
  if (request.method !== method || !isLike(request.path, path)) return false;
  return Object.entries(body).every(([name, sent]) => {
    const value = planned[name];
    if (value === undefined) return false;
    return name === METADATA ? isSameMarker(value, sent) : isFilled(value, sent);
  });
}

/** True for a text in which something stands for each placeholder. */
function isLike(template: string, text: string): boolean {
  const parts = template.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

function isFilled(planned: Json, sent: Json): boolean {
  if (typeof planned === 'string') return typeof sent === 'string' && isLike(planned, sent);
  if (isList(planned))
    return (
      isList(sent) && planned.length === sent.length && planned.every((one, at) => isFilled(one, sent[at] ?? null))
    );
  if (!isObject(planned)) return planned === sent;
  if (planned['sensitive'] === true) return typeof sent === 'string';
  return isObject(sent) && Object.keys(planned).every((name) => isFilled(planned[name] ?? null, sent[name] ?? null));
}

/** The address and the text of metadata are those of the plan; the run's name is the run's. */
function isSameMarker(planned: Json, sent: Json): boolean {
  if (typeof planned !== 'string' || typeof sent !== 'string') return false;
  const [one, other] = [marksIn(planned), marksIn(sent)];
  const names = (found: ReturnType<typeof marksIn>) =>
    found.marks.map(({ stack, address }) => `${stack} ${address}`).join();
  return names(one) === names(other) && isLike(one.user, other.user);
}
