// What is said of objects that cannot be matched: which object, which address, and what a person can do.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { match } from '../../../src/plan/match/match.ts';
import type { Diagnostic } from '../../../src/core/diagnostic.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { live, manifest, snapshot } from '../sample.ts';

function known(id: string, knownAs: string): LiveResource {
  const { marker: _marker, markerProblem: _problem, ...content } = live(id);
  return {
    ...content,
    marker: undefined,
    markerProblem: { what: 'was removed', stacks: [], isRemoved: true, knownAs },
  };
}

/** What matching says of a manifest beside these objects. */
function problemsOf(given: JsonObject, ...objects: readonly LiveResource[]): readonly Diagnostic[] {
  const wanted = manifest(given);
  return match(wanted, wanted.resources, snapshot(...objects)).diagnostics;
}

interface Row {
  readonly name: string;
  readonly given: readonly Diagnostic[];
  /** Severity and address of each problem. */
  readonly expect: readonly (readonly [Diagnostic['severity'], string | null])[];
  readonly says?: readonly string[];
}

const A = 'tls_edges.a';
const WANTED = { tls_edges: { a: {} } };
const own = live('edgtls_1', `shop:${A}`);
const old = live('edgtls_2', 'shop:tls_edges.old');

describe('problems of matching', () => {
  test.each<Row>([
    {
      name: 'doubles: every id',
      given: problemsOf(WANTED, own, live('edgtls_2', `shop:${A}`)),
      expect: [['error', A]],
      says: ['edgtls_1', 'edgtls_2', '2 times'],
    },
    {
      name: 'a move of what is there: both ids',
      given: problemsOf({ ...WANTED, moved: [{ from: 'tls_edges.old', to: A }] }, own, old),
      expect: [['error', A]],
      says: ['edgtls_1', 'edgtls_2', 'tls_edges.old'],
    },
    { name: 'a marker where it belongs', given: problemsOf(WANTED, own), expect: [] },
    {
      name: 'a marker of another kind',
      given: problemsOf({}, live('edghts_1', `shop:${A}`)),
      expect: [['warning', null]],
      says: ['edghts_1', A],
    },
    {
      name: 'a marker that names the stack',
      given: problemsOf({}, live('edgtls_1', '?shop')),
      expect: [['error', null]],
      says: ['edgtls_1', 'is cut off'],
    },
    {
      name: 'a marker that names nobody',
      given: problemsOf({}, live('edgtls_1', '?')),
      expect: [['warning', null]],
      says: ['adopt: edgtls_1'],
    },
    {
      name: 'a marker that names nobody on what the journal knows',
      given: problemsOf({}, known('edgtls_1', A)),
      expect: [['warning', A]],
      says: [`--resolve ${A}=absent`],
    },
    {
      name: 'the same where a block asks for it',
      given: problemsOf(WANTED, known('edgtls_1', A)),
      expect: [['error', A]],
      says: ['adopt: edgtls_1', `--resolve ${A}=absent`],
    },
  ])('$name', ({ given, expect: expected, says = [] }) => {
    expect(given.map(({ severity, address = null }) => [severity, address])).toEqual(expected);
    const message = given.map(({ message, fix = '' }) => `${message}; ${fix}`).join('\n');
    for (const word of says) expect(message).toContain(word);
  });
});
