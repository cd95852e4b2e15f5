// Runs examples of policies: a manifest, what was applied before, and the violations that its plan has. Sends no requests.

import { CAPABILITIES } from '../catalog/kind.ts';
import { append } from '../core/append.ts';
import { hasErrors, sortDiagnostics, type Diagnostic } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import { isObject, mapObject, type Json } from '../core/json.ts';
import { mapLeaves, type Value } from '../core/value.ts';
import { loadManifest } from '../manifest/load.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { ManifestFiles } from '../manifest/read-files.ts';
import { buildPlan, type PlanInput } from '../plan/build.ts';
import { dryRun } from '../plan/dry-run.ts';
import { match } from '../plan/match/match.ts';
import type { Plan } from '../plan/plan.ts';
import { nameOf } from '../plan/policies/policy.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import type { CompiledPolicies } from './compile.ts';
import { listIn, readEntries, type Entry } from './read.ts';

/** Every example that is not as expected, and how many there are. */
export function runExamples(files: ManifestFiles['files'], policies: CompiledPolicies) {
  const diagnostics: Diagnostic[] = [];
  let count = 0;
  for (const file of files) {
    const { entries, diagnostics: wrong } = readEntries(file, 'tests');
    append(diagnostics, wrong);
    if (hasErrors(wrong)) continue;
    count += entries.length;
    append(
      diagnostics,
      entries.flatMap((entry) => problemsOf(entry, policies)),
    );
  }
  return { count, diagnostics: sortDiagnostics(diagnostics) };
}

function problemsOf({ given, rangeOf }: Entry, policies: CompiledPolicies): Diagnostic[] {
  const { manifest, live, unowned, stack = 'example', expect } = given;
  const range = rangeOf('name');
  try {
    const found = violationsIn(planOf(load(manifest, stack), [load(live, stack), load(unowned, UNOWNED)], policies));
    const wanted = listIn(expect).map((one) => {
      const { policy, address = '' } = isObject(one) ? one : {};
      return `${String(policy)} ${String(address)}`.trim();
    });
    const [expected, got] = [wanted, found].map((list) => [...list].sort().join(', '));
    const message = 'the violations are not the expected ones';
    const words = { expected: expected || 'none', got: got || 'none' };
    return expected === got ? [] : [{ code: 'policy-test-failed', severity: 'error', message, range, ...words }];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.diagnostics.map(({ range: place = range, ...one }) => ({
      ...one,
      range: place.file === IN_EXAMPLE ? range : place,
    }));
  }
}

const IN_EXAMPLE = 'example.json';

function load(given: Json | undefined, stack: Json): Manifest {
  const text = JSON.stringify({ version: 1, stack, ...(isObject(given) ? given : {}) });
  const source = { files: [{ name: IN_EXAMPLE, text }], readFile: () => ({ diagnostics: [] }) };
  const { value, diagnostics } = loadManifest({ ...source, variables: new Map(), env: {} });
  if (value === undefined) throw new Failure('invalid', diagnostics);
  return value;
}

/** Nobody's stack: the markers of its objects are taken off. */
const UNOWNED = 'unowned';

type Applied = readonly [live: Manifest, unowned: Manifest];

/** The plan from what plans of the other manifests would leave. */
function planOf(manifest: Manifest, [live, unowned]: Applied, policies: CompiledPolicies): Plan {
  const bare = applied(unowned, { resources: [], unread: [], requests: 0 });
  const snapshot = { ...bare, resources: withoutOwner(bare.resources) };
  return buildPlan({ ...inputOf(manifest, applied(live, snapshot)), policies });
}

/** Under ids of their own: those of a dry run are made from addresses. */
function withoutOwner(resources: readonly LiveResource[]): LiveResource[] {
  const ids = new Map(resources.map(({ id }) => [id, `${id}-${UNOWNED}`]));
  const renamed = (leaf: Value) => (typeof leaf === 'string' ? (ids.get(leaf) ?? leaf) : leaf);
  return resources.map(({ id, parentId = '', spec, ...one }) => ({
    ...{ ...one, marker: undefined, metadata: one.userMetadata, id: ids.get(id) ?? id },
    parentId: ids.get(parentId),
    spec: mapObject(spec, (value) => mapLeaves(value, renamed)),
  }));
}

function applied(manifest: Manifest, snapshot: PlanInput['snapshot']): PlanInput['snapshot'] {
  if (manifest.resources.length === 0) return snapshot;
  const { steps } = buildPlan(inputOf(manifest, snapshot));
  return dryRun({ manifest, snapshot, matched: match(manifest, manifest.resources, snapshot) }, steps).snapshot;
}

function inputOf(manifest: Manifest, snapshot: PlanInput['snapshot']): PlanInput {
  const all = [...manifest.resources.map(({ address }) => address), ...snapshot.resources.map(nameOf)];
  const allowLoss = [...new Set(all)];
  const capabilities = new Set(CAPABILITIES);
  const options = { destroy: false, allowDeletes: 'all', allowLoss, targets: [], capabilities } as const;
  return { manifest, snapshot, service: 'https://service.example', options };
}

/** Names of policies, with the addresses. */
function violationsIn({ refusals, diagnostics }: Plan): string[] {
  const refused = refusals.map(({ rule, addresses: [address = ''] }) => `${rule} ${address}`);
  const all = [...refused, ...diagnostics.map(({ code, address }) => `${code} ${address ?? ''}`)];
  return all.flatMap((one) => (one.startsWith('policy/') ? [one.slice('policy/'.length).trim()] : []));
}
