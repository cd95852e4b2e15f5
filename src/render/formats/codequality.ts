// GitLab code quality report: a list of issues in Code Climate format.

import { plainPath } from '../../core/text/plain-path.ts';
import { documentJson } from '../view/documents.ts';
import type { View } from '../view/view.ts';
import { findingsOf, type Finding } from '../reports/findings.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'codequality',
  position: 90,
  isLog: false,
  isForForge: true,
  draws: ['problems', 'drift', 'fleet'],
  draw: drawQuality,
} as const satisfies Writer;

const SEVERITIES: Readonly<Record<Finding['group'], string>> = {
  refused: 'critical',
  blocked: 'critical',
  error: 'major',
  warning: 'minor',
};

/** GitLab needs a path for every issue; one without a place refers to the whole folder. */
function drawQuality(view: View): string {
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
