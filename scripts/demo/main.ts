// The demo: the shop example through the real command line against an emulator, from nothing to nothing.
// It stops with an error at the first exit code that is not the expected one.

import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { JsonObject } from '../../src/core/json.ts';
import { parseAddress } from '../../src/catalog/address.ts';
import { DESCRIPTION, ID, METADATA } from '../../src/catalog/fields/common.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import { paint } from '../../src/render/render-options.ts';

const CLI = resolve('dist/cli.js');
const EXAMPLE = resolve('examples/shop');
const VARIABLES = ['--var-file', 'vars.example.yaml'];
/** The object that somebody changes by hand. */
const CHANGED = 'tls_edges.db';

interface Scene {
  readonly heading: string;
  readonly args: readonly string[];
  readonly exitCode: number;
  /** What happens outside edgeform before the command runs. */
  readonly before?: (emulator: Emulator) => Promise<string>;
}

const APPROVED = ['--auto-approve', '--detail', 'names'];

const SCENES: readonly Scene[] = [
  { heading: 'Check the manifest, without network and credentials', args: ['validate', ...VARIABLES], exitCode: 0 },
  { heading: 'See what would happen', args: ['plan', ...VARIABLES], exitCode: 0 },
  { heading: 'Do it', args: ['apply', ...VARIABLES, ...APPROVED, '--token-dir', 'tokens'], exitCode: 0 },
  { heading: 'Nothing is left to do: exit code 0', args: ['plan', ...VARIABLES, '--detailed-exitcode'], exitCode: 0 },
  {
    heading: 'Somebody changes an object by hand; the plan says so: exit code 2',
    args: ['plan', ...VARIABLES, '--detailed-exitcode'],
    exitCode: 2,
    before: changeByHand,
  },
  { heading: 'Put it right', args: ['apply', ...VARIABLES, ...APPROVED, '--token-dir', 'tokens'], exitCode: 0 },
  { heading: 'Delete everything the stack owns', args: ['destroy', ...VARIABLES, ...APPROVED], exitCode: 0 },
];

await main();

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'edgeform-demo-'));
  const emulator = await startEmulator();
  try {
    await cp(EXAMPLE, directory, { recursive: true });
    for (const [index, scene] of SCENES.entries()) {
      if (!(await play(scene, index + 1, emulator, directory))) {
        process.exitCode = 1;
        return;
      }
    }
  } finally {
    await emulator.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Shows the heading and the command, runs it, and tells whether its exit code was the expected one. */
async function play(scene: Scene, number: number, emulator: Emulator, directory: string): Promise<boolean> {
  say(`\n${strong(`${number}. ${scene.heading}`)}`);
  if (scene.before !== undefined) say(quiet(await scene.before(emulator)));
  say(`${quiet(`$ edgeform ${scene.args.join(' ')}`)}\n`);
  const code = await run(scene.args, emulator, directory);
  if (code === scene.exitCode) return true;
  say(strong(`the exit code is ${code}, expected ${scene.exitCode}`));
  return false;
}

function run(args: readonly string[], emulator: Emulator, directory: string): Promise<number | string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^EDGEFORM_|_proxy$/i.test(name));
  const env = { ...Object.fromEntries(inherited), EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: directory,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
}

/** A request that edgeform knows nothing of, as a person with curl would send it. */
async function changeByHand(emulator: Emulator): Promise<string> {
  const kind = parseAddress(CHANGED)?.kind;
  const { list, update } = kind?.operations ?? {};
  if (list === undefined || update === undefined) throw new Error(`${CHANGED} cannot be listed and updated`);
  const target = emulator.objects(list.key).find((object) => addressOf(object) === CHANGED);
  const id = target?.[ID];
  if (typeof id !== 'string') throw new Error(`${CHANGED} is not in the service`);
  const path = update.path.replace('{id}', id);
  const body = JSON.stringify({ [DESCRIPTION]: 'changed by hand' });
  const response = await fetch(new URL(path, emulator.url), {
    method: update.method,
    headers: { authorization: `Bearer ${emulator.apiKey}`, 'content-type': 'application/json', 'service-version': '2' },
    body,
  });
  if (!response.ok) throw new Error(`${update.method} ${path} was answered with ${response.status}`);
  return `> ${update.method} ${path} ${body}`;
}

function addressOf(object: JsonObject): string | undefined {
  const text = object[METADATA];
  return typeof text === 'string' ? readMarker(text).marker?.address : undefined;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function style(): { readonly color: boolean; readonly width: number; readonly detail: 'changes' } {
  const { NO_COLOR: noColor, TERM: term } = process.env;
  return { color: process.stdout.isTTY && !noColor && term !== 'dumb', width: 80, detail: 'changes' };
}

function strong(text: string): string {
  return paint(style(), 'strong', text);
}

function quiet(text: string): string {
  return paint(style(), 'quiet', text);
}
