// A sensitive variable in every place of the catalogue that takes text: no command shows its value, and the service has it.
// The commands run in this process against the emulator (over HTTP with all worlds).

import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isList, isObject, parseJson } from '../../src/core/json.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { formatsFor } from '../../src/render/formats.ts';
import type { Ran } from '../support/cli.ts';
import { empty } from '../support/emulated.ts';
import { byTurns, IS_FULL } from '../support/full.ts';
import { run } from '../support/host.ts';
import { inPresets } from '../support/reused.ts';
import type { SecretPlace } from '../support/secret-places.ts';
import { documentsWith, formsOf, mainAddress, secretFor, secretPlaces } from '../support/secret-places.ts';

const MANIFEST = 'edgeform.json';
const [FIRST, SECOND, OUTSIDE, OTHER] = ['probe-7qz3-hush', 'probe-8rx4-hush', 'probe-9sw5-hush', 'probe-0tv6-hush'];

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterEach(() => {
  empty(emulator);
});
afterAll(() => emulator.close());

let written = 0;
/** Every other manifest has its blocks in presets. */
function inOtherWords(document: Json): Json {
  written += 1;
  return written % 2 === 0 && isObject(document) ? inPresets(document) : document;
}

/** One folder with one manifest, the value of its variable, and everything that commands have shown or written. */
class Machine {
  readonly cwd = mkdtempSync(join(tmpdir(), 'edgeform-secrets-'));
  shown = '';
  secret: string;

  constructor(document: Json, secret: string) {
    writeFileSync(join(this.cwd, MANIFEST), JSON.stringify(inOtherWords(document), null, 2));
    this.secret = secret;
  }

  async run(...args: string[]): Promise<Ran> {
    const env = {
      EDGEFORM_API_KEY: emulator.apiKey,
      EDGEFORM_BASE_URL: emulator.url,
      EDGEFORM_VAR_s: this.secret,
      EDGEFORM_VAR_other: OTHER,
    };
    const ran = await run([...args, ...(args[0] === 'show' ? [] : ['-f', MANIFEST])], { cwd: this.cwd, env });
    this.shown += `$ ${args.join(' ')}\n${ran.stdout}\n${ran.stderr}\n`;
    return ran;
  }

  /** All of it, files included. */
  everything(): string {
    const files = readdirSync(this.cwd, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name !== MANIFEST && statSync(join(this.cwd, name)).isFile(),
    );
    return [this.shown, ...files.map((name) => `# ${name}\n${readFileSync(join(this.cwd, name), 'utf8')}`)].join('\n');
  }
}

/** Lines that hold a secret in some form. */
function leaks(text: string, secrets: readonly string[]): string[] {
  const forms = secrets.flatMap(formsOf);
  return text.split('\n').filter((line) => forms.some((form) => line.includes(form)));
}

/** The ways in which a value may stand in a text; those that the field's pattern forbids are left out. */
function textsAt({ leaf }: SecretPlace, secret: string): string[] {
  if (leaf !== undefined && leaf.type !== 'string') return ['${var.s}'];
  const parts = [
    ['', ''],
    ['x', ''],
    ['', 'x'],
  ] as const;
  const fits = leaf?.pattern ? new RegExp(leaf.pattern.regex, 'u') : /^/u;
  const plain = parts.filter(([before, after]) => fits.test(before + secret + after)).slice(0, 2);
  const beside = fits.test(`${secret}bkdfo_x`) ? ['${var.s}${failover_backends.beside.id}'] : [];
  return [...plain.map(([before, after]) => `${before}\${var.s}${after}`), ...beside];
}

/** The first document whose only problems, if any, are about the place itself. */
async function machineFor(place: SecretPlace, text: string, secret: string): Promise<Machine> {
  let best: { readonly machine: Machine; readonly problems: number } | undefined;
  for (const document of documentsWith(place, text)) {
    const sections = document as { [key: string]: JsonObject };
    const backends = { ...sections['failover_backends'], beside: {} };
    const main = mainAddress(place);
    const machine = new Machine(
      {
        ...document,
        variables: { s: { sensitive: true }, other: { sensitive: true, default: '' } },
        failover_backends: backends,
        outputs: { id: `\${${main}.id}`, both: `\${var.s} \${${main}.id}` },
      },
      secret,
    );
    const { code, stdout } = await machine.run('validate', '--format', 'json');
    if (code === 0) return machine;
    const problems = (parseJson(stdout) as { diagnostics: Json[] }).diagnostics.length;
    if (best === undefined || problems < best.problems) best = { machine, problems };
  }
  if (best === undefined) throw new Error('no document');
  return best.machine;
}

function isRefused({ leaf, target }: SecretPlace): boolean {
  if (target.path[0] === 'metadata') return true;
  if (leaf === undefined || leaf.type !== 'string') return leaf !== undefined;
  return leaf.values !== undefined || leaf.ref !== undefined;
}

/** The last body sent whose field holds what is looked for. */
function sentText(path: readonly string[]): Json | undefined {
  const texts = emulator.requests
    .filter(({ method }) => method === 'POST' || method === 'PATCH')
    .map(({ body }) => path.reduce<Json | undefined>((at, key) => below(at, key), body));
  return texts.findLast((one) => one !== undefined);
}

function below(at: Json | undefined, key: string): Json | undefined {
  if (at !== undefined && isList(at)) return at[Number(key)];
  return isObject(at) ? at[key] : undefined;
}

const FORMATS = formatsFor('plan');
const DRIFT_FORMATS = formatsFor('drift');
const VALIDATE = [['validate']];
const SHOWS = [['output'], ['output', '--json'], ['output', 'both'], ['graph']];
const PLACES = ['this', 'another', 'a third', 'a fourth'];
interface Turns {
  /** How often a share was taken. */
  count: number;
  readonly every: number;
  readonly all: readonly unknown[];
  readonly taken: Set<unknown>;
}
const turnsOf = new Map<string, Turns>();

/**
 * Where not all is tried at every place, each place has its share of it. What is tried has turns of its own: counted together, they
 * would fall on the same share at each place.
 */
function aShare<T>(what: string, all: readonly T[], every: number): readonly T[] {
  const turns = turnsOf.get(what) ?? { count: 0, every, all, taken: new Set() };
  turnsOf.set(what, turns);
  const share = byTurns(all, turns.count, every);
  turns.count += 1;
  for (const one of share) turns.taken.add(one);
  return share;
}
const DESTROY = ['destroy', '--auto-approve'];
const ENDS = [['plan', '--detailed-exitcode'], ['drift', '--format', 'json'], DESTROY];
const APPLY = ['--auto-approve', '--allow-deletes', 'all', '--token-dir', 'tokens', '--events', 'events.jsonl'];

/** Texts with more than the secret in them are tried once for each field of a kind. */
const isFirst = ({ kind, path }: SecretPlace) =>
  secretPlaces.find((one) => one.kind === kind && one.path[0] === path[0])?.path === path;

const table = secretPlaces.flatMap((place) => {
  const [whole = '', ...others] = textsAt(place, secretFor(place, FIRST));
  const more = isFirst(place) && others.length > 0 ? aShare('other texts', others, 2) : [];
  return [whole, ...more].map((text) => ({ name: `${place.kind.name} ${place.path.join('.')}: ${text}`, place, text }));
});

describe('a sensitive variable', () => {
  test.each(table.filter(({ place }) => isRefused(place)))('is refused in $name', async ({ place, text }) => {
    const secret = secretFor(place, FIRST);
    const machine = await machineFor(place, text, secret);
    const { code, stderr, stdout } = await machine.run('validate');
    expect(code, stdout + stderr).toBe(4);
    expect(stdout + stderr).toMatch(/a sensitive variable cannot/);
    expect(stdout + stderr).toMatch(new RegExp(`${MANIFEST}:\\d+:\\d+`));
    expect(leaks(machine.everything(), [secret, FIRST, OTHER])).toEqual([]);
  });

  test.each(table.filter(({ place }) => !isRefused(place)))('is opaque in $name', async ({ place, text }) => {
    const secrets = [FIRST, SECOND, OUTSIDE].map((tag) => secretFor(place, tag));
    const [first = '', second = '', outside = ''] = secrets;
    const address = mainAddress(place);
    const machine = await machineFor(place, text, first);
    const allowed = [...APPLY, '--allow-loss', address];
    // Every way to show something is tried where the value is the secret and nothing else.
    const isWhole = text === '${var.s}' && (IS_FULL || isFirst(place));
    const formats = isWhole
      ? FORMATS
      : text === '${var.s}' && aShare('places with two formats', PLACES, 4).includes('this')
        ? ['text', 'json']
        : ['text'];
    const done = async (...args: string[]) => {
      const ran = await machine.run(...args);
      expect(ran.code, machine.shown).toBe(0);
    };
    const planned = async (when: string) => {
      await done('plan', '--out', 'plan.json', '--allow-loss', address, '--detail', 'full');
      const shown = formats === FORMATS ? aShare(`formats of a plan ${when}`, FORMATS, 4) : formats;
      for (const format of shown) await done('show', 'plan.json', '--format', format, '--detail', 'full');
    };
    for (const args of aShare('validate', VALIDATE, 3)) await done(...args);
    await planned('that creates');
    await done('apply', 'plan.json', ...allowed, '--summary-file', 'first.md');
    expect(String(sentText(place.path))).toContain(first);

    // How a value changes is seen where it is the secret and nothing else.
    if (formats.length === 1) {
      for (const args of aShare('the end of a short run', ENDS, 3)) await done(...args);
      expect(leaks(machine.everything(), [...secrets, FIRST, OTHER])).toEqual([]);
      return;
    }
    await done('plan', '--detailed-exitcode');
    machine.secret = second;
    await planned('of a new secret');
    await done('drift', '--format', 'json');
    await done('apply', ...allowed, '--format', 'json', '--summary-file', 'second.md');
    expect(String(sentText(place.path))).toContain(second);
    await done('plan', '--detailed-exitcode');

    const isChanged = changeOutside(place, second, outside);
    const shown = formats === FORMATS ? aShare('formats of drift', DRIFT_FORMATS, 4) : formats;
    for (const format of shown) expect((await machine.run('drift', '--format', format)).code).toBe(isChanged ? 2 : 0);
    await planned('that puts it back');
    await done('apply', ...allowed, '--format', 'github');
    for (const args of aShare('outputs', SHOWS, 3)) await machine.run(...args);
    for (const args of aShare('output of one object', ['output'], 3)) await machine.run(args, address);
    await done(...DESTROY);
    expect(leaks(machine.everything(), [...secrets, FIRST, SECOND, OUTSIDE, OTHER])).toEqual([]);
  });
});

test('by turns, all was tried', () => {
  const whole = [...turnsOf].filter(([, { count, every }]) => count >= every);
  expect(whole.length).toBeGreaterThan(8);
  for (const [what, { all, taken }] of whole.filter(([name]) => name !== 'other texts'))
    expect([...taken], what).toEqual(expect.arrayContaining([...all]));
});

/** Somebody writes another text where the secret stands. */
function changeOutside({ kind, path }: SecretPlace, before: string, after: string): boolean {
  const key = kind.operations.list?.key;
  if (key === undefined) return false;
  let isChanged = false;
  const [top = ''] = path;
  for (const object of emulator.objects(key)) {
    const text = JSON.stringify(object[top] ?? null);
    const inside = (value: string) => JSON.stringify(value).slice(1, -1);
    if (!text.includes(inside(before))) continue;
    emulator.mutate(key, String(object['id']), { [top]: parseJson(text.replaceAll(inside(before), inside(after))) });
    isChanged = true;
  }
  return isChanged;
}
