// Reports of fleets in every format.

import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { JsonObject } from '../../src/core/json.ts';
import { byteLength } from '../../src/core/text/text.ts';
import { renderFleetAs, type FleetOutcome } from '../../src/render/fleet.ts';
import {
  FORMATS as ALL,
  renderDiagnosticsAs,
  renderDriftAs,
  renderPlanAs,
  renderReportAs,
} from '../../src/render/formats.ts';
import { documentSchema } from '../../src/schema/documents.ts';
import { ATTACKS } from './attacks.ts';
import { drifted } from './drift-sample.ts';
import { applied, changing, checked, driftedFleet, planned, unchanged, waved } from './fleet-sample.ts';
import { everything, pageBody, plain } from './sample.ts';
import { annotationsIn, lettersOf, unfolded, wordsOf } from './unfolded.ts';

const FLEETS = { plan: planned, apply: applied, drift: driftedFleet, validate: checked, waves: waved };
/** Fleets in which the same is shown of many stacks. */
const ALIKE = {
  'twenty alike': alike(20, (name) => changing(name)),
  'three with outputs of their own': alike(3, (name) => {
    const stack = changing(name);
    const outputs = { region: 'eu', name };
    return stack.is === 'planned' ? { ...stack, plan: { ...stack.plan, outputs } } : stack;
  }),
};
const FOR_PEOPLE = [
  ['text', 'txt'],
  ['markdown', 'md'],
  ['html', 'html'],
] as const;
/** One golden each; every other document is held to its schema, and to the document of the single command. */
const FOR_MACHINES = [
  ['json', 'waves', 'json'],
  ['sarif', 'validate', 'sarif'],
  ['junit', 'waves', 'xml'],
  ['codequality', 'validate', 'quality.json'],
] as const;

test.each(FOR_MACHINES)('%s: %s of a fleet', async (format, name, extension) => {
  const text = `${renderFleetAs(format, FLEETS[name], plain)}\n`;
  await expect(text).toMatchFileSnapshot(`golden/fleet/${name}.${extension}`);
});

describe.each(FOR_PEOPLE)('%s', (format, extension) => {
  // What the documents of its stacks say has goldens of its own.
  test('what fleets say besides the documents of their stacks', async () => {
    const parts = Object.entries({ ...FLEETS, ...ALIKE }).map(([name, fleet]) => {
      const said = lettersOf(documentsOf(format, fleet).map(plainly).join('\n'));
      const isOwn = (piece: string) => !said.includes(lettersOf(plainly(piece)));
      return [`== ${name} ==`, ...piecesOf(format, fleet).map((piece) => (isOwn(piece) ? piece : '…'))].join('\n');
    });
    const shortened = parts.join('\n\n').replaceAll(/(?<=For each: )[^<\n]*/g, '…');
    const text = `${shortened.replaceAll(/…\n(?:…\n)+/g, '…\n')}\n`;
    await expect(text).toMatchFileSnapshot(`golden/fleet/fleets.${extension}`);
  });

  test.each(Object.entries(FLEETS))('%s: all that the documents of its stacks say', (_, fleet) => {
    const text = lettersOf(plainly(renderFleetAs(format, fleet, plain)));
    const untold = documentsOf(format, fleet)
      .flatMap((document) => plainly(document).split('\n'))
      .filter((line) => !LEFT_OUT.test(line) && !text.includes(lettersOf(line)));
    expect(untold).toEqual([]);
  });
});

/** Titles, and what is calm or to be done is said once for a fleet. */
const LEFT_OUT = /^(?:### |Nothing is deleted or replaced\.|Completed steps are kept\.)/;

/** What the single command prints of each stack that has something to say. */
function documentsOf(format: 'text' | 'markdown' | 'html', { stacks }: FleetOutcome): string[] {
  return stacks.flatMap((stack): string[] => {
    if (stack.outcome === 'done' && stack.is !== 'planned' && stack.is !== 'applied') return [];
    if (stack.is === 'planned') return stack.plan.steps.length === 0 ? [] : [renderPlanAs(format, stack.plan, plain)];
    if (stack.is === 'applied') return [renderReportAs(format, stack.report, plain)];
    if (stack.is === 'drift') return [renderDriftAs(format, stack.drift, plain)];
    if (stack.is !== 'checked' && stack.is !== 'failed') return [];
    return [renderDiagnosticsAs(format, { sources: new Map(), ...stack }, plain)];
  });
}

/** The fleet's document in pieces: a line each, and in HTML a heading, a paragraph, a row or an item. */
function piecesOf(format: 'text' | 'markdown' | 'html', fleet: FleetOutcome): string[] {
  const document = pageBody(renderFleetAs(format, fleet, plain)).replace(/[^]*<body>/, '');
  const lines = document.replaceAll(/(?<=.)(?=<(?:section|h\d|p|ul|li|tr|pre|div|footer)\b)/g, '\n').split('\n');
  return lines.filter((line) => line.trim() !== '');
}

/** Without tags, comments, and what quotes names. */
function plainly(text: string): string {
  const body = text.replace(/[^]*<body>/, '').replaceAll(/<!--[^]*?-->/g, '');
  return body.replaceAll(/<\/(?:h\d|p|li|td|summary|section|pre)>/g, '\n').replaceAll(/<[^>]*>|[`*]/g, '');
}

describe('the log of a forge', () => {
  test('annotations of a fleet have the names of stacks', () => {
    const said = (['apply', 'validate'] as const).flatMap((name) =>
      annotationsIn(renderFleetAs('github', FLEETS[name], plain)).map(({ head, lines }) => [head, lines[0]]),
    );
    const field = 'unknown field "tls_terminaton" in tls_edges.db';
    expect(said).toEqual([
      [
        'error stacks/web.yaml:9:3 failed: update tls_edges.web',
        'web: PATCH /edges/tls/edgtls_7 was answered with 400: hostports must not be empty',
      ],
      ['error stacks/shop/edgeform.yaml:6:5 unknown-field', `shop-prod: ${field}`],
      ['error stacks/shop/edgeform.yaml:6:5 unknown-field', `shop-staging: ${field}`],
    ]);
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

/** So many stacks with names in a row. */
function alike(count: number, stackOf: (name: string) => FleetOutcome['stacks'][number]): FleetOutcome {
  const stacks = Array.from({ length: count }, (_, index) => stackOf(`web-${String(index).padStart(4, '0')}`));
  return { command: 'plan', outcome: 'done', stacks };
}

describe('stacks of which the same is shown', () => {
  test('are one row and one section, with all their names', () => {
    const text = renderFleetAs('text', ALIKE['twenty alike'], { ...plain, width: 80 });
    expect(text).toContain('\nFor each: Plan: 1 to create, ');
    expect(text.match(/reserved_addrs\.new/g)).toHaveLength(1);
    for (let index = 0; index < 20; index++) expect(text).toContain(`web-00${String(index).padStart(2, '0')}`);
  });

  test.each([
    { count: 20, most: 2_000 },
    { count: 100, most: 3_000 },
    { count: 1_000, most: 20_000 },
  ])('$count of them make a comment of fewer than $most bytes with the change and every name', ({ count, most }) => {
    const text = renderFleetAs(
      'markdown',
      alike(count, (name) => changing(name)),
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
    expect(sections(alike(4, deleting), 'changes')).toBe(4);
    expect(
      sections(
        alike(4, (name) => changing(name)),
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
