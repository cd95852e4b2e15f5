// Places as a forge reads them: from the root of its checkout, whatever folder the program runs in.

import { STANDARD_INPUT } from '../../core/diagnostic.ts';
import { plainPath } from '../../core/text/plain-path.ts';
import type { Checkout } from '../render-options.ts';
import type { Problem, SourcePlace, View } from './view.ts';

/** The view with every place from the root of the checkout; files outside of it keep the names that the user gave them. */
export function fromCheckout(view: View, checkout: Checkout): View {
  const { subjects, stacks } = view;
  return {
    ...view,
    problems: view.problems.map((problem) => ({
      ...placed(problem, checkout),
      related: problem.related.map((one) => placed(one, checkout)),
    })),
    items: view.items.map((item) => placed(item, checkout)),
    rows: view.rows.map((row) => placed(row, checkout)),
    ...(subjects && { subjects: () => subjects().map((one) => subject(one, checkout)) }),
    ...(stacks && { stacks: stacks.map((one) => ({ ...one, view: one.view && fromCheckout(one.view, checkout) })) }),
  };
}

function placed<T extends { readonly place?: Problem['place'] }>(one: T, checkout: Checkout): T {
  return one.place === undefined ? one : { ...one, place: inCheckout(one.place, checkout) };
}

/** A file that was checked has its own path as its name. */
function subject(one: ReturnType<NonNullable<View['subjects']>>[number], checkout: Checkout) {
  const place = inCheckout(one.place, checkout);
  return { ...one, place, name: one.name === one.place.file ? place.file : one.name };
}

function inCheckout(place: SourcePlace, { root, folder }: Checkout): SourcePlace {
  if (place.file === STANDARD_INPUT) return place;
  const path = plainPath(place.file.startsWith('/') ? place.file : `${folder}/${place.file}`);
  return path.startsWith(`${root}/`) ? { ...place, file: path.slice(root.length + 1) } : place;
}
