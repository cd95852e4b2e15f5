// Pairs of mechanisms that no command line and no manifest brings together, with the reason.

const ROWS: readonly (readonly [one: string, other: string, reason: string])[] = [
  ['`destroy`', '`--target`', '`destroy` has no `--target`: it is about everything that the stack owns'],
  ['`destroy`', '`--allow-loss`', '`destroy` is its own consent'],
  ['`destroy`', '`--base`', '`destroy` compares with nothing'],
  ['`destroy`', 'saved plan', 'the plan of `destroy` cannot be saved'],
  ['`destroy`', 'saved plan that goes on', 'the plan of `destroy` cannot be saved'],
  ['saved plan', 'saved plan that goes on', 'the second is the first, with a fault'],
];

/** Why two mechanisms do not meet; undefined if they do. */
export function whyNotMeeting(one: string, other: string): string | undefined {
  return ROWS.find(
    ([first, second]) => (first === one && second === other) || (first === other && second === one),
  )?.[2];
}
