// Events of an apply as JSON lines for programs: to a file, or to standard output.

import { resolve } from 'node:path';
import type { ApplyEvent } from '../../apply/event.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { eventJson } from '../../render/view/event.ts';
import { failOnFileError, fileDiagnostic } from '../../platform/problem.ts';
import type { Invocation } from '../shell/invocation.ts';

/** The sink for events; `-` is standard output, which then has nothing else. Fails when the path cannot be written to. */
export function openEvents({ settings: { events }, stdout, platform, cwd }: Invocation) {
  if (events === undefined || events === '-') {
    const emit = (event: ApplyEvent) => {
      if (events === '-') stdout.write(`${eventJson(event)}\n`);
    };
    return { emit, end: () => Promise.resolve<readonly Diagnostic[]>([]) };
  }
  const sink = failOnFileError(() => platform.textFiles.openSink(resolve(cwd, events)));
  let ended: Promise<readonly Diagnostic[]> | undefined;
  return {
    emit: (event: ApplyEvent) => sink.write(`${eventJson(event)}\n`),
    /** Writes the rest; returns what was lost, the same on every call. */
    end: () => (ended ??= sink.end().then((lost) => (lost === undefined ? [] : [fileDiagnostic(lost)]))),
  };
}
