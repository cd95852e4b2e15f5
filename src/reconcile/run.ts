// The input, environment and events of a run. A run ends with a value or a `Failure`.

import type { ApplyEvent } from '../apply/event.ts';
import type { GateReads } from '../apply/gate/recent-reads.ts';
import { CAPABILITIES } from '../catalog/kind.ts';
import type { Code } from '../core/codes.ts';
import type { RunIdentity, StartedBy } from '../core/run-record.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Plan } from '../plan/plan.ts';
import type { PlanOptions } from '../plan/plan-options.ts';
import type { UserPolicies } from '../plan/policies/user-policies.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import type { Clients } from '../service/client.ts';
import type { ClientPorts } from '../service/http/client-state.ts';
import { LIMITS } from '../service/limits.ts';
import type { ReadOptions, ReadProgress } from '../service/read.ts';
import type { ClientSettings } from '../service/settings.ts';
import type { ExpectedObject } from './execution/run-effects.ts';
import type { ListLag } from './list-lag.ts';
import type { Platform } from './platform.ts';
import type { Stop } from './stop.ts';

/** The user's answer about an earlier write with an unknown outcome. */
export interface Resolution {
  readonly address: string;
  readonly as: { readonly id: string } | 'absent';
}

/** What a run may do, and how. */
export interface RunOptions extends Pick<
  PlanOptions,
  | 'targets'
  | 'allowDeletes'
  | 'allowLoss'
  | 'allowTakeover'
  | 'refusesOpenings'
  | 'allowOpening'
  | 'recreate'
  | 'capabilities'
> {
  /** Number of steps at the same time. */
  readonly concurrency: number;
  /** How long to look for an object whose creation has an unknown outcome. */
  readonly settleMs: number;
  /** Time after which the run starts nothing new; undefined for no limit. */
  readonly deadlineMs: number | undefined;
  /** Path of the journal, relative to the working directory. */
  readonly journal: string;
  /** Folder for returned-once values; without it, no object with such a value is created. */
  readonly tokenDir: string | undefined;
  readonly resolutions: readonly Resolution[];
}

/** The defaults; the journal's default path depends on the stack. */
export const DEFAULT_OPTIONS: Omit<RunOptions, 'journal'> = {
  targets: [],
  allowDeletes: undefined,
  allowLoss: [],
  capabilities: new Set(CAPABILITIES),
  concurrency: LIMITS.requests,
  settleMs: 20_000,
  deadlineMs: undefined,
  tokenDir: undefined,
  resolutions: [],
};

/** An event of a run. Values are exact, and a plain one may repeat a secret: show them with the library's functions. */
export type RunEvent =
  /** Something that a person should know and that stops nothing. */
  | { readonly type: 'warning'; readonly message: string; readonly code?: Code }
  /** Why nothing happens for a while. */
  | { readonly type: 'waiting'; readonly message: string }
  /** Progress of reading the live state. */
  | ({ readonly type: 'reading' } & ReadProgress)
  /** The live state has been read. */
  | { readonly type: 'read'; readonly objects: number; readonly requests: number }
  /** The plan that will be applied, or that stops the run. */
  | { readonly type: 'planned'; readonly plan: Plan }
  /** The second plan: what another run created first stays, and this run's later objects go. */
  | { readonly type: 'cleaning-up'; readonly plan: Plan }
  /** What happens to the steps of a plan. */
  | { readonly type: 'step'; readonly event: ApplyEvent; readonly run: RunIdentity }
  /** Entries missing in the journal, which a person who repairs it needs. */
  | { readonly type: 'journal-lacks'; readonly entries: readonly JournalEntry[] };

/** What is read besides the lists. */
export interface ReadNeeds {
  /** Ids that manifests pin or import; read individually when their kind cannot be listed. */
  readonly pinned: ReadOptions['pinned'];
  /** Objects that a journal knows; where lists show something else they are read individually. */
  readonly expectedObjects: readonly ExpectedObject[];
  /** True when a read that began before proves nothing, because an earlier run may have created something since. */
  readonly isNew?: boolean;
  /** What need not be read again; a shared read may read it all the same. */
  readonly kept?: ReadOptions['kept'];
}

/** A service that several runs share. */
export interface ServiceAccess {
  readonly clients: Clients;
  /** Reads right before writes, which the runs share. */
  readonly reads: GateReads;
  readonly lag: ListLag;
  /** Everything live that can matter to the run. */
  readonly read: (needs: ReadNeeds) => Promise<Snapshot>;
}

export interface RunInput extends Stop {
  readonly manifest: Manifest;
  readonly connection: ClientSettings;
  readonly options: RunOptions;
  readonly platform: Platform;
  readonly emit: (event: RunEvent) => void;
  /** Undefined for a run with clients and reads of its own. */
  readonly service?: ServiceAccess;
  /** What the other stacks of the same run do, and need. */
  readonly elsewhere?: Elsewhere;
  /** Who started it, for its record and the markers that it writes; undefined where nothing is claimed. */
  readonly startedBy?: StartedBy | undefined;
  /** Policies of the user that every plan is judged by. */
  readonly policies?: UserPolicies | undefined;
}

type Elsewhere = Pick<
  PlanOptions,
  | 'releasedElsewhere'
  | 'givenUpLater'
  | 'forgottenTransfers'
  | 'pendingImports'
  | 'importedBy'
  | 'transferredElsewhere'
  | 'takenBesides'
  | 'siblings'
  | 'entry'
  | 'liveJudges'
  | 'lostTogether'
>;

/** A run without a manifest. */
export type Bare = Omit<RunInput, 'manifest' | 'options'> & { readonly options: Pick<RunOptions, 'capabilities'> };

const ANNOUNCED_WAIT_MS = 2_000;

/** The ports of this run's client, with waits that end when the run does. */
export function clientPorts({
  platform,
  signal,
  emit,
  deadlineAt,
}: Pick<Bare, 'platform' | 'signal' | 'emit' | 'deadlineAt'>): ClientPorts {
  const { exchange, clock, random } = platform;
  let quietUntil = 0;
  return {
    ...(exchange && { exchange }),
    clock,
    random,
    signal,
    ...(deadlineAt !== undefined && { deadlineMs: deadlineAt }),
    onRetry: ({ method, path, why, waitMs }) => {
      // Requests often wait for the same thing, and one line says so.
      if (waitMs < ANNOUNCED_WAIT_MS || clock.now() < quietUntil) return;
      quietUntil = clock.now() + waitMs;
      const seconds = Math.ceil(waitMs / 1000);
      emit({ type: 'waiting', message: `waiting ${seconds} s after ${method} ${path} (${why})` });
    },
  };
}
