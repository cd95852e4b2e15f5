// What every apply in a test needs besides its plan; time passes without waiting.

import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import type { LiveResource, Snapshot } from '../../src/resource/snapshot.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { ClientSettings } from '../../src/service/settings.ts';

/** A clock whose sleeps are over at once. */
export function instantClock(): Clock {
  let time = 0;
  return {
    now: () => time,
    sleep: async (ms) => {
      time += ms;
      await Promise.resolve();
    },
  };
}

/** How clients of an emulator ask it. */
export function settingsFor({ url, apiKey }: Pick<Emulator, 'url' | 'apiKey'>): ClientSettings {
  return {
    baseUrl: new URL(url),
    apiKey: new Secret(apiKey),
    versionHeader: { name: 'Service-Version', value: '2' },
    readTimeoutMs: 10_000,
    writeTimeoutMs: 10_000,
    maxBytes: 64 * 1024 * 1024,
  };
}

/** The live objects of a snapshot as an apply takes them. */
export function liveOf({ resources }: Snapshot): ReadonlyMap<string, LiveResource> {
  return new Map(resources.map((live) => [live.id, live]));
}

export const APPLY_DEFAULTS = {
  live: new Map<string, LiveResource>(),
  capabilities: new Set(CAPABILITIES),
  clock: instantClock(),
  settleMs: 2_000,
} as const;
