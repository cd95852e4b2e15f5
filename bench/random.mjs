/** Chances that fall out alike every time: a linear congruential generator with a fixed seed. */
export function random(seed) {
  let state = seed;
  const below = (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return { pick: (list) => list[below(list.length)], in: (limit) => below(limit) === 0 };
}
