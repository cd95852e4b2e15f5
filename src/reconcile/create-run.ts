// A run with defaults for everything that is not asked for, for programs that embed the engine.

import { resolve } from 'node:path';
import { requireValue } from '../core/failure.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { checkApiKey, checkConnection, parseBaseUrl, type ClientSettings } from '../service/settings.ts';
import { platformOf } from './platform.ts';
import { DEFAULT_OPTIONS, type RunInput, type RunOptions } from './run.ts';
import { afterGrace, NEVER } from './stop.ts';

/** How requests are made where nothing else is asked for (§9 for the header). */
export const DEFAULT_CONNECTION = {
  versionHeader: { name: 'Service-Version', value: '2' },
  readTimeoutMs: 30_000,
  writeTimeoutMs: 60_000,
  maxBytes: 32 * 1024 * 1024,
} as const satisfies Partial<ClientSettings>;

/** What a run cannot do without, and what of the rest is not as by default. */
export interface NewRun extends Partial<Omit<RunInput, 'manifest' | 'connection' | 'options'>> {
  readonly manifest: Manifest;
  /** Without one there is no run, so what an environment may lack can be given as it is. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** In place of single defaults, and of what follows from the options. */
  readonly connection?: Partial<ClientSettings>;
  readonly options?: Partial<RunOptions>;
}

/** What of a connection follows from what the run may do. */
export function connectionFor(
  { capabilities, concurrency }: Pick<RunOptions, 'capabilities' | 'concurrency'>,
  pageSize: number | undefined,
): Partial<ClientSettings> {
  return {
    lastPageIsBare: !capabilities.has('next-page-uri'),
    ...(pageSize !== undefined && capabilities.has('paging-limit') && { pageSize }),
    // What is wrong with the option is told when the run begins, with the others.
    ...(concurrency >= 1 && { concurrency }),
  };
}

/** The input of `makePlan`, `detectDrift` and `applyManifest`, as often as it is needed. Fails with a `Failure` when the connection cannot be used. */
export function createRun({ manifest, baseUrl, apiKey, connection = {}, options, ...world }: NewRun): RunInput {
  const all = { ...DEFAULT_OPTIONS, journal: resolve(`.edgeform/${manifest.stack}.journal.jsonl`), ...options };
  const { pageSize, ...own } = connection;
  return {
    ...NEVER,
    ...(world.signal && { hardCancel: afterGrace(world.signal) }),
    platform: platformOf(),
    emit: () => undefined,
    ...world,
    manifest,
    connection: checkConnection({
      ...DEFAULT_CONNECTION,
      baseUrl: requireValue(parseBaseUrl(baseUrl ?? '', 'baseUrl')),
      apiKey: requireValue(checkApiKey(apiKey ?? '', 'apiKey')),
      ...connectionFor(all, pageSize),
      ...own,
    }),
    options: all,
  };
}
