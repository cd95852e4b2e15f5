// The Markdown file of `--summary-file`: appends each part when it is known; a failure does not stop the run.

import { resolve } from 'node:path';
import { byteLength } from '../../core/text/text.ts';
import { FileError, onFileError } from '../../platform/file-error.ts';
import type { FileSink } from '../../platform/write.ts';
import { fileDiagnostic } from '../../platform/problem.ts';
import { renderFleetAs } from '../../render/fleet.ts';
import { renderDiagnosticsAs, renderDriftAs, renderPlanAs, renderReportAs } from '../../render/formats.ts';
import type { RenderOptions } from '../../render/render-options.ts';
import { renderOptionsOf, type Invocation } from '../shell/invocation.ts';
import type { CommandEvent, Listener } from '../shell/listener.ts';

/** A part of a document as Markdown; without a limit, it fits into a comment. */
type Render = (style: RenderOptions, limit?: number) => string;

/** GitHub's limit for the summary of one step is 1 MiB; pipelines add a little. */
const MAX_BYTES = 1_040_000;

/** Without the option, it listens and writes nothing. */
export function summaryListener(run: Invocation): Listener {
  const { summaryFile } = run.settings;
  if (summaryFile === undefined) return { note: () => undefined, end: () => [] };
  const path = resolve(run.cwd, summaryFile);
  let sink: FileSink | undefined;
  let lost: FileError | undefined;
  let isOpen = true;
  let size = 0;
  const append = (render: Render) => {
    if (sink === undefined) {
      sink = run.platform.textFiles.openSink(path);
      size = sink.size;
    }
    const gap = size > 0 ? '\n\n' : '';
    const text = `${gap}${render(renderOptionsOf(run, run.stdout), MAX_BYTES - size - gap.length - 1)}\n`;
    size += byteLength(text);
    if (size > MAX_BYTES) throw new FileError(path, 'EFBIG');
    sink.write(text);
  };
  return {
    note: (event) => {
      const part = markdownOf(event);
      if (part === undefined || lost !== undefined || !isOpen) return;
      onFileError(
        () => append(part),
        (error) => (lost = error),
      );
    },
    end: () => {
      if (!isOpen) return [];
      isOpen = false;
      const failed = lost ?? sink?.end();
      return failed === undefined ? [] : [fileDiagnostic(failed)];
    },
  };
}

/** What an event adds. */
export function markdownOf(event: CommandEvent): Render | undefined {
  switch (event.type) {
    case 'planned':
    case 'cleaning-up':
      return (...how) => renderPlanAs('markdown', event.plan, ...how);
    case 'reported': {
      const { view } = event;
      return view.results.length === 0 ? undefined : (...how) => renderReportAs('markdown', view, ...how);
    }
    case 'compared':
      return (...how) => renderDriftAs('markdown', event.view, ...how);
    case 'checked':
      return (...how) => renderDiagnosticsAs('markdown', event.found, ...how);
    case 'fleet':
      return (style, limit) => renderFleetAs('markdown', event.fleet, style, limit);
    case 'failed':
      return (...how) => renderDiagnosticsAs('markdown', event.failure, ...how);
    default:
      return undefined;
  }
}
