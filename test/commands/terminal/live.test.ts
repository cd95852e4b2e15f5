// The progress of a run as a real terminal shows it, read back from a parser of escape sequences.

import { afterEach, describe, expect, test } from 'vitest';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { growth } from '../../support/count-steps.ts';
import type { Scene, SceneOptions } from './scene.ts';
import { createScene, creation } from './scene.ts';

const open: Scene[] = [];
afterEach(() => {
  for (const scene of open.splice(0)) scene.close();
});

function sceneOf(options?: SceneOptions): Scene {
  const scene = createScene(options);
  open.push(scene);
  return scene;
}

const NAMES = ['db', 'shop', 'a-database-replica-in-a-region-far-away', 'x', 'mail', 'y', 'z', 'metrics', 'w', 'last'];
const steps = NAMES.map((name, index) => creation(`s${index + 1}`, `tls_edges.${name}`));
const [first, second, third, fourth, ...others] = steps as [Step, Step, Step, Step, ...Step[]];
type Step = (typeof steps)[number];

/** Half of a run: some are done, one failed, six are under way. */
function half(options: SceneOptions): Scene {
  const scene = sceneOf(options);
  scene.plan(steps);
  for (const step of [first, second, third, fourth]) scene.begin(step);
  scene.pass(900);
  scene.end(first);
  scene.begin(others[0]!);
  scene.pass(1_400);
  scene.end(second);
  scene.end(fourth, 'failed', 'POST /tls_edges was answered with 400: hostports must not be empty');
  scene.begin(others[1]!);
  scene.begin(others[2]!);
  scene.pass(12_000);
  scene.begin(others[3]!);
  scene.begin(others[4]!);
  scene.pass(300);
  return scene;
}

describe('the line', () => {
  test.each([200, 60, 20])('of half a run in %d columns', async (columns) => {
    const { terminal } = half({ columns });
    const lines = await terminal.screen();
    const line =
      '2 done, 1 failed, 6 running, 1 left · 15 s; s3 create tls_edges.a-database-replica-in-a-region-far-away for 15 s';
    expect(lines.at(-1)).toBe(line.length < columns ? line : `${line.slice(0, columns - 2)}…`);
    expect(await terminal.cursor()).toEqual({ column: 0, isHidden: false, title: '' });
  });

  test('is gone at the end, and every step is there once', async () => {
    const scene = half({ columns: 100 });
    for (const step of [third, ...others.slice(0, 5)]) scene.end(step);
    scene.finish();
    scene.pass(2_000);
    expect((await scene.terminal.screen()).at(-1)).toBe('Checking what was done · 2 s');
    scene.run.progress.note({ type: 'reading', kinds: 9, kindsRead: 4, pages: 12, objects: 1_150 });
    scene.pass(1_000);
    expect((await scene.terminal.screen()).at(-1)).toBe(
      'Checking what was done: 4 of 9 kinds, 12 pages, 1150 objects · 3 s',
    );
    scene.close();
    const lines = await scene.terminal.everything();
    expect(lines.filter((line) => /^ {2}\+ s\d/.test(line))).toHaveLength(9);
    expect(lines.join('\n')).not.toMatch(/Checking|running/);
  });

  test('tells how far a long reading came, once it is one', async () => {
    const scene = sceneOf();
    scene.run.progress.note({ type: 'reading', kinds: 9, kindsRead: 3, pages: 40, objects: 3_950 });
    scene.pass(400);
    expect(await scene.terminal.everything()).toEqual([]);
    scene.pass(200);
    expect(await scene.terminal.screen()).toEqual(['Reading the service: 3 of 9 kinds, 40 pages, 3950 objects · 0 s']);
    scene.run.progress.note({ type: 'read', objects: 9_000, requests: 91 });
    scene.pass(200);
    expect(await scene.terminal.screen()).toEqual([]);
  });

  test('says that nothing is begun any more', async () => {
    const scene = half({ columns: 200 });
    scene.interrupt();
    scene.pass(100);
    expect((await scene.terminal.screen()).at(-1)).toMatch(/running.*, stopping$/);
  });

  test('stays below what is written beside it, and goes before standard output writes there', async () => {
    const scene = half({ columns: 100, isShared: true });
    scene.run.stderr.write('warning: something\n');
    scene.run.progress.note({ type: 'waiting', message: 'waiting 3 s' });
    scene.run.stdout.write('one\ntwo\n');
    expect((await scene.terminal.screen()).slice(-4)).toEqual(['warning: something', 'waiting 3 s', 'one', 'two']);
    scene.pass(100);
    expect((await scene.terminal.screen()).filter((line) => line.includes('running'))).toHaveLength(1);
  });

  test('is away while a person is asked, and nothing is drawn over the question', async () => {
    let answer = (_: string): void => undefined;
    const asked = new Promise<string>((resolve) => (answer = resolve));
    const scene = sceneOf({
      ask: (question) => {
        scene.terminal.stream.write(question, () => undefined);
        return asked;
      },
    });
    scene.run.progress.note({ type: 'reading', kinds: 9, kindsRead: 3, pages: 4, objects: 5 });
    scene.pass(3_000);
    const before = scene.run.progress.took();
    const agreed = scene.run.progress.pause(() => scene.run.ask('Go on? ', 'stdout'));
    scene.pass(60_000);
    expect(await scene.terminal.screen()).toEqual(['Go on?']);
    answer('yes');
    expect(await agreed).toBe('yes');
    expect(scene.run.progress.took()).toBe(before);
  });

  test('fits the terminal when that becomes wider or narrower', async () => {
    const scene = half({ columns: 100 });
    for (const columns of [160, 40]) {
      await scene.terminal.resize(columns, 24);
      scene.pass(1_000);
      expect((await scene.terminal.screen()).at(-1)?.length).toBeLessThan(columns);
    }
  });
});

test.each([
  { env: {}, isTty: true, color: true, isDrawn: true },
  { env: { NO_COLOR: '1' }, isTty: true, color: false, isDrawn: true },
  { env: { TERM: 'dumb' }, isTty: true, color: false, isDrawn: false },
  { env: { FORCE_COLOR: '1', NO_COLOR: '1' }, isTty: true, color: true, isDrawn: true },
  { env: {}, isTty: false, color: false, isDrawn: false },
  { env: { FORCE_COLOR: '1' }, isTty: false, color: true, isDrawn: false },
  { env: { FORCE_COLOR: '0' }, isTty: false, color: false, isDrawn: false },
  { env: { FORCE_COLOR: 'false' }, isTty: false, color: false, isDrawn: false },
])('with $env, a terminal $isTty: colour $color, a line $isDrawn', ({ env, isTty, color, isDrawn }) => {
  const scene = half({ env, isTty });
  const text = isTty ? scene.terminal.sent.join('') : scene.log();
  expect([/\u001b\[3\dm/.test(text), /\u001b\[\d*[AJK]/.test(text)]).toEqual([color, isDrawn]);
});

const HOSTILE = [
  '\u001b[2J\u001b[H',
  '\u001b[31m red',
  '\u001b]0;title\u0007',
  '\u009b2J',
  '\r\r\roverwritten',
  'a\nb\nc\nd',
  '\u001b[10A\u001b[J',
  '\u202egnp.exe',
  '\u0008\u0008\u0008\u0008',
  '日本語の名前'.repeat(30),
  'e\u0301'.repeat(200),
  '👩‍👩‍👧'.repeat(40),
  'a'.repeat(5_000),
];

test.each(HOSTILE)('the name %j moves no cursor and takes one row', async (name) => {
  const scene = sceneOf({ columns: 60 });
  scene.run.stderr.write('ABOVE\n');
  const step = creation('s1', `tls_edges.${name}`);
  scene.plan([step]);
  scene.begin(step);
  for (let frame = 0; frame < 30; frame++) scene.pass(1_000);
  const lines = await scene.terminal.everything();
  expect([lines.length, lines[0]]).toEqual([3, 'ABOVE']);
  expect(lines[2]).toMatch(/^0 done, 1 running, 0 left · 30 s; s1 create tls_edges\..*(?:…|for 30 s)$/);
  expect(await scene.terminal.cursor()).toEqual({ column: 0, isHidden: false, title: '' });
});

test('a secret in a name is seen nowhere, not in pieces either', () => {
  for (let columns = 20; columns < 90; columns += 3) {
    const scene = sceneOf({ columns, env: { EDGEFORM_API_KEY: 'correct-horse-battery-staple' } });
    new Secret('correct-horse-battery-staple');
    const step = creation('s1', 'tls_edges.a-correct-horse-battery-staple-and-more-of-it-to-be-cut');
    scene.plan([step]);
    scene.begin(step);
    scene.pass(3_000);
    scene.end(step);
    scene.close();
    expect(scene.terminal.sent.join('')).not.toMatch(/correct|horse|batt|stapl/);
    expect(scene.terminal.sent.join('')).toContain('held back');
  }
});

describe('in a log', () => {
  const plain: readonly (SceneOptions & { readonly name: string })[] = [
    { name: 'a file', isTty: false },
    { name: 'a terminal that can do nothing', env: { TERM: 'dumb' } },
    { name: 'the log of a pipeline', flags: { format: 'github' } },
    { name: 'events on standard output', flags: { events: '-' } },
  ];

  test.each(plain)('$name gets a line for each step, and no escape sequence', async (options) => {
    const scene = half(options);
    scene.close();
    const text = options.isTty === false ? scene.log() : scene.terminal.sent.join('');
    expect(text).not.toMatch(/\r|\u001b(?!\[\d+m)/);
    expect(text.replaceAll(/\u001b\[\d+m/g, '').match(/^ {2}. s\d/gm)).toHaveLength(3);
    if (options.isTty === false) await expect(text).toMatchFileSnapshot('golden/half-log.txt');
  });

  test('the line comes after 30 s without another', () => {
    const scene = half({ isTty: false });
    const before = scene.log().length;
    scene.pass(29_000);
    scene.end(third);
    scene.pass(62_000);
    expect(scene.log().slice(before)).toMatchInlineSnapshot(`
      "2 done, 1 failed, 6 running, 1 left · 33 s; s3 create tls_edges.a-database-replica-in-a-region-far-away for 33 s
        + s3 create tls_edges.a-database-replica-in-a-region-far-away (edgtls_s3) done in 44 s
      3 done, 1 failed, 5 running, 1 left · 1 min 14 s; s5 create tls_edges.mail for 1 min 13 s
      3 done, 1 failed, 5 running, 1 left · 1 min 44 s; s5 create tls_edges.mail for 1 min 43 s
      "
    `);
    scene.finish();
    scene.pass(40_000);
    expect(scene.log().trimEnd().split('\n').at(-1)).toBe('Checking what was done · 30 s');
  });

  test('a short reading is not mentioned', () => {
    const scene = sceneOf({ isTty: false });
    const reading = { type: 'reading', kinds: 9, kindsRead: 3, pages: 40, objects: 3_950 } as const;
    scene.run.progress.note(reading);
    scene.pass(29_000);
    scene.run.progress.note({ type: 'read', objects: 1, requests: 1 });
    scene.pass(60_000);
    expect(scene.log()).toBe('');
    scene.run.progress.note(reading);
    scene.pass(40_000);
    expect(scene.log()).toBe('Reading the service: 3 of 9 kinds, 40 pages, 3950 objects · 30 s\n');
  });
});

describe('the cost', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => creation(`s${index}`, `tls_edges.e${index}`));

  test('ten times a second it is drawn at most, also while every moment brings something new', () => {
    const scene = sceneOf({ columns: 100 });
    scene.plan(many(2_000));
    for (const step of many(2_000)) {
      scene.begin(step);
      scene.pass(1);
      scene.end(step);
    }
    expect(scene.terminal.sent.filter((text) => text.includes('running')).length).toBeLessThanOrEqual(20);
  });

  test.each([true, false])('grows with the steps and not with their square (on a terminal: %j)', (isTty) => {
    const work = (count: number) => {
      const scene = sceneOf({ isTty });
      const all = many(count);
      return () => {
        scene.plan(all);
        for (const step of all) {
          scene.begin(step);
          scene.end(step);
        }
        scene.finish();
      };
    };
    expect(growth(2_000, work)).toBeLessThan(2.2);
  });
});
