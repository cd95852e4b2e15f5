// What the cases work on: manifests on disk, services, and stacks that have been applied to one.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addresses, manifests, withPresets } from './manifest.mjs';
import { measure, node } from './measure.mjs';
import { onService, startService } from './service.mjs';
import { toYaml } from './yaml.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FLOOR = join(ROOT, 'bench/floor.mjs');

/** The program as it is installed. */
export const PROGRAM = join(ROOT, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).bin.edgeform);
/** Requests in flight while a stack is applied. */
export const CONCURRENCY = 8;
/** No configuration of the machine reaches git. */
const GIT_ENV = {
  PATH: process.env.PATH,
  HOME: '/nowhere',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};
const AUTHOR = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com'];
/** Objects of somebody else, where a peer is compared. */
const FOREIGN = 1000;

export function createLab() {
  const scratch = mkdtempSync(join(tmpdir(), 'edgeform-bench-'));
  const applied = new Map();
  const written = new Set();
  let folders = 0;

  /** The folder with the files of a stack; `what` is `mixed`, `presets` or `addresses`. */
  const manifest = (size, format = 'yaml', what = 'mixed') => {
    const folder = join(scratch, `${what}-${size}-${format}`);
    if (written.has(folder)) return folder;
    written.add(folder);
    mkdirSync(folder);
    const parts = { mixed: manifests, presets: withPresets, addresses }[what](size);
    parts.forEach((part, index) => {
      const text = format === 'yaml' ? toYaml(part) : `${JSON.stringify(part, null, 2)}\n`;
      writeFileSync(join(folder, `part-${String(index).padStart(2, '0')}.${format}`), text);
    });
    return folder;
  };

  const freshFolder = () => {
    folders += 1;
    const folder = join(scratch, `work-${folders}`);
    mkdirSync(folder);
    return folder;
  };

  /** A seed with addresses that no stack owns. */
  const foreign = () => {
    const file = join(scratch, 'foreign.json');
    const list = Array.from({ length: FOREIGN }, (_, index) => ({ region: 'us', description: `theirs ${index}` }));
    writeFileSync(file, JSON.stringify({ reserved_addrs: list }));
    return file;
  };

  const service = (latency, what = 'mixed') =>
    startService(PROGRAM, { latency, ...(what === 'addresses' && { seed: foreign() }) });

  /** Creates a stack on a new service, which is kept with the journal for plans of the same stack. */
  const apply = async ({ size, latency, what = 'mixed' }) => {
    const key = `${size} ${latency} ${what}`;
    await applied.get(key)?.service.stop();
    const stack = { service: await service(latency, what), cwd: freshFolder(), size, what };
    applied.set(key, stack);
    const how = ['--auto-approve', '--concurrency', String(CONCURRENCY)];
    const command = node(PROGRAM, 'apply', ...how, '-f', manifest(size, 'yaml', what));
    return onService(stack.service, () => measure(command, { cwd: stack.cwd, env: stack.service.env }));
  };

  const stackOf = async (wanted) => {
    const { size, latency, what = 'mixed' } = wanted;
    const key = `${size} ${latency} ${what}`;
    if (!applied.has(key)) await apply(wanted);
    return applied.get(key);
  };

  /** A stack as it was applied, in a repository in which every file was changed since. */
  const changedStack = async (wanted) => {
    const stack = await stackOf(wanted);
    if (stack.repository !== undefined) return stack;
    stack.repository = stack.cwd;
    cpSync(manifest(wanted.size), join(stack.cwd, 'stack'), { recursive: true });
    const git = (...args) => execFileSync('git', [...AUTHOR, ...args], { cwd: stack.cwd, env: GIT_ENV });
    git('init', '--quiet');
    git('add', 'stack');
    git('commit', '--quiet', '--message', 'start');
    for (const name of readdirSync(join(stack.cwd, 'stack'))) {
      const file = join(stack.cwd, 'stack', name);
      writeFileSync(file, readFileSync(file, 'utf8').replace(/(description: )\S.*/, '$1changed'));
    }
    return stack;
  };

  return {
    manifest,
    freshFolder,
    service,
    apply,
    /** A plan that has to find nothing to do: another code than 0 would say that it did. */
    plan: async (wanted) => {
      const { service: at, cwd, size, what } = await stackOf(wanted);
      const command = node(PROGRAM, 'plan', '--detailed-exitcode', '-f', manifest(size, 'yaml', what));
      return onService(at, () => measure(command, { cwd, env: at.env }));
    },
    planFloor: async (wanted) => {
      const { service: at, cwd, size, what } = await stackOf(wanted);
      const folder = manifest(size, 'json', what);
      const files = readdirSync(folder).map((name) => join(folder, name));
      return onService(at, () => measure(node(FLOOR, at.url, at.key, ...files), { cwd }));
    },
    /** A plan of a change in every file of the stack; with `isCompared`, marked against the commit before. */
    planOfChange: async (wanted, isCompared) => {
      const { service: at, repository } = await changedStack(wanted);
      const base = isCompared ? ['--base', 'HEAD'] : [];
      const command = node(PROGRAM, 'plan', '-f', 'stack', ...base);
      return onService(at, () => measure(command, { cwd: repository, env: { ...at.env, ...GIT_ENV } }));
    },
    /** Ends the services of applied stacks: before another size, or at the end. */
    clear: async () => {
      for (const { service: at } of applied.values()) await at.stop();
      applied.clear();
    },
    remove: () => rmSync(scratch, { recursive: true, force: true }),
  };
}
