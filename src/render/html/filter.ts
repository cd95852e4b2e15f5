// Rows that can be searched and filtered. Without JavaScript, all rows are shown and no controls.

import { groupEntries } from '../../core/group.ts';
import { plural } from '../../core/text/text.ts';
import { element, HIDDEN, type Content, type Markup } from './html.ts';

/** A property that rows can be filtered by. */
export interface Facet<T> {
  /** Attribute of the rows, and name of the control. */
  readonly name: string;
  readonly title: string;
  readonly valuesOf: (row: T) => readonly string[];
  /** How a value is displayed, if not literally. */
  readonly shown?: (value: string, row: T) => Content;
}

/** Values are numbered, so that no text of unknown origin becomes an attribute. */
interface Numbered<T> extends Facet<T> {
  readonly values: readonly string[];
  readonly rows: ReadonlyMap<string, readonly T[]>;
}

/** With more values than this, the control is a drop-down list. */
const MAX_CHIPS = 6;

/** What the rows are about, whether they fold, and which rows are not counted because they only accompany others. */
type Rows<T> = { readonly noun: string; readonly canFold?: boolean; readonly isCounted?: (row: T) => boolean };

export function filterOf<T>(rows: readonly T[], facets: readonly Facet<T>[], given: Rows<T>) {
  const { noun, canFold = false, isCounted = () => true } = given;
  const numbered = facets.map((facet) => numberedOf(facet, rows));
  const useful = numbered.filter(({ values }) => values.length > 1);
  const input = { type: 'search', name: 'search', 'aria-keyshortcuts': '/', placeholder: 'Address, field or value' };
  const button = (title: string, attributes: Readonly<Record<string, string>>) => element('button', title, attributes);
  const form = element(
    'form',
    [
      element('label', [element('span', 'Search'), element('input', '', input), element('kbd', '/', HIDDEN)], {
        class: 'search',
      }),
      useful.map((facet) => control(facet, isCounted)),
      element('div', [
        button('Clear', { type: 'reset', class: 'clear' }),
        canFold
          ? [
              button('Expand all', { type: 'button', 'data-open': 'yes' }),
              button('Collapse all', { type: 'button', 'data-open': 'no' }),
            ]
          : [],
      ]),
    ],
    { class: 'filter', role: 'search', autocomplete: 'off', hidden: '' },
  );
  return {
    /** The controls, and a status line with the number of rows shown. */
    controls: [form, element('p', plural(rows.filter(isCounted).length, noun), { role: 'status', class: 'meta' })],
    attributesOf: (row: T): Readonly<Record<string, string>> => ({
      'data-row': isCounted(row) ? '' : 'uncounted',
      ...Object.fromEntries(
        useful.map(({ name, values, valuesOf }) => [
          `data-${name}`,
          valuesOf(row)
            .map((value) => values.indexOf(value))
            .join(' '),
        ]),
      ),
    }),
  };
}

function numberedOf<T>(facet: Facet<T>, rows: readonly T[]): Numbered<T> {
  const found = groupEntries(rows.flatMap((row) => facet.valuesOf(row).map((value) => [value, row] as const)));
  return { ...facet, values: [...found.keys()], rows: found };
}

function control<T>({ name, title, values, rows, shown }: Numbered<T>, isCounted: (row: T) => boolean): Markup {
  const countOf = (value: string) => String(rows.get(value)?.filter(isCounted).length ?? 0);
  if (values.length > MAX_CHIPS) {
    const options = values.map((value, index) =>
      element('option', `${value} (${countOf(value)})`, { value: String(index) }),
    );
    const select = element('select', [element('option', 'all', { value: '' }), options], { name });
    return element('label', [element('span', title), select], { class: 'choice' });
  }
  const chips = values.map((value, index) => {
    const [row] = rows.get(value) ?? [];
    const text = row === undefined || shown === undefined ? value : shown(value, row);
    const box = element('input', '', { type: 'checkbox', name, value: String(index) });
    return element('label', [box, element('span', text), ' ', element('b', countOf(value))], { class: 'chip' });
  });
  return element('fieldset', [element('legend', title), chips]);
}
