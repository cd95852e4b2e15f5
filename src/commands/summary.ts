// The Markdown file of `--summary-file`: each part is appended as it is known, and a failure does not stop the run.

import { resolve } from 'node:path';
import { diagnosticsMarkdown } from '../render/report-markdown.ts';
import { logOf, renderDiagnosticsAs } from '../render/formats.ts';
import type { ExitCode } from './exit.ts';
import { EXIT } from './exit.ts';
import { CommandFailure } from './failure.ts';
import { appendBounded } from './file.ts';
import type { Host } from './host.ts';
import type { RawOptions } from './options.ts';
import { formatOf, styleOf } from './options.ts';

export interface Summary {
  /** Appends what is rendered within a number of characters. */
  readonly add: (render: (limit: number) => string) => void;
}

/** What GitHub takes as the summary of one step. */
const MAX_BYTES = 1024 * 1024;

/** Runs a command with its summary; problems that end it are part of that. */
export async function withSummary(
  raw: RawOptions,
  host: Host,
  work: (summary: Summary) => Promise<ExitCode> | ExitCode,
): Promise<ExitCode> {
  const { summaryFile } = raw;
  if (summaryFile === undefined) return work({ add: () => undefined });
  const state: { isLost: boolean } = { isLost: false };
  const add: Summary['add'] = (render) => {
    if (state.isLost) return;
    state.isLost = !append(resolve(host.cwd, summaryFile), render, raw, host);
  };
  try {
    const exitCode = await work({ add });
    // Every other code says more: something else failed, too.
    return state.isLost && (exitCode === EXIT.done || exitCode === EXIT.pending) ? EXIT.output : exitCode;
  } catch (error) {
    if (error instanceof CommandFailure) add((limit) => diagnosticsMarkdown(error.diagnostics, limit));
    throw error;
  }
}

function append(path: string, render: (limit: number) => string, raw: RawOptions, host: Host): boolean {
  try {
    appendBounded(path, render, MAX_BYTES);
    return true;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    host.stderr.write(`${renderDiagnosticsAs(logOf(formatOf(raw)), error, styleOf(raw, host, host.stderr))}\n`);
    return false;
  }
}
