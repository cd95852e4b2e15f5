// Approval of writes: exactly `yes` on a terminal, or `--auto-approve`. Piped input never counts.

import { Failure } from '../../core/failure.ts';
import { plural } from '../../core/text/text.ts';
import { explainEarlyStop } from '../../reconcile/stop.ts';
import { isLog } from '../../render/formats.ts';
import { indented } from '../../render/text/lines.ts';
import { isStdinRead } from '../options/read-input.ts';
import { widthOf, type Invocation } from './invocation.ts';

const YES = 'yes';

/** What `ask` returns for a question that ended without an answer. */
const END_OF_INPUT = '\u0004';

interface Question {
  readonly question: string;
  /** What to do when there is no terminal to ask on. */
  readonly fix: string;
  /** What to type; by default `yes`. */
  readonly consent?: string;
  /** The stream that shows what is to be approved. */
  readonly on: 'stdout' | 'stderr';
}

/** A run that writes, and where it asks: events can use standard output exclusively. */
export function stageOf(outer: Invocation) {
  const hasEvents = outer.settings.events === '-';
  const on: Question['on'] = isLog(outer.settings.format) && !hasEvents ? 'stdout' : 'stderr';
  return { invocation: hasEvents ? { ...outer, stdout: outer.stderr } : outer, on };
}

/** Returns when the user approves; otherwise fails with exit code 5, or with that of a signal. */
export async function confirm({ question, fix, on, consent = YES }: Question, run: Invocation): Promise<void> {
  if (run.settings.autoApprove) return;
  const whole = `${question} Enter "${consent}" to continue:`;
  const lines = run[on].isTty ? indented(whole, widthOf(run[on]) - consent.length - 1) : [whole];
  const answer = isStdinRead(run) ? undefined : await run.ask(`\n${lines.join('\n')} `, on);
  // The cursor still stands behind the question.
  if (answer === END_OF_INPUT) run[on].write('\n');
  if (run.signal.aborted) {
    const { outcome, why } = explainEarlyStop(run, 'error');
    throw new Failure(outcome, [{ ...why, message: `${why.message}; nothing was changed` }]);
  }
  if (answer === undefined) {
    const stream = run.hasKeyboard !== true ? 'input' : on === 'stdout' ? 'output' : 'error';
    const why = isStdinRead(run) ? 'input was already read for another input' : `${stream} is not a terminal`;
    const message = `cannot ask for confirmation, because standard ${why}; nothing was changed`;
    throw Failure.of('refused', 'no-consent', message, fix);
  }
  if (answer.trim() !== consent) throw notConfirmed(answer.trim(), consent);
}

/** Quotes only what was meant for yes, because anything else may be a secret from a clipboard. */
function notConfirmed(answer: string, consent: string): Failure {
  const isMeant = /^y(?:es?)?$/i.test(answer);
  const why = isMeant
    ? `not confirmed, because only "${consent}" is consent, and the answer was "${answer}"`
    : 'not confirmed';
  const fix = isMeant ? `run the command again, and type ${consent}` : undefined;
  return Failure.of('refused', 'no-consent', `${why}; nothing was changed`, fix);
}

/** `this 1 step`, `these 2 steps`. */
export function these(count: number, noun: string): string {
  return `${count === 1 ? 'this' : 'these'} ${plural(count, noun)}`;
}
