// Rows that can be searched and filtered. Without JavaScript, all rows are shown and no controls.

import { groupEntries } from '../../core/group.ts';
import { plural } from '../../core/text/text.ts';
import type { Facets } from '../document/blocks.ts';
import { element, HIDDEN, signText, type Markup } from './html.ts';

/** A row of the page that can be filtered away. */
export interface Filterable {
  readonly row: object;
  readonly facets: Facets;
  readonly noun: string;
  /** False for what only accompanies another row. */
  readonly isCounted: boolean;
  readonly canFold: boolean;
}

/** A property by which rows can be filtered. Its values are numbered, so that no text of unknown origin becomes an attribute. */
interface Facet {
  readonly title: string;
  readonly values: ReadonlyMap<string, readonly Filterable[]>;
}

export interface Filter {
  /** The controls, and a status line with the number of rows shown; nothing when called again. */
  readonly takeControls: () => Markup[];
  /** The attributes by which the script finds a row. */
  readonly attributesOf: (row: object) => Readonly<Record<string, string>>;
}

export function filterFor(rows: readonly Filterable[]): Filter {
  const facets = facetsOf(rows);
  const numbers = facets.map(({ values }) => new Map([...values.keys()].map((value, at) => [value, String(at)])));
  const byRow = new Map(rows.map((one) => [one.row, one]));
  const controls = controlsFor(rows, facets);
  return {
    takeControls: () => controls.splice(0),
    attributesOf: (row) => {
      const known = byRow.get(row);
      if (known === undefined) return {};
      const given = facets.map(({ title }, at) => [
        `data-${nameOf(title)}`,
        numbers[at]?.get(valueOf(known.facets[title])) ?? '',
      ]);
      return { 'data-row': known.isCounted ? '' : 'uncounted', ...Object.fromEntries(given) };
    },
  };
}

/** With more values than this, the control is a drop-down list. */
const MAX_CHIPS = 6;

function controlsFor(rows: readonly Filterable[], facets: readonly Facet[]): Markup[] {
  const input = { type: 'search', name: 'search', 'aria-keyshortcuts': '/', placeholder: 'Address, field or value' };
  const button = (title: string, attributes: Readonly<Record<string, string>>) => element('button', title, attributes);
  const folds = [
    button('Expand all', { type: 'button', 'data-open': 'yes' }),
    button('Collapse all', { type: 'button', 'data-open': 'no' }),
  ];
  const search = [element('span', 'Search'), element('input', '', input), element('kbd', '/', HIDDEN)];
  const buttons = [
    button('Clear', { type: 'reset', class: 'clear' }),
    ...(rows.some(({ canFold }) => canFold) ? folds : []),
  ];
  const form = element(
    'form',
    [element('label', search, { class: 'search' }), facets.map(control), element('div', buttons)],
    { class: 'filter', role: 'search', autocomplete: 'off', hidden: '' },
  );
  const [noun = 'row', ...others] = new Set(rows.map((one) => one.noun));
  const count = plural(countOf(rows), others.length === 0 ? noun : 'row');
  return [form, element('p', count, { role: 'status', class: 'meta' })];
}

/** The facets that differ among the rows. */
function facetsOf(rows: readonly Filterable[]): Facet[] {
  const titles = [...new Set(rows.flatMap(({ facets }) => Object.keys(facets)))];
  return titles.flatMap((title) => {
    const given = rows.filter(({ facets }) => facets[title] !== undefined);
    const values = groupEntries(given.map((row) => [valueOf(row.facets[title]), row] as const));
    return values.size > 1 ? [{ title, values }] : [];
  });
}

/** Titles are our own words. */
function nameOf(title: string): string {
  return title.toLowerCase();
}

function valueOf(value: Facets[string] | undefined): string {
  return typeof value === 'object' ? value.word : (value ?? '');
}

function countOf(rows: readonly Filterable[]): number {
  return rows.filter(({ isCounted }) => isCounted).length;
}

function control({ title, values }: Facet): Markup {
  const name = nameOf(title);
  const found = [...values];
  if (found.length > MAX_CHIPS) {
    const options = found.map(([value, rows], at) =>
      element('option', `${value} (${countOf(rows)})`, { value: String(at) }),
    );
    const select = element('select', [element('option', 'all', { value: '' }), options], { name });
    return element('label', [element('span', title), select], { class: 'choice' });
  }
  const chips = found.map(([value, rows], at) => {
    const given = rows[0]?.facets[title];
    const text = typeof given === 'object' ? signText(given) : value;
    const box = element('input', '', { type: 'checkbox', name, value: String(at) });
    return element('label', [box, element('span', text), ' ', element('b', String(countOf(rows)))], { class: 'chip' });
  });
  return element('fieldset', [element('legend', title), chips]);
}
