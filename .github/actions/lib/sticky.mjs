// Texts that are kept up to date: one comment on a change, one issue of a repository. A forge lists only what its own user wrote, so a text of
// anybody else is not ours, whatever it says.

import { isAbout } from './marker.mjs';

/** Our own comments of a kind about a stack, oldest first. */
export async function ourComments(forge, number, is, about) {
  const own = await forge.comments(number);
  return own.filter(({ body }) => isAbout(body, is, about)).sort((a, b) => a.id - b.id);
}

/** Puts the text into our comment, which is made where there is none; older ones are marked as outdated. */
export async function putComment(forge, number, is, about, body) {
  const mine = await ourComments(forge, number, is, about);
  const last = mine.at(-1);
  if (last === undefined)
    await create(
      () => forge.createComment(number, body),
      () => ourComments(forge, number, is, about),
    );
  else if (last.body !== body) await forge.updateComment(number, last, body);
  for (const comment of mine.slice(0, -1)) {
    try {
      await forge.retireComment(number, comment);
    } catch (error) {
      forge.say('warning', `comment ${comment.id} could not be marked as outdated: ${error.message}`);
    }
  }
}

/** Sent again only when it is known that nothing came of it. */
export async function create(send, find, attempts = 3) {
  try {
    await send();
  } catch (error) {
    const isUnclear = error.status === 0 || error.status >= 500;
    if (!isUnclear || attempts === 1) throw error;
    if ((await find()).length === 0) await create(send, find, attempts - 1);
  }
}

async function ourIssues(forge, about) {
  const own = await forge.openIssues();
  return own.filter(({ body }) => isAbout(body, 'drift', about)).sort((a, b) => a.number - b.number);
}

/** Closed also where no comment may be made, as in a locked issue. */
async function close(forge, number, text) {
  await forge.closeIssue(number);
  try {
    await forge.commentIssue(number, text);
  } catch (error) {
    forge.say('warning', `issue ${number} is closed without a comment: ${error.message}`);
  }
}

/** One open issue with this text, or none when there is nothing to say. */
export async function putIssue(forge, about, { title, body, farewell }) {
  const [first, ...others] = await ourIssues(forge, about);
  if (first === undefined) {
    if (body === undefined) return;
    await create(
      () => forge.createIssue(title, body),
      () => ourIssues(forge, about),
    );
    return;
  }
  for (const { number } of others) await close(forge, number, `#${first.number} is about the same stack.`);
  if (body === undefined) await close(forge, first.number, farewell);
  else if (first.body !== body) await forge.updateIssue(first.number, body);
}
