// Manifests, live objects and drafts as the pure modules of a plan take them, with nothing in them that a test does not say.

import { groupBy } from '../../src/core/group.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import type { Capability } from '../../src/catalog/kind.ts';
import { kindByIdPrefix, kindByName } from '../../src/catalog/lookup.ts';
import { parseAddress } from '../../src/catalog/address.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import type { StepDraft } from '../../src/plan/decide/step-draft.ts';
import { BARE_DRAFT, draftKey } from '../../src/plan/decide/step-draft.ts';
import { loadTexts } from '../support/loading.ts';
import { match } from '../../src/plan/match/match.ts';
import type { JournalView, KnownObject } from '../../src/plan/journal-view.ts';
import type { PlanOptions, PlanContext } from '../../src/plan/plan-options.ts';
import type { PolicyInput } from '../../src/plan/policies/policy.ts';
import type { LiveResource, Marker, Snapshot } from '../../src/resource/snapshot.ts';

/** The manifest of stack `shop`; every sensitive variable `s` is `hush-hush-1`. */
export function manifest(content: JsonObject): Manifest {
  const text = JSON.stringify({ version: 1, stack: 'shop', variables: { s: { sensitive: true } }, ...content });
  const { value, diagnostics } = loadTexts(text, { variables: { s: 'hush-hush-1' } });
  if (value === undefined) throw new Error(JSON.stringify(diagnostics));
  return value;
}

type Given = Partial<Omit<LiveResource, 'marker' | 'markerProblem'>> & { readonly marker?: Partial<Marker> };

/** A live object; `mark` is `STACK:ADDRESS`, `?` or `?STACK` for a marker that cannot be read, or nothing. */
export function live(id: string, mark = '', { marker, ...given }: Given = {}): LiveResource {
  const content = {
    kind: kindByIdPrefix(id)?.name ?? '',
    id,
    parentId: undefined,
    spec: {},
    computed: { created_at: '2030-01-01T00:00:00Z', id },
    writeOnly: [],
    metadata: '',
    userMetadata: '',
    ...given,
  };
  if (mark.startsWith('?')) {
    const stacks = mark === '?' ? [] : [mark.slice(1)];
    return { ...content, marker: undefined, markerProblem: { what: 'is cut off', stacks } };
  }
  const [stack = '', address = ''] = mark.split(':');
  return { ...content, marker: mark === '' ? undefined : { v: 1, stack, address, applied: {}, ...marker } };
}

export function snapshot(...resources: readonly LiveResource[]): Snapshot {
  return { resources, unread: [], requests: 0 };
}

export const ALL: ReadonlySet<Capability> = new Set(CAPABILITIES);

export function without(...off: readonly Capability[]): ReadonlySet<Capability> {
  return new Set(CAPABILITIES.filter((one) => !off.includes(one)));
}

export function options(given: Partial<PlanOptions> = {}): PlanOptions {
  return { destroy: false, allowDeletes: undefined, allowLoss: [], targets: [], capabilities: ALL, ...given };
}

/** What a journal knows, property by property. */
export interface Known extends Partial<Omit<JournalView, 'objects'>> {
  readonly ids?: ReadonlyMap<string, string>;
  readonly deleted?: ReadonlyMap<string, string>;
  /** Ids of objects that runs created: with a stored token, unless they are among the unstored ones. */
  readonly made?: ReadonlySet<string>;
  readonly unstored?: ReadonlySet<string>;
  readonly fresh?: ReadonlySet<string>;
}

/** A journal without entries, but for what is given. */
export function journal({ ids, deleted, made, unstored, fresh, ...given }: Known): JournalView {
  const known = new Map<string, KnownObject>();
  const note = (id: string, more: Partial<KnownObject>) => known.set(id, { address: '', ...known.get(id), ...more });
  for (const [id, address] of ids ?? []) note(id, { address });
  for (const [id, address] of deleted ?? []) note(id, { address, isGone: true });
  for (const id of [...(made ?? []), ...(unstored ?? [])])
    note(id, { createdHere: true, ...(unstored?.has(id) !== true && { tokenStored: true }) });
  for (const id of fresh ?? []) note(id, { isFresh: true });
  return { objects: known, creating: new Set(), runs: new Set(), unfinished: new Set(), ...given };
}

/** What decisions know when the plan replaces and deletes nothing. */
export function context(given: Partial<PlanContext> = {}): PlanContext {
  return {
    stack: 'shop',
    options: options(),
    known: new Map(),
    replaced: new Set(),
    transferredFrom: () => undefined,
    deletedIds: new Set(),
    present: new Set(),
    children: new Map(),
    missing: new Map(),
    ...given,
  };
}

/** A step of an address that needs, takes and frees nothing. */
export function draft(action: StepDraft['action'], address: string, given: Partial<StepDraft> = {}): StepDraft {
  return {
    key: draftKey(address, action, given.phase),
    action,
    address,
    kind: kindByName(given.live?.kind ?? parseAddress(address)?.kind.name ?? ''),
    live: undefined,
    reason: { code: 'not-in-manifest', text: 'because' },
    source: null,
    ...BARE_DRAFT,
    requests: [],
    ...given,
  };
}

/** What safety rules see of these drafts beside a manifest and objects. */
export function policyInput(
  content: JsonObject,
  resources: readonly LiveResource[],
  drafts: readonly StepDraft[],
  given: Partial<PlanOptions> = {},
): PolicyInput {
  const wanted = manifest(content);
  const matched = match(wanted, wanted.resources, snapshot(...resources));
  const children = groupBy(resources, ({ parentId }) => parentId);
  const all = { ...matched, snapshot: snapshot(...resources), children, missing: new Map<string, never>() };
  return { manifest: wanted, drafts, ...all, options: options(given) };
}
