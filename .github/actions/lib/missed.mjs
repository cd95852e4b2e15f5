// Changes that were merged before this one and never applied, because their run was cancelled while it waited.

import { withMarker } from './marker.mjs';
import { reviewOf } from './reviewed.mjs';
import { ourComments } from './sticky.mjs';

/** The numbers of those whose reviewed plan has changes, and who have not been told how it ended. Whoever cannot be asked is no obstacle. */
export async function findMissed(forge) {
  try {
    const numbers = [];
    for (const { number } of await forge.cancelled()) {
      const { result } = await reviewOf(forge, number);
      const reports = await ourComments(forge, number, 'report', forge.about);
      if (result === 'pending' && reports.length === 0) numbers.push(number);
    }
    return numbers;
  } catch (error) {
    forge.say('warning', `it is not known whether every earlier merge was applied: ${error.message}`);
    return [];
  }
}

/** Those that an earlier step put out. */
export function missedOf(forge) {
  return forge.given('missed').split(' ').filter(Boolean);
}

/** What people are told in the run that follows. */
export function sayMissed({ words }, numbers) {
  const names = numbers.map((number) => `#${number}`).join(', ');
  return `Merged before and never applied, because the ${words.run} was cancelled while it waited: ${words.request} ${names}. This ${words.run} applies its own plan only, and what is pending beside it stays. ${words.review}`;
}

/** What is said on the change itself. */
export function noteOfMissed({ about, words }) {
  const text = `**Never applied.** The ${words.run} of this merge was cancelled while it waited, and what it changes was still pending after the next one. ${words.review}`;
  return withMarker(`${text}\n\n---\nSee ${words.link}.\n`, 'report', { ...about, result: 'error' });
}
