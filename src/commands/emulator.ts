// emulator: serves the whole API on loopback until a signal.

import type { RunOutcome } from '../core/run-outcome.ts';
import { knownSecrets } from '../core/secrets/known.ts';
import { startEmulator, type Emulator, type EmulatorOptions } from '../emulator/http/server.ts';
import { failureMessage } from '../emulator/problem.ts';
import { emulatorOptions } from './options/emulator-options.ts';
import { invalidSetting } from './options/settings.ts';
import { OPTIONS } from './options/options.ts';
import type { Call, CommandSpec } from './shell/command.ts';

/** Serves until a signal; prints one JSON line when ready. */
async function emulator({ invocation: host }: Call): Promise<RunOutcome> {
  const service = await start(await emulatorOptions(host));
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

export const commands: readonly CommandSpec[] = [
  {
    position: 100,
    words: 'emulator',
    text: 'serve the whole API on loopback',
    flags: {
      own: [
        OPTIONS.port,
        OPTIONS.apiKey,
        OPTIONS.state,
        OPTIONS.pageSize,
        OPTIONS.latencyMs,
        OPTIONS.normalize,
        OPTIONS.omitZero,
        OPTIONS.defaultForZero,
        OPTIONS.mask,
        OPTIONS.seed,
        OPTIONS.faults,
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
