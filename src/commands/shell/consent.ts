// Consent to writes: exactly `yes` on a terminal, or `--auto-approve`. Piped input is never consent.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { EXIT } from './exit.ts';
import { CommandFailure } from './failure.ts';
import type { Host } from './host.ts';
import type { RawOptions } from '../options/options.ts';
import { earlyEnd } from '../run/early-end.ts';

export interface Question {
  readonly question: string;
  /** What to do when nobody can be asked. */
  readonly fix: string;
}

/** Returns when the user agrees; otherwise fails with exit code 5, or with that of the signal that came. */
export async function confirm({ question, fix }: Question, raw: RawOptions, host: Host): Promise<void> {
  if (raw.autoApprove === true) return;
  const answer = await host.ask(`\n${question} Only "yes" is taken: `);
  if (host.signal.aborted) {
    const { exitCode, why } = earlyEnd(host, EXIT.error);
    throw new CommandFailure(exitCode, [{ ...why, message: `${why.message}; nothing was changed` }]);
  }
  if (answer === undefined) {
    const message = 'nobody can be asked, because standard input is not a terminal; nothing was changed';
    throw refused({ code: 'no-consent', severity: 'error', message, fix });
  }
  if (answer.trim() !== 'yes')
    throw refused({ code: 'no-consent', severity: 'error', message: 'not confirmed; nothing was changed' });
}

function refused(why: Diagnostic): CommandFailure {
  return new CommandFailure(EXIT.refused, [why]);
}
