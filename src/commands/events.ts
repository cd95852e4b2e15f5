// What happens during an apply, as JSON lines for programs: to a file, or to standard output.

import { resolve } from 'node:path';
import type { ApplyEvent } from '../apply/event.ts';
import { eventJson } from '../render/json.ts';
import { CommandFailure } from './failure.ts';
import { addOwn } from './file.ts';
import type { Host } from './host.ts';
import type { RawOptions } from './options.ts';
import { formatOf, usage } from './options.ts';

/** Where events go; `-` is standard output, which then has nothing else. */
export function eventSink(raw: RawOptions, host: Host): (event: ApplyEvent) => void {
  const { events } = raw;
  if (events === undefined) return () => undefined;
  if (events === '-') {
    return (event) => {
      host.stdout.write(`${eventJson(event)}\n`);
    };
  }
  const path = resolve(host.cwd, events);
  const state = { isLost: false };
  return (event) => {
    if (state.isLost) return;
    try {
      addOwn(path, `${eventJson(event)}\n`);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      state.isLost = true;
      host.stderr.write(`warning: ${error.message}; events are lost\n`);
    }
  };
}

/** Standard output cannot hold events and a document. */
export function checkEvents(raw: RawOptions): void {
  if (raw.events === '-' && formatOf(raw) !== 'text')
    throw usage('--events - needs standard output for itself', 'name a file, or use --format text');
}
