// Wrong options, settings and manifests in any combination: the problems are those of each, told in one go.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

type Command = 'validate' | 'plan' | 'apply' | 'drift' | 'destroy' | 'output';

interface Mistake {
  /** Commands that have the option; all of them when missing. */
  readonly of?: readonly Command[];
  /** The command line alone shows it, so that nothing is loaded. */
  readonly isUsage?: true;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Lines of a section of the manifest. */
  readonly blocks?: Readonly<Record<string, string>>;
}

const LIVE: readonly Command[] = ['plan', 'apply', 'drift', 'destroy', 'output'];
const PLANNING: readonly Command[] = ['plan', 'apply', 'drift'];
const WRITING: readonly Command[] = ['apply', 'destroy'];

const MISTAKES: Readonly<Record<string, Mistake>> = {
  target: { of: PLANNING, args: ['--target', 'reserved_addrs.mian'] },
  'target of no kind': { of: PLANNING, args: ['--target', 'gadgets.x'] },
  'allow-loss': { of: ['plan', 'apply'], args: ['--allow-loss', 'gadgets.main'] },
  'allow-deletes': { isUsage: true, of: ['plan', 'apply'], args: ['--allow-deletes', 'many'] },
  resolve: { of: WRITING, args: ['--resolve', 'reserved_addrs.mainn=absent'] },
  'resolve without an id': { isUsage: true, of: WRITING, args: ['--resolve', 'reserved_addrs.main'] },
  'resolve of another id': { isUsage: true, of: WRITING, args: ['--resolve', 'reserved_addrs.main=edgtls_1'] },
  settle: { isUsage: true, of: LIVE, args: ['--settle', 'soon'] },
  deadline: { isUsage: true, of: LIVE, args: ['--deadline', '0'] },
  concurrency: { isUsage: true, of: LIVE, args: ['--concurrency', '0'] },
  events: { of: WRITING, args: ['--events', '-'] },
  'no pair': { isUsage: true, args: ['--var', 'nothing'] },
  'an unreadable var-file': { args: ['--var-file', 'nowhere.yaml'] },
  'a var-file that is none': { args: ['--var-file', 'list.yaml'] },
  'a plan file': { of: ['apply'], args: ['nowhere.json'] },
  timeout: { of: LIVE, env: { EDGEFORM_TIMEOUT: 'soon' } },
  'base URL': { of: LIVE, env: { EDGEFORM_BASE_URL: 'ftp://x' } },
  'no key': { of: LIVE, env: { EDGEFORM_API_KEY: undefined } },
  capabilities: { of: LIVE, env: { EDGEFORM_CAPABILITIES: '-everything' } },
  'a key file': { of: LIVE, args: ['--api-key-file', 'nowhere.key'] },
  'a misspelt field': { blocks: { reserved_addrs: '  m1: { regoin: eu }' } },
  'a misspelt section': { blocks: { failover_backend: '  m2: {}' } },
  'no such resource': { blocks: { failover_backends: '  m3: { backends: ["${failover_backends.nowhere.id}"] }' } },
  'an open bracket': { blocks: { tls_edges: '  m4: { hostports: [a' } },
};

const NAMES = Object.keys(MISTAKES);
const cwd = folder({ 'list.yaml': '- a\n' });

async function problemsOf(command: Command, names: readonly string[]): Promise<string[]> {
  const chosen = names.map((name) => MISTAKES[name] ?? {});
  const sections: Record<string, string[]> = { reserved_addrs: ['  main: {}'] };
  for (const { blocks = {} } of chosen)
    for (const [section, block] of Object.entries(blocks)) (sections[section] ??= []).push(block);
  const body = Object.entries(sections).map(([name, blocks]) => `${name}:\n${blocks.join('\n')}\n`);
  writeFileSync(join(cwd, 'edgeform.yaml'), `version: 1\nstack: shop\n${body.join('')}`);
  const settings = chosen.reduce<Record<string, string | undefined>>((all, { env = {} }) => ({ ...all, ...env }), {
    EDGEFORM_BASE_URL: 'http://127.0.0.1:9',
    EDGEFORM_API_KEY: 'key-of-a-test',
  });
  const env = Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  const args = [command, ...chosen.flatMap((one) => one.args ?? []), '--format', 'json'];
  const exchange = () => Promise.reject(new Error('asked'));
  const { stdout, stderr } = await run(args, { cwd, env, ports: { exchange } });
  const { diagnostics } = JSON.parse(stdout || stderr) as {
    diagnostics: { code: string; message: string; fix: string }[];
  };
  return diagnostics.map(({ code, message, fix }) => `${code}: ${message} | ${fix}`).sort();
}

const told = new Map<string, Promise<string[]>>();

function problemsAlone(command: Command, name: string): Promise<string[]> {
  const key = `${command} ${name}`;
  const problems = told.get(key) ?? problemsOf(command, [name]);
  told.set(key, problems);
  return problems;
}

/** A key file takes the place of a missing key, a saved plan takes no targets, and the journal is looked for by the service. */
function areIndependent(names: readonly string[]): boolean {
  const has = (start: string) => names.some((name) => name.startsWith(start));
  const hasJournal = !names.includes('resolve') || !has('base URL');
  return !(has('no key') && has('a key file')) && !(has('target') && has('a plan file')) && hasJournal;
}

const fits = (command: Command) => NAMES.filter((name) => MISTAKES[name]?.of?.includes(command) ?? true);

test.each<Command>(['validate', 'plan', 'apply', 'drift', 'destroy', 'output'])(
  '%s tells each alone',
  async (command) => {
    for (const name of fits(command)) expect(await problemsAlone(command, name), name).toHaveLength(1);
  },
);

test.each<Command>(['validate', 'plan', 'apply', 'drift', 'destroy', 'output'])(
  '%s tells all of them at once',
  async (command) => {
    const some = fc.subarray(fits(command), { minLength: 2 }).filter(areIndependent);
    await fc.assert(
      fc.asyncProperty(some, async (names) => {
        const usage = names.filter((name) => MISTAKES[name]?.isUsage === true);
        const alone: string[] = [];
        for (const name of usage.length > 0 ? usage : names) alone.push(...(await problemsAlone(command, name)));
        expect(await problemsOf(command, names), names.join(' + ')).toEqual([...new Set(alone)].sort());
      }),
      { numRuns: 40 },
    );
  },
);
