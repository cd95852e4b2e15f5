// The door to the outside: the streams and the questions of a run, behind the output filter (ADR-0019). Nothing else in
// this folder has a stream that is not behind it.

import { registerCredentials } from '../../service/settings.ts';
import { beginRun, filterText, publishNames } from '../../platform/filter.ts';
import type { Host, Sink } from './host.ts';
import { vocabulary } from '../options/vocabulary.ts';

/** Every secret that is made from here on is known to the filter, and those of the environment are before anything is read. */
export function openOutputFilter(outer: Host) {
  const run = beginRun();
  registerCredentials(outer.env);
  publishNames(vocabulary);
  outer.ports?.hasEnded?.addEventListener('abort', run.end, { once: true });
  const { every } = outer;
  let isAsking = false;
  // Both may be the same terminal.
  const stdout = filteredSink(outer.stdout, 'standard output', () => outer.stderr.show?.([]));
  const stderr = filteredSink(outer.stderr, 'standard error');
  const flush = () => {
    stdout.flush();
    stderr.flush();
  };
  return {
    /** The host, with everything that shows something behind the filter. */
    host: {
      ...outer,
      stdout,
      stderr,
      // While a person types, nothing is drawn.
      ...(every && { every: (ms: number, call: () => void) => every(ms, () => isAsking || call()) }),
      ask: async (question: string, on: 'stdout' | 'stderr') => {
        flush();
        outer.stderr.show?.([]);
        isAsking = true;
        try {
          return await outer.ask(filterText(question, 'a question'), on);
        } finally {
          isAsking = false;
        }
      },
    },
    /** Writes what is left, and says when a secret had to be held back. Nothing is written after it. */
    close: () => {
      flush();
      const from = run.heldBack();
      if (from.length > 0) outer.stderr.write(heldBackLine(from));
      run.end();
    },
  };
}

/** Sinks that we name, and not the user. */
const OWN_SINKS: ReadonlySet<string> = new Set(['standard output', 'standard error', 'a question']);

/** What a hit says to people. Tests look for these words: there, a hit is a failure. */
const HELD_BACK = 'warning: a secret was held back';

/** The words are ours and stay; names of sinks can be paths of the user's, and may hold anything. */
function heldBackLine(sinks: readonly string[]): string {
  const names = sinks.map((sink) => (OWN_SINKS.has(sink) ? sink : filterText(sink, 'standard error')));
  return `${HELD_BACK} from ${names.join(', ')}; unless the secret is an ordinary word, please report this with the command you ran\n`;
}

/** Whole lines only: a secret that is written in two parts is still seen as one. */
function filteredSink(
  sink: Sink,
  name: string,
  before: () => void = () => undefined,
): Sink & { readonly flush: () => void } {
  let rest = '';
  const pass = (text: string) => {
    if (text === '') return;
    before();
    sink.write(filterText(text, name));
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
    get rows() {
      return sink.rows;
    },
    // Filtered as one text, before anything is cut from it.
    show:
      sink.show && ((lines) => sink.show?.(lines.length === 0 ? [] : filterText(lines.join('\n'), name).split('\n'))),
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
