// emulator: serves the whole API on loopback until a signal.

import type { RunOutcome } from '../core/run-outcome.ts';
import { knownSecrets } from '../core/secrets/known.ts';
import { startEmulator, type Emulator, type EmulatorOptions } from '../emulator/http/server.ts';
import { failureMessage } from '../emulator/problem.ts';
import { emulatorOptions } from './options/emulator-options.ts';
import { invalidSetting } from './options/settings.ts';
import type { Call, CommandSpec } from './shell/command.ts';

type EmulatorFlags = Parameters<typeof emulatorOptions>[0];

/** Serves until a signal; prints one JSON line when ready. */
async function emulator({ flags, invocation: host }: Call<EmulatorFlags>): Promise<RunOutcome> {
  const service = await start(await emulatorOptions(flags, host));
  // Printing its own key is the purpose, even if it came from the environment.
  knownSecrets.remove(service.apiKey);
  host.stdout.write(`${JSON.stringify({ url: service.url, api_key: service.apiKey })}\n`);
  await host.untilSignal;
  await service.close();
  return 'done';
}

/** The service, or a failure: a port in use, an invalid seed or fault. */
async function start(options: EmulatorOptions): Promise<Emulator> {
  try {
    return await startEmulator(options);
  } catch (error) {
    const message = `the emulator cannot start: ${failureMessage(error)}`;
    throw invalidSetting(message, 'correct or remove the option that the message names');
  }
}

export const commands: readonly CommandSpec<EmulatorFlags>[] = [
  {
    position: 100,
    words: 'emulator',
    text: 'serve the whole API on loopback',
    flags: {
      own: [
        { flags: '--port <port>', text: 'port (default: any free one)' },
        { flags: '--api-key <key>', text: 'main token (default: a random one); for the emulator only' },
        { flags: '--state <file>', text: 'file that keeps the objects across restarts' },
        { flags: '--page-size <count>', text: 'largest page, 1 to 100' },
        { flags: '--latency <ms>', text: 'wait before each answer' },
        { flags: '--seed <file>', text: 'initial objects: JSON, list key → objects' },
        { flags: '--faults <file>', text: 'scripted faults: a JSON list' },
      ],
    },
    help: {
      examples: ['emulator --port 4040 --api-key local', 'emulator --state objects.json --latency 50'],
      environment: ['EDGEFORM_CAPABILITIES', 'EDGEFORM_VERSION_HEADER'],
      exits: ['invalid'],
    },
    run: emulator,
  },
];
