// What an exit code of the program means for a change, and what people are to do about it.

/** What an exit code of apply says, as documents have it. */
export function resultOf(code) {
  return code === 0 ? 'done' : code === 6 ? 'stale' : 'error';
}

/** The exit code of a plan that a safety rule refuses: it is shown, and there is nothing to apply. */
export const REFUSED = 5;
export const WHEN_REFUSED =
  'A safety rule refuses this plan. Each violation says what to change in the manifest, or which option allows it: add that to `arguments` of plan and apply.';

/** What a comment says when there was no program to run. */
export function notInstalled(version) {
  return `edgeform ${version} could not be installed. The log of the run says why; correct the version or the registry, or run the job again.`;
}

/** What an exit code asks people to do, in the words of the forge. */
export function adviceFor(code, { request, stale }) {
  return (
    {
      3: 'Some steps were done and others were not. Fix the cause, then run this job again: it goes on with the same plan.',
      5: `A policy stopped the run before the first write. To allow it, add the option that the message names, in a new ${request}.`,
      6: stale,
      7: 'The outcome of a write is unknown. Check the object by hand, then do what the message says.',
      130: 'The run was stopped. Run this job again: it goes on with the same plan.',
      143: 'The run was stopped. Run this job again: it goes on with the same plan.',
    }[code] ??
    `Read the messages, and fix the problems. Then run this job again, or open a new ${request} if the manifest is to change.`
  );
}
