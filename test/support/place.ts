// A service and a folder for each test of a file, and command lines that run there in this process.

import { journalOf } from '../../src/journal/place.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Emulator, EmulatorOptions, RequestRecord } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from './cli.ts';
import { run } from './host.ts';

type Texts = Readonly<Record<string, string>>;

export interface Place {
  emulator: Emulator;
  cwd: string;
  /** Address and key of the service, and what else was asked for. */
  env: Record<string, string>;
  readonly run: (...args: string[]) => ReturnType<typeof run>;
  readonly write: (text: string, name?: string) => void;
  /** The default journal of a stack at the service. */
  readonly journal: (stack?: string) => string;
  /** Requests that are no reads. */
  readonly writes: () => RequestRecord[];
  /** Another service in place of this one; folder and settings stay. */
  readonly restart: (options?: EmulatorOptions) => Promise<void>;
}

/** Makes the place before each test, with these files and environment variables, and ends the service after it. */
export function usePlace(files: Texts = {}, settings: Texts = {}): Place {
  const start = async (options: EmulatorOptions) => {
    place.emulator = await startEmulator(options);
    place.env = { ...settings, EDGEFORM_BASE_URL: place.emulator.url, EDGEFORM_API_KEY: place.emulator.apiKey };
  };
  const place = {
    run: (...args) => run(args, place),
    write: (text, name = 'edgeform.yaml') => {
      writeFileSync(join(place.cwd, name), text);
    },
    journal: (stack = 'shop') => join(place.cwd, journalOf(new URL(place.emulator.url), stack)),
    writes: () => place.emulator.requests.filter(({ method }) => method !== 'GET'),
    restart: async (options = {}) => {
      await place.emulator.close();
      await start(options);
    },
  } as Place;
  beforeEach(async () => {
    await start({});
    place.cwd = folder(files);
  });
  afterEach(() => place.emulator.close());
  return place;
}
