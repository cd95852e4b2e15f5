// What all requests of one run share. Types only.

import type { Circuit, HostHealth, RetryQuota } from './health.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Exchange } from './exchange.ts';
import type { Limiter } from './limiter.ts';
import type { ClientSettings } from '../settings.ts';

/** Another try that is about to come, or the pause before it. */
interface RetryEvent {
  readonly method: string;
  readonly path: string;
  readonly why: string;
  readonly waitMs: number;
  /** The attempt that failed, counted from 1. */
  readonly attempt: number;
}

/** The time after the end of a run in which nothing is begun, and what was begun is finished. */
interface GracePeriod {
  /** Aborted when it is over. */
  readonly signal: AbortSignal;
  /** How long it is after a deadline. */
  readonly ms: number;
}

/** The world around a client; what is not given is the real one. */
export interface ClientPorts {
  readonly exchange?: Exchange;
  readonly clock?: Clock;
  /** Numbers from 0 up to 1. */
  readonly random?: () => number;
  /** Aborted: nothing is sent any more and no wait goes on; writes under way come to their end. */
  readonly signal?: AbortSignal;
  /** Time of the clock at which the run ends. */
  readonly deadlineMs?: number;
  /** How much longer there is for reads, and for writes that finish what was begun; none when missing. */
  readonly gracePeriod?: GracePeriod;
  readonly onRetry?: (event: RetryEvent) => void;
}

type Always = 'exchange' | 'clock' | 'random';

/** What all requests of one run share. */
export interface ClientState extends Omit<ClientPorts, Always>, Required<Pick<ClientPorts, Always>> {
  readonly settings: ClientSettings;
  readonly limiter: Limiter;
  readonly retryQuota: RetryQuota;
  readonly circuit: Circuit;
  readonly hostHealth: HostHealth;
  /** Throttled requests, and until when the service asked to be left alone. */
  readonly throttling: { count: number; askedUntil: number };
  /** Creations so far. */
  sent: number;
  /** Time of the clock at which `signal` came. */
  stoppedAt?: number;
  /** True once the service answered anything. */
  hasAnswered: boolean;
}
