// validate: the manifest against schemas and rules. No network, no credentials.

import { plural } from '../base/text.ts';
import { renderDiagnostics } from '../render/diagnostic.ts';
import { diagnosticsJson } from '../render/json.ts';
import { tryLoad } from './context.ts';
import type { ExitCode } from './exit.ts';
import { EXIT } from './exit.ts';
import type { Host } from './host.ts';
import type { RawOptions } from './options.ts';
import { formatOf, styleOf } from './options.ts';

/** Prints every problem; exit code 4 when there is an error. */
export function validate(raw: RawOptions, host: Host): ExitCode {
  const format = formatOf(raw);
  const { loaded, diagnostics, sources } = tryLoad(raw, host);
  if (format === 'json') host.stdout.write(`${diagnosticsJson(diagnostics)}\n`);
  else if (diagnostics.length > 0)
    host.stderr.write(`${renderDiagnostics(diagnostics, sources, styleOf(raw, host, host.stderr))}\n`);
  if (loaded === undefined) return EXIT.invalid;
  const { stack, resources } = loaded.manifest;
  if (format === 'text')
    host.stdout.write(`The manifest of stack ${stack} is valid: ${plural(resources.length, 'resource')}.\n`);
  return EXIT.done;
}
