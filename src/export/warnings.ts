// Warnings about an export: what its files lack, and what they cannot do on their own.

import type { Diagnostic } from '../core/diagnostic.ts';
import { byteLength, plural } from '../core/text/text.ts';
import type { Exported } from './export.ts';
import type { Scope } from './select.ts';

/** Warnings; `maxBytes` is the maximum size of a manifest file. */
export function exportWarnings(
  { files, leftOut, alreadyOwned }: Exported,
  { stack }: Scope,
  maxBytes: number,
): Diagnostic[] {
  const warning = (code: Diagnostic['code'], message: string, fix: string): Diagnostic => {
    return { code, severity: 'warning', message, fix };
  };
  const omitted = `${plural(leftOut.length, 'object')} could not be exported`;
  const others = `stack ${stack} owns ${plural(alreadyOwned, 'object')} that are not in this export`;
  const together = 'use it together with the manifest of those objects; used alone, it would delete them';
  const large = files.filter((file) => byteLength(file.text) > maxBytes);
  return [
    ...(leftOut.length > 0
      ? [warning('not-exported', omitted, 'the comments at the end of the manifest explain why')]
      : []),
    ...large.map(({ path }) => {
      const message = `${path} exceeds the size limit of a manifest file`;
      return warning('file-too-large', message, 'export with --split, or split the file by hand');
    }),
    ...(alreadyOwned > 0 ? [warning('stack-in-use', others, together)] : []),
  ];
}
