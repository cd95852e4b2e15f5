// validate: the manifest against schemas and rules. No network, no credentials, and no values of variables unless asked.

import { plural } from '../core/text.ts';
import { DOCUMENT, isLog, renderDiagnosticsAs } from '../render/formats.ts';
import { tryLoad } from './run/context.ts';
import type { ExitCode } from './shell/exit.ts';
import { EXIT } from './shell/exit.ts';
import type { Host } from './shell/host.ts';
import { sayLost } from './shell/lost.ts';
import type { RawOptions } from './options/options.ts';
import { formatOf, styleOf } from './options/options.ts';
import type { Summary } from './shell/summary.ts';

/** Prints every problem; exit code 4 when there is an error. */
export async function validate(raw: RawOptions, host: Host, summary: Summary): Promise<ExitCode> {
  const mayLackValues = raw.requireVars !== true;
  const { loaded, diagnostics: found, sources, failure } = await tryLoad(raw, host, { mayLackValues });
  // Wrong usage may be that the summary is a file to keep.
  if (failure?.exitCode === EXIT.usage) throw failure;
  const format = formatOf(raw);
  summary.add((limit) => renderDiagnosticsAs('markdown', { diagnostics: found, sources: new Map() }, DOCUMENT, limit));
  const lost = await summary.end();
  const sink = isLog(format) ? host.stderr : host.stdout;
  const diagnostics = [...found, ...lost];
  const text = renderDiagnosticsAs(format, { diagnostics, sources }, styleOf(raw, host, sink));
  if (text !== '') sink.write(`${text}\n`);
  if (!isLog(format)) sayLost(lost, raw, host);
  if (loaded === undefined) return failure.exitCode;
  const { stack, resources } = loaded.manifest;
  if (isLog(format))
    host.stdout.write(`The manifest of stack ${stack} is valid: ${plural(resources.length, 'resource')}.\n`);
  return EXIT.done;
}
