// `npm test` tries a part of what there is to try, and `npm run test:full` all of it.

export const IS_FULL = process.env['WORLDS_FACTOR'] === '1';

/** All of a list in the full run; otherwise every so many, from that of this turn, so that all turns together try all of them. */
export function byTurns<T>(list: readonly T[], turn: number, every: number): T[] {
  return list.filter((_, index) => IS_FULL || (index + turn) % every === 0);
}
