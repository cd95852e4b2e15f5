// The page in Chromium: by keyboard, narrow, dark, on paper, large and attacked.

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium as browserType } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from '../../scripts/chromium.mjs';
import { ATTACKS } from '../render/attacks.ts';
import { FLEET, FLEETS, LARGE, pageOf, PAGES, STEPS } from './pages.ts';

const launch = chromium();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const mayBeMissing = process.env['EDGEFORM_CHROMIUM_NEEDED'] === undefined;
/** The texts of words in the head of a step that cover others. */
const OVERLAPS = `[...document.querySelectorAll('summary')].flatMap((head) => {
  const parts = [...head.children].map((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    return [part.textContent, range.getBoundingClientRect()];
  });
  const covers = (one, other) =>
    one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  return parts.flatMap(([text, box], at) =>
    parts.slice(at + 1).flatMap(([other, beside]) => (box.width > 0 && covers(box, beside) ? [[text, other]] : [])),
  );
})`;

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
  // A machine that is busy with something else takes its time.
  await page.setContent(html, { timeout: 300_000 });
  return page;
}

describe.skipIf(launch === undefined)('the page', () => {
  beforeAll(async () => {
    browser = await browserType.launch(launch ?? {});
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((page) => page.close()));
  });
  afterAll(() => browser.close());

  test('has everything, and unfolds what a link leads to', async () => {
    const page = await show(LARGE, { javaScriptEnabled: false });
    expect(await page.locator('details').count()).toBe(STEPS);
    await page.locator('summary').nth(503).click();
    const link = page.locator('details[open] .body a').first();
    const target = page.locator((await link.getAttribute('href')) ?? '');
    expect(await target.isVisible()).toBe(false);
    await link.click();
    expect(await target.isVisible()).toBe(true);
    expect(await target.textContent()).toContain('field_0');
  });

  test('of a fleet leads from its table to each stack', async () => {
    const page = await show(FLEET);
    const link = page.locator('main > table a', { hasText: 'web' });
    await link.click();
    expect(await page.locator((await link.getAttribute('href')) ?? '').textContent()).toContain('reserved_addrs.new');
    expect(complaints).toEqual([]);
  });

  test('is reached by keyboard everywhere, and shows where it is', async () => {
    const page = await show(PAGES.plan);
    const wanted = await page.locator('a, summary').count();
    const seen = new Set<string>();
    for (let presses = 0; presses < wanted + 5; presses++) {
      await page.keyboard.press('Tab');
      const [key, outline] = await page.evaluate<[string, string]>(
        `(() => { const at = document.activeElement;
          return [[...document.querySelectorAll('*')].indexOf(at) + at.tagName, getComputedStyle(at).outlineStyle]; })()`,
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
    { name: 'fleet plan of equal stacks', colorScheme: 'light' },
  ] as const)('$name has no fault that axe knows, $colorScheme', async ({ name, colorScheme }) => {
    const page = await show({ ...PAGES, ...FLEETS }[name], { colorScheme });
    await page.evaluate(AXE);
    const told = (list: string) =>
      `${list}.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '))`;
    const [faults = [], passes = []] = await page.evaluate<string[][]>(
      `axe.run().then(({ violations, passes }) => [${told('violations')}, passes.map(({ id }) => id)])`,
    );
    expect(faults).toEqual([]);
    await expect(`${passes.sort().join('\n')}\n`).toMatchFileSnapshot(
      `golden/axe-passed-${name.replaceAll(' ', '-')}-${colorScheme}.txt`,
    );
  });

  test('has landmarks, one title and headings in order', async () => {
    const page = await show(PAGES.plan);
    for (const role of ['banner', 'main', 'contentinfo'] as const)
      expect(await page.getByRole(role).count(), role).toBe(1);
    const levels = await page.evaluate<number[]>(
      `[...document.querySelectorAll('h1, h2, h3')].map((one) => +one.tagName[1])`,
    );
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1)).toBe(true);
  });

  test.each([...Object.entries({ ...PAGES, ...FLEETS }), ['long words', pageOf('x'.repeat(2_000))]] as const)(
    '%s fits 390 pixels',
    async (_name, html) => {
      const page = await show(html, { viewport: { width: 390, height: 844 } });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    },
  );

  test.each(Object.entries({ ...PAGES, ...FLEETS }))('%s fits 1180 pixels', async (_name, html) => {
    const page = await show(html);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1180);
  });

  test('is printed whole', async () => {
    const page = await show(LARGE);
    const target = page.locator('#step-40 pre');
    expect(await target.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect((await target.boundingBox())?.height).toBeGreaterThan(50);
    expect((await page.locator('#step-40 pre > *').last().boundingBox())?.height).toBeGreaterThan(5);
  });

  test.each([420, 700, 1280])(
    'has no word over another in the head of a step, on screens and on paper: %d px',
    async (width) => {
      const page = await show(PAGES.plan);
      await page.setViewportSize({ width, height: 900 });
      for (const media of ['screen', 'print'] as const) {
        await page.emulateMedia({ media });
        expect([media, await page.evaluate(OVERLAPS)]).toEqual([media, []]);
      }
    },
  );

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
