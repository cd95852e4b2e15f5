// JUnit XML, for the test reports of Jenkins and GitLab.

import { drawJunit } from '../reports/junit.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'junit',
  position: 80,
  isLog: false,
  draws: ['problems', 'drift', 'report'],
  draw: drawJunit,
} as const satisfies Writer;
