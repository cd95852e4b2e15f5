// The events of a command and their listeners: progress, and the files of --events, --summary-file and --metrics-file. A command
// emits events and knows no file; a listener writes its file and knows no command.

import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Failure } from '../../core/failure.ts';
import { worstOf, type RunOutcome } from '../../core/run-outcome.ts';
import type { FleetEvent } from '../../fleet/fleet.ts';
import type { FleetOutcome } from '../../render/fleet.ts';
import type { DriftView, ReportView } from '../../render/view/documents.ts';
import type { Found } from '../../render/view/problems.ts';

export type CommandEvent =
  /** An event of the engine. */
  | FleetEvent
  /** All input is complete and valid; the work begins. */
  | { readonly type: 'loaded' }
  /** So many stacks are about to be written. */
  | { readonly type: 'approved'; readonly stacks: number }
  /** A manifest was validated. */
  | { readonly type: 'checked'; readonly found: Found }
  /** Drift was looked for. */
  | { readonly type: 'compared'; readonly view: DriftView }
  /** A run has its report. */
  | { readonly type: 'reported'; readonly view: ReportView }
  /** Every stack of a fleet has its result. */
  | { readonly type: 'fleet'; readonly fleet: FleetOutcome }
  /** The command ends without a result. */
  | { readonly type: 'failed'; readonly failure: Failure };

type Lost = readonly Diagnostic[];

/** The stack that an event is about. */
export interface Subject {
  readonly stack: string;
  /** Its base URL, once it is known. */
  readonly service?: string | undefined;
  /** Its name in the fleet; undefined for a command about one stack. */
  readonly name?: string;
  /** Its wave, in a fleet that has waves. */
  readonly wave?: number | undefined;
}

export interface Listener {
  /** Takes an event, of this stack once it is known. Events of several stacks may take turns, and two services may have stacks of one name. */
  readonly note: (event: CommandEvent, subject?: Subject) => void;
  /** Writes what the report of a run must know to be written; returns what was lost. */
  readonly flush?: () => Lost;
  /** Writes the rest. Returns what was lost, each problem once. May be called again when the outcome became worse. */
  readonly end: (outcome: RunOutcome) => Lost;
}

/** Several listeners as one. Each is told at the end what those before it lost. */
export function listenTogether(listeners: readonly Listener[]): Required<Listener> {
  const lost: Diagnostic[] = [];
  const collect = (ends: readonly (() => Lost)[]): Lost => {
    const before = lost.length;
    for (const end of ends) lost.push(...end());
    return lost.slice(before);
  };
  return {
    note: (event, subject) => {
      for (const one of listeners) one.note(event, subject);
    },
    flush: () => collect(listeners.flatMap(({ flush }) => flush ?? [])),
    end: (outcome) =>
      collect(listeners.map((one) => () => one.end(lost.length === 0 ? outcome : worstOf(outcome, 'output')))),
  };
}
