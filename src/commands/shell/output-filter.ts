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
  const stdout = filteredSink(outer.stdout, 'standard output', () => outer.stderr.show?.(''));
  const stderr = filteredSink(outer.stderr, 'standard error');
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
        return outer.ask(filtered(question, 'a question'), on);
      },
    },
    /** Writes the rest, and reports secrets that were held back. Nothing is written after it. */
    close: () => {
      flush();
      const from = run.heldBack();
      if (from.length > 0) outer.stderr.write(heldBackLine(from));
      run.end();
    },
  };
}

/** Sinks named by us, not by the user. */
const OWN_SINKS: ReadonlySet<string> = new Set(['standard output', 'standard error', 'a question']);

/** Message about a hit. Tests look for these words and fail. */
const HELD_BACK = 'warning: a secret was held back';

/** Our words stay; names of sinks may be user paths, which can contain anything. */
function heldBackLine(sinks: readonly string[]): string {
  const names = sinks.map((sink) => (OWN_SINKS.has(sink) ? sink : filtered(sink, 'standard error')));
  return `${HELD_BACK} from ${names.join(', ')}; unless the secret is an ordinary word, please report this with the command you ran\n`;
}

/** Writes whole lines only, so that a secret written in two parts is found. */
function filteredSink(
  sink: Sink,
  name: string,
  before: () => void = () => undefined,
): Sink & { readonly flush: () => void } {
  let rest = '';
  const pass = (text: string) => {
    if (text === '') return;
    before();
    sink.write(filtered(text, name));
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
    show: sink.show && ((line) => sink.show?.(filtered(line, name))),
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
