// Runs a property over many worlds, counts those that were refused, and prints both manifests when one fails.

import * as fc from 'fast-check';
import { stringify } from 'yaml';
import type { Plan } from '../../src/plan/plan.ts';
import type { Direct } from './in-process.ts';
import type { Block } from './document.ts';
import type { World } from './worlds.ts';

/** Worlds that each property runs in `npm run test:full`; together at least 10,000. */
export const RUNS = {
  converge: 2600,
  outside: 1500,
  foreign: 1500,
  order: 1250,
  preview: 1000,
  same: 750,
  config: 1000,
  drift: 1000,
  owned: 400,
  adopted: 400,
  missing: 500,
  view: 600,
  accept: 1500,
  circles: 1500,
  told: 1500,
  dispositions: 1000,
} as const;

/** At most this share of the worlds may be refused by the planner, or by the loader, unless a property says otherwise. */
export const MAX_REFUSED = 0.2;

/** The worlds are the same in every run, unless the environment asks for others. */
const SEED = Number(process.env['WORLDS_SEED'] ?? 20260101);
/** `npm test` runs a part of them, and some dozens of every property. */
const FACTOR = Number(process.env['WORLDS_FACTOR'] ?? 0.02);
const FEWEST = 30;

export type CaseResult = 'run' | 'refused' | 'invalid' | 'gap';

/** Something that the planner does not do yet; worlds in which it matters are left out. */
export interface Gap {
  readonly what: string;
  /** The one property that it concerns; all of them when missing. */
  readonly only?: keyof typeof RUNS;
  /** `direct` is the service before the second apply, when there is one yet. */
  readonly matters: (world: World, direct: Direct | undefined) => boolean;
}

export interface Tally {
  worlds: number;
  refused: number;
  invalid: number;
  gaps: number;
  readonly reasons: Map<string, number>;
}

export const tally: Tally = { worlds: 0, refused: 0, invalid: 0, gaps: 0, reasons: new Map() };

/** What a property saw, for the message of a failure. */
export interface Trail {
  readonly note: (text: () => string) => void;
  readonly refuse: (reason: string) => CaseResult;
}

/** The planner found its own plan wanting. */
const DEAD_END = 'would-not-converge';

/** True when the second manifest leaves something alone that may hold what others ask for. */
function keepsValues({ second }: World): boolean {
  const { removed = [] } = second;
  return JSON.stringify(removed).includes('"destroy":false') || JSON.stringify(second).includes('"ignore_changes"');
}

/** How many worlds of a property this run plays, and the seed of all. */
export function worldsOf(name: keyof typeof RUNS): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: Math.max(FEWEST, Math.ceil(RUNS[name] * FACTOR)), seed: SEED };
}

/** Checks the property on that many worlds, of which the planner may refuse that share. */
export async function checkWorlds(
  name: keyof typeof RUNS,
  worlds: fc.Arbitrary<World>,
  property: (world: World, trail: Trail) => Promise<CaseResult>,
  mostRefused = MAX_REFUSED,
): Promise<void> {
  const counts: Record<CaseResult, number> = { run: 0, refused: 0, invalid: 0, gap: 0 };
  const run = async (world: World) => {
    const notes: (() => string)[] = [];
    const trail: Trail = {
      note: (text) => void notes.push(text),
      refuse: (reason) => {
        if (reason === DEAD_END && !keepsValues(world)) throw new Error(`${DEAD_END}, but nothing is kept`);
        tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + 1);
        return 'refused';
      },
    };
    try {
      counts[await property(world, trail)] += 1;
    } catch (error) {
      throw new Error(describe(world, notes, error));
    }
  };
  const found = await fc.check(fc.asyncProperty(worlds, run), worldsOf(name));
  if (found.failed) {
    const { seed, counterexamplePath, numRuns: times, numShrinks, errorInstance } = found;
    const where = `world ${times} of seed ${seed}, path ${counterexamplePath ?? ''}, shrunk ${numShrinks} times`;
    throw new Error(`${where}\n${errorInstance instanceof Error ? errorInstance.message : String(errorInstance)}`);
  }
  tally.worlds += counts.run + counts.refused;
  tally.refused += counts.refused;
  tally.invalid += counts.invalid;
  tally.gaps += counts.gap;
  const share = 1 - counts.run / (worldsOf(name).numRuns - counts.gap);
  if (share > mostRefused) throw new Error(`${name} says nothing about ${Math.round(share * 100)} % of its worlds`);
}

function describe({ first, second, edits, disabled }: World, notes: readonly (() => string)[], error: unknown): string {
  return [
    error instanceof Error ? error.message : String(error),
    `edits: ${edits.join('; ') || 'none'}`,
    ...(disabled.length > 0 ? [`without ${disabled.join()}`] : []),
    ...notes.map((note) => note()),
    `--- first\n${yaml(first)}`,
    ...(edits.length > 0 ? [`--- second\n${yaml(second)}`] : []),
  ].join('\n');
}

function yaml(doc: Block): string {
  const { version: _v, stack: _s, variables: _w, ...rest } = doc;
  return stringify(rest, { flowCollectionPadding: true });
}

/** The steps of a plan in one line each. */
export function outline(plan: Plan): string {
  const steps = plan.steps.map(
    ({ id, action, phase, address, depends_on, changes, requests }) =>
      `  ${id} ${action}${phase === undefined ? '' : ` ${phase}`} ${address} [${changes.map((one) => `${one.path} ${one.cause}`).join(', ')}] after ${depends_on.join() || '-'}: ${requests.map((one) => `${one.method} ${one.path} ${JSON.stringify(one.body ?? null).slice(0, 300)}`).join(' | ')}`,
  );
  const other = [...plan.blocked, ...plan.refusals, ...plan.diagnostics].map((one) => `  ${JSON.stringify(one)}`);
  return [...steps, ...other].join('\n') || '  nothing';
}
