// The objects of one list, linked by age: adding, removing and continuing after one take the same time at any length.

interface Numbered {
  readonly number: number;
}

export interface Link<T> {
  /** Only replaced by one with the same number. */
  stored: T;
  newer: Link<T> | undefined;
  older: Link<T> | undefined;
}

export interface Chain<T> {
  newest: Link<T> | undefined;
}

/** Adds an object at its place by number, nearly always the end; among equal ones the first stays the newest. */
export function addLink<T extends Numbered>(chain: Chain<T>, stored: T): Link<T> {
  let newer: Link<T> | undefined;
  let older = chain.newest;
  while (older !== undefined && older.stored.number >= stored.number) [newer, older] = [older, older.older];
  const link: Link<T> = { stored, newer, older };
  if (older !== undefined) older.newer = link;
  if (newer === undefined) chain.newest = link;
  else newer.older = link;
  return link;
}

export function removeLink<T>(chain: Chain<T>, { newer, older }: Link<T>): void {
  if (older !== undefined) older.newer = newer;
  if (newer === undefined) chain.newest = older;
  else newer.older = older;
}

/** A link's object and all older ones, newest first. */
export function* objectsFrom<T>(link: Link<T> | undefined): Generator<T> {
  for (let at = link; at !== undefined; at = at.older) yield at.stored;
}
