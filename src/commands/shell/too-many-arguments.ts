// Arguments that a command does not take. A path is most often the manifest, which an option names.

import { usageError } from '../../core/failure.ts';
import { nameOf, type CommandSpec } from './command.ts';

export function refuseTooManyArguments(spec: CommandSpec, given: readonly string[]): void {
  const declared = spec.words.match(/[<[][^<[]+[\]>]/g) ?? [];
  const isVariadic = declared.at(-1)?.includes('...') === true;
  const extra = given[declared.length];
  if (extra === undefined || isVariadic) return;
  const { manifest = [] } = spec.flags;
  const isPath = manifest.length > 0 && /^[\w./-]{1,200}\.(?:ya?ml|json)$/.test(extra);
  const taken = declared.length === 0 ? 'none' : declared.length;
  throw usageError(
    `too many arguments for '${nameOf(spec)}': it takes ${taken}, and got ${given.length}`,
    isPath ? `name the manifest with -f ${extra}` : `\`edgeform ${nameOf(spec)} --help\` shows what it takes`,
  );
}
