// Runs jobs of a GitLab pipeline as far as our component needs it: inputs, rules, variables, caches, artifacts, real shells.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { filesAt, globbed, pairs, spawned } from './runner.ts';

const templateAt = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../templates/${path}`, import.meta.url)), 'utf8');
export const TEMPLATE = templateAt('edgeform/template.yml');
export const FLEET_TEMPLATE = templateAt('edgeform-fleet.yml');

interface Cache {
  readonly key: string;
  readonly paths: readonly string[];
  readonly policy: 'pull' | 'pull-push';
  readonly when?: string;
}
export interface GitlabJob {
  readonly extends?: string;
  readonly stage?: string;
  readonly needs?: readonly (string | { readonly job: string; readonly artifacts: boolean })[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly before_script?: readonly string[];
  readonly after_script?: readonly string[];
  readonly script?: readonly string[];
  readonly cache?: Cache;
  readonly resource_group?: string;
  readonly environment?: { readonly name: string };
  readonly artifacts?: {
    readonly when?: string;
    readonly paths?: readonly string[];
    readonly reports?: Readonly<Record<string, string>>;
  };
  readonly rules?: readonly { readonly if?: string; readonly when?: string }[];
}
interface Spec {
  readonly spec: {
    readonly inputs: Readonly<Record<string, { readonly default?: string | boolean; readonly regex?: string }>>;
  };
}

/** The jobs of the component with these inputs. */
export function component(
  inputs: Readonly<Record<string, string>>,
  template = TEMPLATE,
): Readonly<Record<string, GitlabJob>> {
  const [head, body] = template.split('\n---\n');
  const { spec } = parseAllDocuments(head ?? '')[0]!.toJS() as Spec;
  const text = (body ?? '').replaceAll(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_all, name: string) => {
    const input = spec.inputs[name];
    const usual = input?.default;
    const value = inputs[name] ?? (usual === undefined ? undefined : String(usual));
    if (input === undefined || value === undefined) throw new Error(`no value for the input ${name}`);
    if (input.regex !== undefined && !new RegExp(input.regex).test(value)) throw new Error(`${name} does not match`);
    return value;
  });
  const [parsed] = parseAllDocuments(text);
  if (parsed === undefined || parsed.errors.length > 0) throw new Error(String(parsed?.errors[0]));
  return parsed.toJS() as Readonly<Record<string, GitlabJob>>;
}

/** When a job runs in a pipeline with these variables: its first rule that matches says so. */
export function whenOf(job: GitlabJob, variables: Readonly<Record<string, string>>): string {
  const rule = job.rules?.find((one) => one.if === undefined || matches(one.if, variables));
  return rule === undefined ? 'never' : (rule.when ?? 'on_success');
}

function matches(expression: string, variables: Readonly<Record<string, string>>): boolean {
  return expression.split('||').some((some) =>
    some.split('&&').every((every) => {
      const [, left = '', operator, right = ''] = /^\s*(\S+) (==|!=) (\S+)\s*$/.exec(every) ?? [];
      const value = (word: string) => (word.startsWith('$') ? variables[word.slice(1)] : word.replaceAll('"', ''));
      if (operator === undefined) throw new Error(`not emulated: ${every}`);
      return (value(left) === value(right)) === (operator === '==');
    }),
  );
}

export interface Pipeline {
  readonly jobs: Readonly<Record<string, GitlabJob>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly path: string;
  readonly caches: Map<string, string>;
  /** Jobs that somebody starts by hand. */
  readonly play?: readonly string[];
  readonly before?: (job: string) => void;
  /** Jobs of this pipeline that ended before, when somebody runs the others again. */
  readonly ended?: Readonly<Record<string, GitlabEnd>>;
}
export interface GitlabEnd {
  readonly code: number;
  readonly log: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder in which jobs of this machine are built. */
  readonly builds: string;
  readonly artifacts: Readonly<Record<string, string>>;
  /** Variables for the jobs that need this one, from its report `dotenv`. */
  readonly told: Readonly<Record<string, string>>;
}

/** Runs what the rules say, in order; what needs a failed job does not run. */
export async function runPipeline(pipeline: Pipeline): Promise<Readonly<Record<string, GitlabEnd>>> {
  const ends: Record<string, GitlabEnd> = { ...pipeline.ended };
  for (const [name, job] of Object.entries(pipeline.jobs)) {
    if (name.startsWith('.') || name in ends) continue;
    const when = whenOf(job, pipeline.variables);
    if (when === 'never' || (when === 'manual' && pipeline.play?.includes(name) !== true)) continue;
    const needs = (job.needs ?? []).map((one) => (typeof one === 'string' ? { job: one, artifacts: true } : one));
    if (when !== 'always' && needs.some((one) => ends[one.job]?.code !== 0)) continue;
    const needed = needs.filter((one) => one.artifacts).map((one) => ends[one.job]);
    pipeline.before?.(name);
    const artifacts = Object.assign({}, ...needed.map((end) => end?.artifacts)) as Readonly<Record<string, string>>;
    const told = Object.assign({}, ...needed.map((end) => end?.told)) as Readonly<Record<string, string>>;
    ends[name] = await runJob(job, artifacts, {
      ...pipeline,
      variables: { ...pipeline.variables, ...told, CI_JOB_NAME: name },
    });
  }
  return ends;
}

/** Of the last job. */
let jobId = 0;

async function runJob(
  wanted: GitlabJob,
  artifacts: Readonly<Record<string, string>>,
  { jobs, variables, files, path, caches }: Pipeline,
): Promise<GitlabEnd> {
  const job = { ...jobs[wanted.extends ?? ''], ...wanted };
  const builds = mkdtempSync(join(tmpdir(), 'gitlab-'));
  const cwd = join(builds, 'project');
  mkdirSync(cwd);
  jobId += 1;
  const cachedIn = (one: string) => `${job.cache?.key ?? ''} ${one}`;
  const cached = job.cache?.paths ?? [];
  for (const [key, text] of caches)
    if (cached.some((one) => matched(cachedIn(one), key))) write(join(cwd, key.slice(cachedIn('').length)), text);
  for (const [name, text] of Object.entries({ ...files, ...artifacts })) write(join(cwd, name), text);
  const own = { HOME: cwd, CI_PROJECT_DIR: cwd, CI_BUILDS_DIR: builds, CI_JOB_ID: String(jobId) };
  const env = { PATH: [path, process.env['PATH'] ?? ''].join(delimiter), ...own, ...job.variables, ...variables };
  const script = [...(job.before_script ?? []), ...(job.script ?? [])].join('\n');
  const { code, log } = await spawned('bash', ['-e', '-o', 'pipefail', '-c', script], { env, cwd });
  // Whatever became of the job, in a shell of its own.
  await spawned('bash', ['-c', (job.after_script ?? []).join('\n')], { env, cwd });
  const keeps = job.cache?.policy === 'pull-push' && (code === 0 || job.cache.when === 'always');
  for (const from of keeps ? cached.flatMap((one) => expanded(cwd, one)) : [])
    caches.set(cachedIn(from), readFileSync(join(cwd, from), 'utf8'));
  const { when, paths = [], reports = {} } = job.artifacts ?? {};
  const stored = code === 0 || when === 'always' ? [...paths, ...Object.values(reports)] : [];
  const names = stored.flatMap((name) => expanded(cwd, name));
  const kept = Object.fromEntries(names.map((name) => [name, readFileSync(join(cwd, name), 'utf8')]));
  return { code, log, env, builds, artifacts: kept, told: pairs(kept[reports['dotenv'] ?? ''] ?? '') };
}

/** The files of a path in a folder: itself, what a pattern matches, or all below it. */
function expanded(cwd: string, path: string): string[] {
  if (path.includes('*')) return globbed(cwd, path);
  if (!existsSync(join(cwd, path))) return [];
  return path.endsWith('/') ? Object.keys(filesAt(join(cwd, path))).map((name) => join(path, name)) : [path];
}

function matched(pattern: string, key: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.$^+?()[\]{}|\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]*')}$`).test(key);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
