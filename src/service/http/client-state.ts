// State shared by all requests of one run. Types only.

import type { Breaker } from './breaker.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Exchange } from './exchange.ts';
import type { Pacer } from './pacer.ts';
import type { ClientSettings } from '../settings.ts';

/** A retry that is about to happen, or the pause before it. */
type RetryEvent = Readonly<Record<'method' | 'path' | 'why', string>> & { readonly waitMs: number };

/** The grace period: time after the end of a run in which nothing new starts and requests in flight may finish. */
interface GracePeriod {
  /** Aborted when it is over. */
  readonly signal: AbortSignal;
  /** Its length after a deadline. */
  readonly ms: number;
}

/** The environment of a client; the real one by default. */
export interface ClientPorts {
  readonly exchange?: Exchange;
  readonly clock?: Clock;
  /** Random numbers from 0 up to 1. */
  readonly random?: () => number;
  /** Aborted: nothing more is sent and all waits end; writes in flight may finish. */
  readonly signal?: AbortSignal;
  /** Clock time at which the run ends. */
  readonly deadlineMs?: number;
  /** Additional time for reads, and for writes that finish a started change; none by default. */
  readonly gracePeriod?: GracePeriod;
  readonly onRetry?: (event: RetryEvent) => void;
}

type Always = 'exchange' | 'clock' | 'random';

/** State shared by all requests of one run. */
export interface ClientState extends Omit<ClientPorts, Always>, Required<Pick<ClientPorts, Always>> {
  readonly settings: ClientSettings;
  readonly pacer: Pacer;
  readonly breaker: Breaker;
  /** Clock time at which a request first saw that `signal` is aborted. A listener would keep the client as long as the signal. */
  stoppedAt?: number;
}
