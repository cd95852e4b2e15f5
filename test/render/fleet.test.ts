// Reports of fleets in every format.

import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { JsonObject } from '../../src/core/json.ts';
import { byteLength } from '../../src/core/text/text.ts';
import { renderFleetAs, type FleetOutcome } from '../../src/render/fleet.ts';
import { FORMATS as ALL, renderDriftAs, renderPlanAs, renderReportAs } from '../../src/render/formats.ts';
import { documentSchema } from '../../src/schema/documents.ts';
import { ATTACKS } from './attacks.ts';
import { drifted } from './drift-sample.ts';
import { applied, changing, checked, driftedFleet, planned, unchanged, waved } from './fleet-sample.ts';
import { everything, pageBody, plain } from './sample.ts';
import { unfolded, wordsOf } from './unfolded.ts';

const FLEETS = { plan: planned, apply: applied, drift: driftedFleet, validate: checked, waves: waved };
const FOR_PEOPLE = [
  ['text', 'txt'],
  ['markdown', 'md'],
  ['html', 'html'],
] as const;
/** One golden each; every other document is held to its schema, and to the document of the single command. */
const FOR_MACHINES = [
  ['json', 'waves', 'json'],
  ['sarif', 'drift', 'sarif'],
  ['junit', 'waves', 'xml'],
  ['codequality', 'validate', 'quality.json'],
] as const;

test.each(FOR_MACHINES)('%s: %s of a fleet', async (format, name, extension) => {
  const text = `${renderFleetAs(format, FLEETS[name], plain)}\n`;
  await expect(text).toMatchFileSnapshot(`golden/fleet/${name}.${extension}`);
});

describe.each(FOR_PEOPLE)('%s', (format, extension) => {
  test.each(Object.entries(FLEETS))('%s of a fleet', async (name, fleet) => {
    const text = `${pageBody(renderFleetAs(format, fleet, plain))}\n`;
    await expect(text).toMatchFileSnapshot(`golden/fleet/${name}.${extension}`);
  });
});

describe('the log of a forge', () => {
  test.each(['apply', 'validate'] as const)('%s of a fleet has annotations with the names of stacks', async (name) => {
    const text = `${renderFleetAs('github', FLEETS[name], plain)}\n`;
    await expect(text).toMatchFileSnapshot(`golden/fleet/${name}.github.txt`);
  });

  test.each(Object.entries(FLEETS))('%s of a fleet is the text without its folds', (_, fleet) => {
    const text = wordsOf(renderFleetAs('text', fleet, plain));
    for (const format of ['github', 'gitlab'] as const)
      expect(wordsOf(unfolded(renderFleetAs(format, fleet, plain)))).toEqual(text);
  });
});

const fixture = (name: string) => readFileSync(new URL(`../fixtures/formats/${name}`, import.meta.url), 'utf8');
const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false });
const isSarif = ajv.compile(JSON.parse(fixture('sarif-2.1.0.schema.json')) as JsonObject);
const isIssue = ajv.compile(JSON.parse(fixture('codeclimate.json')) as JsonObject);
const isFleet = ajv.compile(documentSchema('fleet-report') ?? {});

/** What every reader of reports accepts. */
async function expectValid(fleet: FleetOutcome): Promise<void> {
  const parsed = (format: (typeof ALL)[number]) => JSON.parse(renderFleetAs(format, fleet, plain)) as JsonObject;
  expect(isSarif(parsed('sarif')), JSON.stringify(isSarif.errors?.slice(0, 3))).toBe(true);
  for (const issue of Object.values(parsed('codequality'))) expect(isIssue(issue)).toBe(true);
  const xml = renderFleetAs('junit', fleet, plain);
  const schema = [{ fileName: 'junit.xsd', contents: fixture('junit-10.xsd') }];
  const { valid, rawOutput } = await validateXML({ xml, schema });
  expect(valid, rawOutput).toBe(true);
}

test.each(Object.entries(FLEETS))('%s of a fleet is valid to its readers', async (_, fleet) => {
  // The sample's digests are short.
  const document = renderFleetAs('json', fleet, plain).replaceAll(/"sha256:\w\w"/g, `"sha256:${'0'.repeat(64)}"`);
  expect(isFleet(JSON.parse(document)), JSON.stringify(isFleet.errors?.slice(0, 3))).toBe(true);
  await expectValid(fleet);
});

/** What is inside the JSON of a fleet, by the name of the stack. */
function inside(fleet: FleetOutcome, key: string): JsonObject {
  const { stacks } = JSON.parse(renderFleetAs('json', fleet, plain)) as { stacks: JsonObject[] };
  return Object.fromEntries(stacks.flatMap((one) => (one[key] === undefined ? [] : [[String(one['name']), one[key]]])));
}

test('each stack has the document of the single command, and nothing of another', () => {
  const [, web] = applied.stacks;
  expect(inside(planned, 'plan')['shop-prod']).toEqual(JSON.parse(renderPlanAs('json', everything, plain)));
  expect(inside(driftedFleet, 'drift')['shop']).toEqual(JSON.parse(renderDriftAs('json', drifted, plain)));
  expect(web?.is === 'applied' && JSON.parse(renderReportAs('json', web.report, plain))).toEqual(
    inside(applied, 'report')['web'],
  );
});

test('stacks with the same manifest have findings of their own', () => {
  const { runs } = JSON.parse(renderFleetAs('sarif', checked, plain)) as {
    runs: { results: { properties: JsonObject; partialFingerprints: JsonObject }[] }[];
  };
  const results = runs.flatMap((run) => run.results);
  expect(results.map(({ properties }) => properties['stack'])).toEqual(['shop-prod', 'shop-staging']);
  expect(new Set(results.map((one) => one.partialFingerprints['edgeform/v1']))).toHaveLength(2);
});

test('a fleet without stacks is drawn in every format', async () => {
  const none: FleetOutcome = { command: 'plan', outcome: 'done', stacks: [] };
  for (const format of ALL) expect(() => renderFleetAs(format, none, plain)).not.toThrow();
  expect(renderFleetAs('text', none, plain)).toBe('Fleet plan: 0 stacks.');
  await expectValid(none);
});

describe('a comment about 300 stacks', () => {
  const busy = (name: string) => changing(name, `${name}-region`);
  const many: FleetOutcome = {
    command: 'plan',
    outcome: 'error',
    stacks: [
      ...Array.from({ length: 200 }, (_, index) => unchanged(`calm-${index}`)),
      ...Array.from({ length: 97 }, (_, index) => busy(`busy-${index}`)),
      ...planned.stacks.filter(({ name }) => ['shop-prod', 'partner'].includes(name)),
      unchanged('last'),
    ],
  };

  test.each([undefined, 20_000])('with the limit %s is short enough, and keeps what is dangerous', (limit) => {
    const text = renderFleetAs('markdown', many, plain, limit);
    expect(byteLength(text)).toBeLessThanOrEqual(limit ?? 60_000);
    expect(text).toContain('Fleet plan: 300 stacks, 1 error, 1 refused, 97 pending, 201 ok.');
    expect(text).toContain('was answered with 503');
    expect(text).toContain('--allow-loss reserved_addrs.db');
    expect(text.indexOf('`partner`')).toBeLessThan(text.indexOf('`shop-prod`'));
  });

  test('shows each change before it names what is unchanged, and says where the rest is', () => {
    const text = renderFleetAs('markdown', many, plain, 50_000);
    expect(text).toMatch(/left out: [^.]*1 stack, 201 names\./);
    expect(text).toContain('Everything is in the log of the job, and in its summary');
    for (let index = 0; index < 97; index++) expect(text).toContain(`region: busy-${index}-region`);
    expect(text).not.toContain('calm-199');
  });

  test('with a thousand stacks is short enough, and holds as many changes as fit', () => {
    const stacks = Array.from({ length: 1_000 }, (_, index) => busy(`stack-${index}`));
    const text = renderFleetAs('markdown', { ...many, stacks }, plain);
    expect(byteLength(text)).toBeLessThanOrEqual(60_000);
    expect(text).toContain('Fleet plan: 1000 stacks, 1000 pending.');
    expect(text.match(/region: stack-/g)?.length).toBeGreaterThan(150);
  });
});

describe('stacks of which the same is shown', () => {
  const fleetOf = (stacks: FleetOutcome['stacks']): FleetOutcome => ({ command: 'plan', outcome: 'done', stacks });
  const named = (count: number, stackOf: (name: string) => FleetOutcome['stacks'][number]) =>
    fleetOf(Array.from({ length: count }, (_, index) => stackOf(`web-${String(index).padStart(4, '0')}`)));

  test('are one row and one section, with all their names', async () => {
    const text = renderFleetAs(
      'text',
      named(20, (name) => changing(name)),
      { ...plain, width: 80 },
    );
    await expect(`${text}\n`).toMatchFileSnapshot('golden/fleet/equal.txt');
    expect(text.match(/reserved_addrs\.new/g)).toHaveLength(1);
    for (let index = 0; index < 20; index++) expect(text).toContain(`web-00${String(index).padStart(2, '0')}`);
  });

  test('keep what differs between them with their names', async () => {
    const fleet = named(3, (name) => {
      const stack = changing(name);
      const outputs = { region: 'eu', name };
      return stack.is === 'planned' ? { ...stack, plan: { ...stack.plan, outputs } } : stack;
    });
    await expect(`${renderFleetAs('markdown', fleet, plain)}\n`).toMatchFileSnapshot('golden/fleet/equal.md');
  });

  test.each([
    { count: 20, most: 2_000 },
    { count: 100, most: 3_000 },
    { count: 1_000, most: 20_000 },
  ])('$count of them make a comment of fewer than $most bytes with the change and every name', ({ count, most }) => {
    const text = renderFleetAs(
      'markdown',
      named(count, (name) => changing(name)),
      plain,
    );
    expect(byteLength(text)).toBeLessThan(most);
    expect([text.match(/region: eu/g)?.length, text.match(/web-\d{4}/g)?.length]).toEqual([1, count + 2]);
    expect(text).not.toContain('too long');
  });

  test('with full details, and with deletions, are sections of their own', () => {
    const deleting = (name: string) => {
      const stack = changing(name);
      const steps = everything.steps.filter(({ action }) => action === 'delete');
      return stack.is === 'planned' ? { ...stack, plan: { ...stack.plan, steps } } : stack;
    };
    const sections = (fleet: FleetOutcome, detail: 'changes' | 'full') =>
      renderFleetAs('text', fleet, { ...plain, detail }).match(/^== /gm)?.length;
    expect(sections(named(4, deleting), 'changes')).toBe(4);
    expect(
      sections(
        named(4, (name) => changing(name)),
        'full',
      ),
    ).toBe(4);
  });
});

/** Every stack of every sample under this name. */
function named(name: string): FleetOutcome {
  const all = Object.values(FLEETS).flatMap(({ stacks }) => stacks);
  const blocked = { is: 'blocked', by: name, stack: name, outcome: 'partial' } as const;
  return { ...applied, stacks: [...all, blocked].map((one) => ({ ...one, name, service: name })) };
}

const tagsIn = (html: string) => [...html.matchAll(/<\/?[a-z]\w*/g)].map(([tag]) => tag);
/** Lines that the runner of GitHub acts on, without their texts. */
const commandsIn = (log: string) => [...log.matchAll(/^::(\w+)/gm)].map(([, word]) => word);

/** The fleet in every format. */
const drawnAs = (fleet: FleetOutcome) => new Map(ALL.map((format) => [format, renderFleetAs(format, fleet, plain)]));
const tame = drawnAs(named('a'));

test.each(ATTACKS)('a name cannot be anything but a name: %j', (attack) => {
  const fleet = named(attack);
  const hostile = drawnAs(fleet);
  const textOf = (format: (typeof ALL)[number], drawn = hostile) => drawn.get(format) ?? '';
  for (const format of ALL) {
    const text = format === 'gitlab' ? textOf(format).replaceAll(/\u001b\[0K|\r/g, '') : textOf(format);
    expect({ format, control: /[^\P{Cc}\n]/u.exec(text)?.[0] }).toEqual({ format });
  }
  expect(JSON.parse(textOf('json'))).toMatchObject({ stacks: fleet.stacks.map(({ name }) => ({ name })) });
  expect(commandsIn(textOf('github'))).toEqual(commandsIn(textOf('github', tame)));
  expect(tagsIn(textOf('html'))).toEqual(tagsIn(textOf('html', tame)));
  expect(textOf('markdown').replaceAll(/<code>[^<]*<\/code>|`[^\n]*`/g, '')).not.toMatch(
    /<(?:script|img|svg)|https?:|@octocat/,
  );
});

test('reports with hostile names are valid to their readers', () => expectValid(named(ATTACKS.join(' '))));
