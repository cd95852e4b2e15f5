// The page in Chromium: with and without script, by keyboard, narrow, dark, on paper, large and attacked.

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium as browserType } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from '../../scripts/chromium.mjs';
import { ATTACKS } from '../render/attacks.ts';
import { FLEET, LARGE, pageOf, PAGES, STEPS } from './pages.ts';

const launch = chromium();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const mayBeMissing = process.env['EDGEFORM_CHROMIUM_NEEDED'] === undefined;
test.skipIf(launch === undefined && mayBeMissing)('Chromium is there; one can be named in EDGEFORM_CHROMIUM', () => {
  expect(launch).toBeDefined();
});

let browser: Browser;
const open: Page[] = [];

/** What the page asked for, and what it complained of, its policy included. */
let requests: string[] = [];
let complaints: string[] = [];

async function show(html: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1180, height: 900 }, ...options });
  open.push(page);
  requests = [];
  complaints = [];
  page.on('request', (request) => requests.push(request.url()));
  // What the policy stops is told as a request, too.
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText === 'csp') requests = requests.filter((url) => url !== request.url());
  });
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  await page.setContent(html);
  return page;
}

const status = (page: Page) => page.getByRole('status').textContent();
const shownRows = (page: Page) => page.locator('[data-row]:visible').count();

describe.skipIf(launch === undefined)('the page', () => {
  beforeAll(async () => {
    browser = await browserType.launch(launch ?? {});
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((page) => page.close()));
  });
  afterAll(() => browser.close());

  test('has everything without script, and unfolds what a link leads to', async () => {
    const page = await show(LARGE, { javaScriptEnabled: false });
    expect(await page.locator('form').isVisible()).toBe(false);
    expect(await status(page)).toBe(`${STEPS} resources`);
    expect(await page.locator('[data-row]').count()).toBe(STEPS);
    await page.locator('summary').nth(503).click();
    const link = page.locator('details[open] .body a').first();
    const target = page.locator((await link.getAttribute('href')) ?? '');
    expect(await target.isVisible()).toBe(false);
    await link.click();
    expect(await target.isVisible()).toBe(true);
    expect(await target.textContent()).toContain('field_0');
  });

  test('of a fleet leads from its table to each stack, and is narrowed to one', async () => {
    const page = await show(FLEET);
    const link = page.locator('main > table a', { hasText: 'web' });
    await link.click();
    expect(await page.locator((await link.getAttribute('href')) ?? '').textContent()).toContain('reserved_addrs.new');
    await page.locator('.chip', { hasText: 'web' }).click();
    await expect.poll(() => status(page)).toBe('2 of 10 resources shown');
    await page.locator('.chip', { hasText: 'delete' }).click();
    await expect.poll(() => status(page)).toBe('0 of 10 resources shown');
    expect(complaints).toEqual([]);
  });

  test('is searched and narrowed, and says how many are shown', async () => {
    const page = await show(PAGES.plan);
    expect([await status(page), await shownRows(page)]).toEqual(['8 resources', 8]);
    await page.keyboard.press('/');
    await page.keyboard.type('CLIENT_ID routes');
    await expect.poll(() => status(page)).toBe('1 of 8 resources shown');
    expect(await page.locator('[data-row]:visible summary .name').first().textContent()).toBe(
      'https_edges.shop.routes.api',
    );
    expect(await page.getByRole('heading', { name: 'update', level: 3 }).isVisible()).toBe(false);
    await page.keyboard.press('Escape');
    await expect.poll(() => shownRows(page)).toBe(8);
    await page.getByLabel('changed outside').check();
    await expect.poll(() => shownRows(page)).toBe(2);
    await page.getByLabel('replace').check();
    await expect.poll(() => shownRows(page)).toBe(1);
    await page.getByLabel('update').check();
    await expect.poll(() => shownRows(page)).toBe(2);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Kind').selectOption({ label: 'failover_backend (2)' });
    await expect.poll(() => status(page)).toBe('2 of 8 resources shown');
    await page.locator('.box a').last().click();
    expect([await status(page), await page.locator('#step-2').isVisible()]).toEqual(['8 resources', true]);
    await page.getByRole('button', { name: 'Collapse all' }).click();
    expect(await page.locator('details[open]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('narrows the rows of a run by how they ended', async () => {
    const page = await show(PAGES.report);
    await page.getByLabel('failed').check();
    await expect.poll(() => status(page)).toBe('3 of 9 steps shown');
    expect(await shownRows(page)).toBe(3);
  });

  test('is reached by keyboard everywhere, and shows where it is', async () => {
    const page = await show(PAGES.plan);
    const wanted = await page.locator('a, input, select, button:visible, summary').count();
    const seen = new Set<string>();
    for (let presses = 0; presses < wanted + 5; presses++) {
      await page.keyboard.press('Tab');
      const [key, outline] = await page.evaluate<[string, string]>(
        `(() => { const at = document.activeElement; const ring = at.closest('.chip') ?? at;
          return [[...document.querySelectorAll('*')].indexOf(at) + at.tagName, getComputedStyle(ring).outlineStyle]; })()`,
      );
      if (key.endsWith('BODY')) continue;
      expect(outline, key).not.toBe('none');
      seen.add(key);
    }
    expect(seen.size).toBe(wanted);
    await page.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('details').first().getAttribute('open')).toBeNull();
  });

  test.each([
    { name: 'plan', colorScheme: 'light' },
    { name: 'plan', colorScheme: 'dark' },
    { name: 'drift', colorScheme: 'dark' },
    { name: 'report', colorScheme: 'light' },
    { name: 'problems', colorScheme: 'dark' },
  ] as const)('$name has no fault that axe knows, $colorScheme', async ({ name, colorScheme }) => {
    const page = await show(PAGES[name], { colorScheme });
    await page.evaluate(AXE);
    const told = (list: string) =>
      `${list}.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '))`;
    const [faults = [], passes = []] = await page.evaluate<string[][]>(
      `axe.run().then(({ violations, passes }) => [${told('violations')}, passes.map(({ id }) => id)])`,
    );
    expect(faults).toEqual([]);
    await expect(`${passes.sort().join('\n')}\n`).toMatchFileSnapshot(`golden/axe-passed-${name}-${colorScheme}.txt`);
  });

  test('has landmarks, one title and headings in order', async () => {
    const page = await show(PAGES.plan);
    for (const role of ['banner', 'main', 'contentinfo', 'search', 'status'] as const)
      expect(await page.getByRole(role).count(), role).toBe(1);
    const levels = await page.evaluate<number[]>(
      `[...document.querySelectorAll('h1, h2, h3')].map((one) => +one.tagName[1])`,
    );
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1)).toBe(true);
    expect(await page.getByRole('columnheader', { name: 'changed outside' }).count()).toBe(1);
    expect(await page.getByRole('rowheader', { name: 'tls_edge' }).count()).toBe(1);
  });

  test.each([...Object.entries(PAGES), ['long words', pageOf('x'.repeat(2_000))]] as const)(
    '%s fits 390 pixels',
    async (_name, html) => {
      const page = await show(html, { viewport: { width: 390, height: 844 } });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    },
  );

  test.each(Object.entries(PAGES))('%s fits 1180 pixels', async (_name, html) => {
    const page = await show(html);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1180);
  });

  test('is printed whole, without controls', async () => {
    const page = await show(LARGE);
    const target = page.locator('#step-40 pre');
    expect(await target.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('form').isVisible()).toBe(false);
    expect((await target.boundingBox())?.height).toBeGreaterThan(50);
    expect((await page.locator('#step-40 pre > *').last().boundingBox())?.height).toBeGreaterThan(5);
  });

  test('stays as quick with 2,000 steps: what is out of sight is not laid out, and a key touches only what changes', async () => {
    const page = await show(LARGE);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable');
    const measure = async () => {
      const { metrics } = await cdp.send('Performance.getMetrics');
      return new Map(metrics.map(({ name, value }) => [name, value]));
    };
    const before = await measure();
    expect(before.get('LayoutObjects')).toBeLessThan((before.get('Nodes') ?? 0) / 3);
    await page.evaluate(`window.touched = 0; new MutationObserver((list) => { window.touched += list.length; })
      .observe(document.querySelector('main'), { subtree: true, childList: true, attributes: true, characterData: true });`);
    const touch = async (key: string, wanted: string) => {
      await page.keyboard.press(key);
      await expect.poll(() => status(page)).toBe(wanted);
      return page.evaluate<number>('window.touched');
    };
    // List items would be numbered anew for each one that is hidden.
    expect(await page.evaluate(`getComputedStyle(document.querySelector('[data-row]')).display`)).toBe('block');
    await page.keyboard.press('/');
    const all = `${STEPS} resources`;
    const first = await touch('9', `542 of ${all} shown`);
    expect(first).toBeLessThan(STEPS);
    const after = await measure();
    for (const name of ['LayoutCount', 'RecalcStyleCount'])
      expect((after.get(name) ?? 0) - (before.get(name) ?? 0), name).toBeLessThan(20);
  });

  test('asks for nothing, and its policy stops what somebody adds to it', async () => {
    await show(PAGES.plan);
    expect([requests, complaints]).toEqual([[], []]);
    const added = [
      '<script>window.pwned = 1</script>',
      '<img src="https://evil.example/x.png" onerror="window.pwned = 2">',
      '<p id="styled" style="position: fixed">x</p>',
      '<link rel="stylesheet" href="https://evil.example/x.css">',
      '<iframe srcdoc="<script>top.pwned = 3</script>"></iframe>',
      '<form action="https://evil.example/"><button id="send">x</button></form>',
    ];
    const attacked = await show(PAGES.plan.replace('</main>', `${added.join('')}</main>`));
    await attacked.locator('#send').dispatchEvent('click');
    expect(await attacked.evaluate('window.pwned')).toBeUndefined();
    expect(await attacked.evaluate(`getComputedStyle(document.querySelector('#styled')).position`)).toBe('static');
    await expect(attacked.evaluate(`document.body.innerHTML = '<b>x</b>'`)).rejects.toThrow('TrustedHTML');
    await expect.poll(() => requests).toEqual([]);
    expect(complaints.length).toBeGreaterThanOrEqual(added.length - 1);
  });

  test('text that attacks is text, wherever it stands', async () => {
    const page = await show(pageOf('x'));
    const shape = () =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('*')].map((one) => one.tagName + one.getAttributeNames().join())`,
      );
    const expected = new Set(await shape());
    for (const text of [
      ...ATTACKS.filter((one) => one !== ''),
      '</svg></text><script>pwned()</script>',
      '</title><b>',
    ]) {
      await page.goto('about:blank');
      await page.setContent(pageOf(text));
      expect(
        (await shape()).filter((one) => !expected.has(one)),
        text,
      ).toEqual([]);
      expect(await page.locator('h1').textContent()).toContain(text.slice(0, 3).trim());
    }
    expect([requests, complaints, await page.evaluate('window.pwned')]).toEqual([[], [], undefined]);
  });
});
