// Events of an apply as JSON lines for programs: to a file, or to standard output.

import { resolve } from 'node:path';
import type { FileSink } from '../../platform/write.ts';
import { failOnFileError, fileDiagnostic } from '../../platform/problem.ts';
import { eventJson, notRunJson, waveJson } from '../../render/events.ts';
import type { Invocation } from '../shell/invocation.ts';
import type { CommandEvent, Listener, Subject } from '../shell/listener.ts';

/** The sink for events; `-` is standard output, which then has nothing else. Fails at the start when the path cannot be written to. */
export function eventsListener({ settings: { events }, stdout, platform, cwd }: Invocation): Listener {
  let sink: Pick<FileSink, 'write'> & Partial<FileSink> = stdout;
  const end = () => {
    const { end: close } = sink;
    sink = { write: () => undefined };
    const lost = close?.();
    return lost === undefined ? [] : [fileDiagnostic(lost)];
  };
  return {
    note: (event, subject) => {
      if (events === undefined) return;
      if (event.type === 'loaded' && events !== '-')
        sink = failOnFileError(() => platform.textFiles.openSink(resolve(cwd, events)));
      for (const line of linesOf(event, subject)) sink.write(`${line}\n`);
    },
    flush: end,
    end,
  };
}

function linesOf(event: CommandEvent, subject: Subject | undefined): readonly string[] {
  switch (event.type) {
    case 'step':
      return [eventJson(event.event, event.run, subject?.name === undefined ? undefined : subject)];
    case 'wave-started':
      return [waveJson(event.wave, event.stacks)];
    case 'fleet':
      return event.fleet.stacks.flatMap((one) => notRunJson(one) ?? []);
    default:
      return [];
  }
}
