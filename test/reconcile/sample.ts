// What a run is about, written by hand: live objects, results of steps, and a history. One builder each.

import type { StepResult } from '../../src/apply/event.ts';
import type { RunHistory } from '../../src/apply/gate/run-history.ts';
import { emptyHistory, noteCreation } from '../../src/apply/gate/run-history.ts';
import { STARTED_BY_NOBODY, type RunIdentity } from '../../src/core/run-record.ts';
import { kindByIdPrefix } from '../../src/catalog/lookup.ts';
import type { LiveResource, Marker, Snapshot } from '../../src/resource/snapshot.ts';

/** An object that the address of a stack claims; of nobody without an address. */
export function liveOf(id: string, address = '', more: Partial<LiveResource> & { stack?: string } = {}): LiveResource {
  const { stack = 'shop', ...parts } = more;
  const marker: Marker | undefined = address === '' ? undefined : { v: 1, stack, address, applied: {} };
  return {
    kind: kindByIdPrefix(id)?.name ?? '',
    id,
    parentId: undefined,
    spec: {},
    computed: {},
    writeOnly: [],
    metadata: '',
    userMetadata: '',
    marker,
    ...parts,
  } as LiveResource;
}

export function snapshotOf(resources: readonly LiveResource[], more: Partial<Snapshot> = {}): Snapshot {
  return { resources, unread: [], requests: 0, ...more };
}

export function resultOf(id: string, more: Partial<StepResult> = {}): StepResult {
  return {
    id,
    address: 'tls_edges.a',
    action: 'create',
    status: 'done',
    live_id: null,
    error: null,
    requests_done: 1,
    ...more,
  };
}

/** A run that created these objects, when its clock stood at 0. */
export function historyOf(made: Readonly<Record<string, string>> = {}, runName = 'me'): RunHistory {
  const history = emptyHistory(runName);
  for (const [id, address] of Object.entries(made)) {
    const kind = kindByIdPrefix(id)?.name ?? '';
    noteCreation(history, { kind, address }, { id, parentId: undefined, at: 0 });
  }
  return history;
}

/** A run whose environment claims nothing. */
export const THIS_RUN: RunIdentity = { id: 'r1', began: '2030-01-01T00:00:00.000Z', ...STARTED_BY_NOBODY };
