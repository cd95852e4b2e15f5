// What was reviewed of a change: the plan that our comment on it shows.

import { readMarker } from './marker.mjs';
import { ourComments } from './sticky.mjs';

/** The fingerprint, the digest of the steps, the result and the text of the plan in the comment; or why there is none that could be applied. */
export async function reviewOf(forge, number) {
  const { about, words } = forge;
  const name = `${words.request} #${number}`;
  const comment = (await ourComments(forge, number, 'plan', about)).at(-1);
  if (comment === undefined) return { why: `${name} has no comment with a plan of stack ${about.stack}` };
  const { fingerprint, steps, result } = readMarker(comment.body).facts;
  if (result === 'refused') return { why: `the last plan of ${name} is refused by a safety rule` };
  if (fingerprint === undefined || result === 'error') return { why: `the last plan of ${name} failed` };
  return { fingerprint, steps, result, body: comment.body };
}

/** The beginning of the name of the commit whose plan the text of a comment is, as its last lines say. */
export function commitOf(body) {
  return [...body.matchAll(/^Plan of commit ([0-9a-f]+), made by /gm)].at(-1)?.[1];
}
