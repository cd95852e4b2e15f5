// fmt: formats the files of a manifest. Writes all of them or, if one has a problem, none.

import { resolve } from 'node:path';
import { append } from '../core/append.ts';
import { hasErrors, type Diagnostic } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { readManifestFiles } from '../manifest/read-files.ts';
import { formatManifest } from '../manifest/text/format.ts';
import { quotedFiles } from '../manifest/text/quoted-file.ts';
import { modeOf } from '../platform/paths.ts';
import { failOnFileError } from '../platform/problem.ts';
import { OPTIONS } from './options/options.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { sayProblems } from './shell/problems.ts';

/**
 * Prints the names of the files that were changed, or would be. JSON files have one form already, and are left alone. `--check` is
 * content only with files that have their form.
 */
async function format({ invocation, args }: Call): Promise<RunOutcome> {
  const { cwd, platform, settings, stdout } = invocation;
  const found = await readManifestFiles(args, cwd);
  const files = found.value?.files ?? [];
  const diagnostics: Diagnostic[] = [...found.diagnostics];
  const changed: { readonly name: string; readonly text: string }[] = [];
  for (const { name, text } of files.filter((file) => !/\.json$/i.test(file.name))) {
    const made = formatManifest(name, text);
    append(diagnostics, made.diagnostics);
    if (made.value !== undefined && made.value !== text) changed.push({ name, text: made.value });
  }
  if (hasErrors(diagnostics)) throw new Failure('invalid', diagnostics, quotedFiles(files));
  if (!settings.check)
    for (const { name, text } of changed) {
      const path = resolve(cwd, name);
      // Nothing is known to be secret here, so nothing is masked.
      failOnFileError(() => platform.textFiles.writeAtomic(path, text, modeOf(path)));
    }
  sayProblems(diagnostics, invocation);
  stdout.write(changed.map(({ name }) => `${name}\n`).join(''));
  const isFormatted = changed.length === 0 && diagnostics.length === 0;
  return settings.check && !isFormatted ? 'pending' : 'done';
}

export const commands: readonly CommandSpec[] = [
  {
    position: 12,
    words: 'fmt [path...]',
    text: 'format manifest files: order, quotes, indentation; keeps comments',
    flags: { own: [OPTIONS.check, OPTIONS.color] },
    help: { examples: ['fmt', 'fmt --check stack/'], exits: ['pending', 'invalid'] },
    run: format,
  },
];
