// The findings of a view for programs that list them: each with its rule, its place and a stable fingerprint.

import { sha256 } from '../../core/digest.ts';
import { canonicalJson } from '../../core/json.ts';
import {
  factsOf,
  headline,
  leadOf,
  type Item,
  type Problem,
  type SourcePlace,
  type StackView,
  type View,
} from '../view/view.ts';

export interface Finding {
  /** Its name in a fleet. */
  readonly stack?: string;
  readonly rule: string;
  readonly group: Problem['group'];
  readonly text: string;
  readonly details: readonly string[];
  /** Also among the details. */
  readonly fix?: string | undefined;
  readonly place: SourcePlace | undefined;
  /** Address of the drifted resource; undefined for a problem. */
  readonly address: string | undefined;
  readonly related: Problem['related'];
  /** Unique within a view. */
  readonly fingerprint: string;
}

/** The findings of a view, or of all stacks of a fleet. */
export function findingsOf(view: View): Finding[] {
  const found = view.is === 'fleet' ? (view.stacks ?? []).flatMap(stackFindings) : ownFindings(view);
  const seen = new Map<string, number>();
  return found.map((one) => {
    const count = (seen.get(one.fingerprint) ?? 0) + 1;
    seen.set(one.fingerprint, count);
    return count === 1 ? one : { ...one, fingerprint: `${one.fingerprint}-${count}` };
  });
}

/** Two stacks may have the same manifest, so the stack is part of the fingerprint. */
function stackFindings({ name, view }: StackView): Finding[] {
  return (view === undefined ? [] : findingsOf(view)).map((one) => ({
    ...one,
    stack: name,
    text: `${name}: ${one.text}`,
    fingerprint: fingerprintOf([name, one.fingerprint]),
  }));
}

function ownFindings({ is, problems, more, items, exposures, subjects }: View): Finding[] {
  const placeOf = new Map(
    is === 'drift' && items.length > 0 ? subjects?.().map(({ name, place }) => [name, place]) : [],
  );
  return [
    ...problems.map(problemFinding),
    ...more.map((text) => problemFinding({ ...NO_PLACE, text })),
    ...(is === 'drift'
      ? items.map((item) => driftFinding(item, placeOf.get(item.address) ?? placeOf.get(item.within ?? '')))
      : []),
    ...(is === 'plan' ? openingFindings(exposures, items) : []),
  ];
}

/** The rule of what a plan opens. */
export const OPENS = 'opens';

function openingFindings(exposures: View['exposures'], items: View['items']): Finding[] {
  const placeOf = new Map(items.map(({ address, place }) => [address, place]));
  return exposures
    .filter(({ effect }) => effect === 'opens')
    .map(({ effect, address, text }) => ({
      rule: OPENS,
      group: 'warning',
      text: `${effect} ${address} ${text}`,
      details: [],
      place: placeOf.get(address),
      address,
      related: [],
      fingerprint: fingerprintOf([OPENS, address, text]),
    }));
}

const NO_PLACE = { group: 'warning', addresses: [], related: [], details: [] } as const;

/** The fingerprint has neither line nor column, so a problem that moves within its file stays the same. */
function problemFinding(problem: Problem): Finding {
  const { code = '', group, place, related, addresses } = problem;
  const rule = code === '' ? group : code;
  const text = headline(problem);
  return {
    rule,
    group,
    text,
    details: [...addresses, ...factsOf(problem).map((detail) => `${leadOf(detail)} ${detail.text}`)],
    fix: problem.details.find(({ is }) => is === 'fix')?.text,
    place,
    address: undefined,
    related,
    fingerprint: fingerprintOf([rule, place?.file ?? '', text]),
  };
}

function driftFinding(item: Item, place: SourcePlace | undefined): Finding {
  const { address, word, rule = word, weight, why, causes, lines, notes, live_id, repair, fingerprint } = item;
  const said = [why ?? [], causes.map((one) => `${one.fields.join(', ')} ${one.words}`)].flat();
  return {
    rule: `drift-${rule.replace(/\W+/g, '-')}`,
    group: weight ?? 'warning',
    text: [`${address} (${live_id ?? 'no object'}) ${word}`, ...said].join(': '),
    details: [
      ...lines.map(({ mark, depth, text }) => `${'  '.repeat(depth)}${mark} ${text}`),
      ...(repair === undefined ? [] : [`apply ${repair}`]),
      ...notes,
    ],
    place,
    address,
    related: [],
    fingerprint: bare(fingerprint ?? fingerprintOf([word, address])),
  };
}

function fingerprintOf(parts: readonly string[]): string {
  return bare(sha256(canonicalJson(parts)));
}

function bare(digest: string): string {
  return digest.replace(/^sha256:/, '');
}
