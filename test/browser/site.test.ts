// The documents as a site, where it was built (in docs/site): no word of a table is broken, and nothing of one is cut, whatever
// the screen is.

import { createServer, type Server } from 'node:http';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { chromium as browserType } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from '../../scripts/chromium.mjs';
import { BROKEN_WORDS, CUT_TABLES } from './layout.ts';

const BUILT = process.env['EDGEFORM_SITE'] ?? 'docs/site/.vitepress/dist';
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const launch = chromium();

function serve(): Server {
  return createServer(({ url = '' }, answer) => {
    const path = join(BUILT, decodeURIComponent(new URL(url, 'http://localhost').pathname));
    const isThere = existsSync(path) && extname(path) !== '';
    answer.writeHead(isThere ? 200 : 404, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
    answer.end(isThere ? readFileSync(path) : '');
  }).listen(0, '127.0.0.1');
}

describe.skipIf(launch === undefined || !existsSync(BUILT))('the site', () => {
  const server = serve();
  let browser: Browser;
  beforeAll(async () => {
    browser = await browserType.launch(launch ?? {});
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  test.each([420, 800, 1_280])('has whole tables at %d pixels', async (width) => {
    const { port } = server.address() as AddressInfo;
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const names = readdirSync(BUILT, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
    for (const name of names) {
      await page.goto(`http://127.0.0.1:${port}/${name}`);
      const found = [await page.evaluate(BROKEN_WORDS), await page.evaluate(CUT_TABLES)];
      expect(found, `${name} at ${width} pixels`).toEqual([[], []]);
    }
    await page.close();
  });
});
