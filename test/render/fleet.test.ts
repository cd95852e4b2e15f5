// Reports of fleets in every format.

import { describe, expect, test } from 'vitest';
import { renderFleetAs } from '../../src/render/fleet.ts';
import { applied, checked, driftedFleet, planned } from './fleet-sample.ts';
import { pageBody, plain } from './sample.ts';

const FLEETS = { plan: planned, apply: applied, drift: driftedFleet, validate: checked };
const FORMATS = [
  ['text', 'txt'],
  ['json', 'json'],
  ['markdown', 'md'],
  ['html', 'html'],
  ['sarif', 'sarif'],
  ['junit', 'xml'],
  ['gitlab-codequality', 'quality.json'],
  ['github', 'github.txt'],
  ['gitlab', 'gitlab.txt'],
] as const;

describe.each(FORMATS)('%s', (format, extension) => {
  test.each(Object.entries(FLEETS))('%s of a fleet', async (name, fleet) => {
    const text = `${pageBody(renderFleetAs(format, fleet, plain))}\n`;
    await expect(text).toMatchFileSnapshot(`golden/fleet/${name}.${extension}`);
  });
});
