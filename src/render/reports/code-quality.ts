// The code quality report of GitLab: a list of issues in the form of Code Climate.

import { plainPath } from './uri.ts';
import { documentJson } from '../json/json.ts';
import type { View } from '../view/view.ts';
import type { Finding } from './findings.ts';
import { findingsOf } from './findings.ts';

const SEVERITIES: Readonly<Record<Finding['group'], string>> = {
  refused: 'critical',
  blocked: 'critical',
  error: 'major',
  warning: 'minor',
};

/** Names and words of the format. */
export const QUALITY_WORDS =
  'begin body categories check_name content critical description end fingerprint issue lines location major minor path severity type'.split(
    ' ',
  );

/** GitLab needs a path for every issue; what has no place is about the whole folder. */
export function drawQuality(view: View): string {
  return documentJson(
    findingsOf(view).map(({ rule, group, text, details, place, fingerprint }) => ({
      type: 'issue',
      check_name: rule,
      description: text,
      ...(details.length > 0 && { content: { body: details.join('\n') } }),
      categories: ['Bug Risk'],
      severity: SEVERITIES[group],
      fingerprint,
      location: {
        path: plainPath(place?.file ?? '.'),
        lines: { begin: Math.max(1, place?.line ?? 1), end: Math.max(1, place?.end?.line ?? place?.line ?? 1) },
      },
    })),
  );
}
