// Which entries the patterns of --only name. Pure.

import type { Diagnostic, Result } from '../core/diagnostic.ts';
import { didYouMean } from '../core/text/closest.ts';
import { isLike } from '../core/text/glob.ts';

/** The names that match any of the patterns, in their order; all of them if there is no pattern. */
export function namesLike(names: readonly string[], patterns: readonly string[]): Result<readonly string[]> {
  const diagnostics = patterns
    .filter((pattern) => !names.some((name) => isLike(name, pattern)))
    .map((pattern): Diagnostic => ({
      code: 'invalid-setting',
      severity: 'error',
      message: `--only ${JSON.stringify(pattern)} matches no entry of the fleet`,
      fix: didYouMean(pattern, names) ?? '`edgeform fleet list` shows the entries',
    }));
  if (diagnostics.length > 0) return { diagnostics };
  const value = patterns.length === 0 ? names : names.filter((name) => patterns.some((one) => isLike(name, one)));
  return { value, diagnostics };
}
