// Every page of the gallery in Chromium, on a phone, on a tablet and on a desktop: no word of a table is broken, and nothing is cut.

import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { chromium as browserType } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from '../../scripts/chromium.mjs';
import { writeGallery } from '../gallery/gallery.ts';
import { BROKEN_WORDS, CUT } from './layout.ts';

const launch = chromium();

/** A long list repeats what its first rows show. */
const SHORTEN = `for (const row of document.querySelectorAll('.rows > li:nth-child(n + 40)')) row.remove()`;

describe.skipIf(launch === undefined)('every page of the gallery', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-'));
  let browser: Browser;
  let pages: string[] = [];

  beforeAll(async () => {
    await writeGallery(folder);
    pages = readdirSync(folder).filter((name) => name.endsWith('.html') && name !== 'index.html');
    browser = await browserType.launch(launch ?? {});
  });
  afterAll(() => browser.close());

  test.each([420, 800, 1_280])('is whole at %d pixels', async (width) => {
    expect(pages.length).toBeGreaterThan(12);
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    for (const name of pages) {
      await page.goto(pathToFileURL(join(folder, name)).href);
      await page.evaluate(SHORTEN);
      const found = [await page.evaluate(BROKEN_WORDS), await page.evaluate(CUT)];
      expect(found, `${name} at ${width} pixels`).toEqual([[], []]);
    }
    await page.close();
  });

  test('has a short card for each stack on a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 420, height: 900 } });
    await page.goto(pathToFileURL(join(folder, 'fleet.html')).href);
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('main > table tbody tr')].map((one) => one.offsetHeight)`,
    );
    expect(heights).toHaveLength(4);
    expect(Math.max(...heights)).toBeLessThan(160);
    await page.close();
  });
});
