// One apply under way: what its stages share, and the two things that they do more than once, planning and carrying out.

import type { Clients } from '../../service/client.ts';
import { applyPlan } from '../../apply/apply.ts';
import type { StepResult } from '../../apply/event.ts';
import type { History } from '../../apply/gate/history.ts';
import type { ApplyInput } from '../../apply/run.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { JournalView } from '../../plan/match/past.ts';
import type { Plan } from '../../plan/plan.ts';
import { secretLookup } from '../../plan/secrets.ts';
import { renderEvent } from '../../render/formats.ts';
import type { PlanRequest } from './context.ts';
import { knownValues, makePlan, readLive } from './context.ts';
import type { Planned } from './converge.ts';
import type { Events } from '../shell/events.ts';
import type { Host } from '../shell/host.ts';
import type { Session } from './journal.ts';
import { withoutObjects } from './journal.ts';
import type { RawOptions } from '../options/options.ts';
import { capabilitiesOf, concurrencyOf, settleOf, styleOf } from '../options/options.ts';
import type { Traces } from './pin.ts';
import { NO_TRACES } from './pin.ts';
import { portsOf } from '../shell/ports.ts';
import type { Summary } from '../shell/summary.ts';

export interface Mode {
  readonly destroy: boolean;
  /** File with a saved plan, which is carried out instead of a new one. */
  readonly planFile?: string;
  readonly summary: Summary;
}

export interface Ground {
  readonly raw: RawOptions;
  readonly host: Host;
  readonly mode: Mode;
  readonly manifest: Manifest;
  readonly service: string;
  readonly session: Session;
  readonly clients: Clients;
  /** What this run has done so far. */
  readonly history: History;
  readonly saved: Plan | undefined;
  readonly events: Events;
}

export type OnCreated = NonNullable<ApplyInput['onCreated']>;

export async function planNow(ground: Ground, soFar: string, { made, removed }: Traces = NO_TRACES): Promise<Planned> {
  const { raw, host, manifest, clients, session, history } = ground;
  const gone = (id: string) => removed.has(id) || history.deleted.has(id);
  const pins = [...session.pins, ...made, ...history.created.values()].filter((pin) => !gone(pin.id));
  const snapshot = await readLive({ client: clients.reader, manifest, soFar, pins, journal: journalNow(ground) }, host);
  session.look(snapshot, manifest);
  return { snapshot, plan: makePlan(requestOf(ground, snapshot), raw, host) };
}

/** What a plan of this run is made from. */
export function requestOf(ground: Ground, snapshot: Snapshot): PlanRequest {
  const { manifest, service, mode, session } = ground;
  const journal = journalNow(ground);
  return { manifest, snapshot, service, destroy: mode.destroy, stored: session.stored, journal };
}

/** What earlier runs noted, as this run has left it. */
function journalNow({ session, history }: Ground): JournalView {
  return withoutObjects(session.view, new Set([...history.deleted, ...history.released]));
}

export function carryOut(
  { raw, host, manifest, session, clients, events, history }: Ground,
  { plan, snapshot }: Planned,
  onCreated: OnCreated,
): Promise<readonly StepResult[]> {
  return applyPlan({
    plan,
    client: clients.writer,
    secrets: secretLookup(manifest, snapshot),
    known: knownValues(manifest, snapshot),
    live: new Map(snapshot.resources.map((live) => [live.id, live])),
    capabilities: capabilitiesOf(host),
    clock: portsOf(host).clock,
    settleMs: settleOf(raw),
    concurrency: concurrencyOf(raw),
    record: session.record,
    signal: host.signal,
    abandon: host.abandon,
    claims: manifest,
    history,
    onCreated,
    onEvent: (event) => {
      events.emit(event);
      const line = renderEvent(event, styleOf(raw, host, host.stderr));
      if (line !== undefined) host.stderr.write(`${line}\n`);
    },
  });
}
