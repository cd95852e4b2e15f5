// A run with defaults for all optional input, for programs that embed the engine.

import { resolve } from 'node:path';
import { requireValue } from '../core/failure.ts';
import { journalOf } from '../journal/place.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { checkApiKey, checkConnection, parseBaseUrl, type ClientSettings } from '../service/settings.ts';
import { platformOf } from './platform.ts';
import { DEFAULT_OPTIONS, type RunInput, type RunOptions } from './run.ts';
import { afterGrace, NEVER } from './stop.ts';

/** Default connection (§9 for the header). */
export const DEFAULT_CONNECTION = {
  versionHeader: { name: 'Service-Version', value: '2' },
  readTimeoutMs: 30_000,
  writeTimeoutMs: 60_000,
  maxBytes: 32 * 1024 * 1024,
} as const satisfies Partial<ClientSettings>;

/** The required input of a run, and changes to the defaults. */
export interface NewRun extends Partial<Omit<RunInput, 'manifest' | 'connection' | 'options'>> {
  readonly manifest: Manifest;
  /** A run needs it; undefined is allowed, so that an unset environment variable can be passed directly. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Overrides for defaults, including those derived from the options. */
  readonly connection?: Partial<ClientSettings>;
  readonly options?: Partial<RunOptions>;
}

/** The connection settings derived from the run's options. */
export function connectionFor(
  { capabilities, concurrency }: Pick<RunOptions, 'capabilities' | 'concurrency'>,
  pageSize: number | undefined,
): Partial<ClientSettings> {
  return {
    ...(pageSize !== undefined && capabilities.has('paging-limit') && { pageSize }),
    ...(concurrency >= 1 && { concurrency }),
  };
}

/** The input of `makePlan`, `detectDrift` and `applyManifest`; it can be reused. Throws a `Failure` for an invalid connection. */
export function createRun({ manifest, baseUrl, apiKey, connection = {}, options, ...world }: NewRun): RunInput {
  const given = { ...DEFAULT_OPTIONS, ...options };
  const { pageSize, ...own } = connection;
  const checked = checkConnection({
    ...DEFAULT_CONNECTION,
    baseUrl: requireValue(parseBaseUrl(baseUrl ?? '', 'baseUrl')),
    apiKey: requireValue(checkApiKey(apiKey ?? '', 'apiKey')),
    ...connectionFor(given, pageSize),
    ...own,
  });
  return {
    ...NEVER,
    ...(world.signal && { hardCancel: afterGrace(world.signal) }),
    platform: platformOf(),
    emit: () => undefined,
    ...world,
    manifest,
    connection: checked,
    options: { journal: resolve(journalOf(checked.baseUrl, manifest.stack)), ...given },
  };
}
