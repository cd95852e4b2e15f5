// Views written by hand for the writers: each part alone.

import { totalsOf } from '../../src/render/view/plan.ts';
import type { Item, Problem, Row, View } from '../../src/render/view/view.ts';
import { NOTHING } from '../../src/render/view/view.ts';

export function viewOf(parts: Partial<View>): View {
  const totals = totalsOf(parts.items ?? []);
  return { ...NOTHING, is: 'plan', sentence: 'The sentence.', document: {}, totals, ...parts };
}

export function itemOf(parts: Partial<Item> = {}): Item {
  return {
    symbol: '~',
    word: 'update',
    tone: 'warn',
    address: 'tls_edges.a',
    plural: 'tls_edges',
    steps: [{ id: 's1', after: [], phase: '' }],
    place: undefined,
    fingerprint: undefined,
    live_id: undefined,
    why: undefined,
    loses: undefined,
    repair: undefined,
    fields: [],
    causes: [],
    isNew: false,
    lines: [],
    requests: [],
    notes: [],
    ...parts,
  };
}

export function rowOf(parts: Partial<Row> = {}): Row {
  return {
    id: 's1',
    action: { symbol: '+', word: 'create', tone: 'good' },
    address: 'tls_edges.a',
    live_id: undefined,
    phase: '',
    place: undefined,
    status: 'failed',
    outcome: 'failed',
    tone: 'bad',
    said: [],
    ...parts,
  };
}

export function problemOf(parts: Partial<Problem> = {}): Problem {
  return { group: 'error', text: 'it is wrong', addresses: [], related: [], details: [], ...parts };
}

export const PLACE = { file: 'edgeform.yaml', line: 12, column: 3 };
