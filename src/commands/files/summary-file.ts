// The Markdown file of `--summary-file`: appends each part when it is known; a failure does not stop the run.

import { resolve } from 'node:path';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { byteLength } from '../../core/text/text.ts';
import { FileError, onFileError } from '../../platform/file-error.ts';
import type { FileSink } from '../../platform/output.ts';
import { renderDiagnosticsAs } from '../../render/formats.ts';
import type { RenderOptions } from '../../render/render-options.ts';
import { worstOf, type RunOutcome } from '../../core/run-outcome.ts';
import { Failure } from '../../core/failure.ts';
import { fileDiagnostic } from '../../platform/problem.ts';
import { renderOptionsOf, type Invocation } from '../shell/invocation.ts';
import { withLostFile } from '../shell/problems.ts';
import { SAME_FILE } from './check-outputs.ts';

type Render = (style: RenderOptions, limit: number) => string;

export interface SummaryFile {
  /** Appends rendered text, limited in bytes. */
  readonly add: (render: Render) => void;
  /** Appends nothing more; returns what was lost, the same on every call. */
  readonly end: () => Promise<readonly Diagnostic[]>;
}

/** GitHub's limit for the summary of one step. */
const MAX_BYTES = 1024 * 1024;

/** Runs a command with its summary, including the problems that end it. */
export async function withSummaryFile(
  run: Invocation,
  work: (summary: SummaryFile) => Promise<RunOutcome> | RunOutcome,
): Promise<RunOutcome> {
  const { summaryFile } = run.settings;
  if (summaryFile === undefined) return work({ add: () => undefined, end: () => Promise.resolve([]) });
  const summary = openSummaryFile(resolve(run.cwd, summaryFile), run);
  try {
    const outcome = await work(summary);
    const lost = await summary.end();
    return lost.length === 0 ? outcome : worstOf(outcome, 'output');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The summary file may be the one that must not be changed.
    if (error.diagnostics.some(({ code }) => code === SAME_FILE)) throw error;
    summary.add((style, limit) => renderDiagnosticsAs('markdown', error, style, limit));
    throw withLostFile(error, await summary.end(), run);
  }
}

function openSummaryFile(path: string, run: Invocation): SummaryFile {
  let sink: FileSink | undefined;
  let lost: FileError | undefined;
  let size = 0;
  let ended: Promise<readonly Diagnostic[]> | undefined;
  const append = (render: Render) => {
    if (sink === undefined) {
      sink = run.platform.textFiles.openSink(path);
      size = sink.size ?? 0;
    }
    const gap = size > 0 ? '\n\n' : '';
    const text = `${gap}${render(renderOptionsOf(run, run.stdout), MAX_BYTES - size - gap.length - 1)}\n`;
    size += byteLength(text);
    if (size > MAX_BYTES) throw new FileError(path, 'EFBIG');
    sink.write(text);
  };
  const end = async (): Promise<readonly Diagnostic[]> => {
    const failed = lost ?? (await sink?.end());
    return failed === undefined ? [] : [fileDiagnostic(failed)];
  };
  return {
    add: (render) => {
      if (lost !== undefined || ended !== undefined) return;
      onFileError(
        () => append(render),
        (error) => (lost = error),
      );
    },
    end: () => (ended ??= end()),
  };
}
