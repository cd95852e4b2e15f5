// Puts the output filter (ADR-0019) in front of a run's streams and prompts. Nothing else in this folder has an unfiltered
// stream.

import { registerCredentials } from '../../service/settings.ts';
import { beginRun, filtered } from '../../platform/filter.ts';
import type { Host, Sink } from './host.ts';

/** The filter knows every secret created from here on, and those of the environment before anything is read. */
export function openOutputFilter(outer: Host) {
  const run = beginRun();
  registerCredentials(outer.env);
  outer.ports?.hasEnded?.addEventListener('abort', run.end, { once: true });
  // Both may be the same terminal.
  const stdout = filteredSink(outer.stdout, () => outer.stderr.show?.(''));
  const stderr = filteredSink(outer.stderr);
  const flush = () => {
    stdout.flush();
    stderr.flush();
  };
  return {
    host: {
      ...outer,
      stdout,
      stderr,
      ask: (question: string, on: 'stdout' | 'stderr') => {
        flush();
        return outer.ask(filtered(question), on);
      },
    },
    /** Writes the rest, and reports secrets that were held back. Nothing is written after it. */
    close: () => {
      flush();
      if (run.heldBack()) outer.stderr.write(HELD_BACK);
      run.end();
    },
  };
}

/** Message about a hit. Tests look for these words and fail. */
const HELD_BACK =
  'warning: a secret was held back from an output; unless the secret is an ordinary word, please report this with the command you ran\n';

/** Writes whole lines only, so that a secret written in two parts is found. */
function filteredSink(sink: Sink, before: () => void = () => undefined): Sink & { readonly flush: () => void } {
  let rest = '';
  const pass = (text: string) => {
    if (text === '') return;
    before();
    sink.write(filtered(text));
  };
  const flush = () => {
    pass(rest);
    rest = '';
  };
  const { flushed } = sink;
  return {
    isTty: sink.isTty,
    get columns() {
      return sink.columns;
    },
    // Filtered before it is cut.
    show: sink.show && ((text) => sink.show?.(filtered(text))),
    write: (text) => {
      const all = rest + text;
      const end = all.lastIndexOf('\n') + 1;
      rest = all.slice(end);
      pass(all.slice(0, end));
    },
    flush,
    flushed:
      flushed &&
      (() => {
        flush();
        return flushed();
      }),
  };
}
