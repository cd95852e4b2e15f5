// Files with policies, and with examples for them. The engine of policies is loaded here, when there are any.

import { basename, resolve } from 'node:path';
import { Collector, Failure } from '../../core/failure.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { pathsNamed } from '../../manifest/manifest-paths.ts';
import { MAX_FILE_BYTES } from '../../manifest/text/preflight.ts';
import { failOnFileError } from '../../platform/problem.ts';
import { readText } from '../../platform/read.ts';
import type { CompiledPolicies } from '../../policy/compile.ts';
import type { PolicyText } from '../../policy/read.ts';
import type { Found } from '../../render/view/problems.ts';
import type { Invocation } from '../shell/invocation.ts';

/** Every policy that options, the environment and a fleet file name; undefined if they name none. */
export async function readPolicies(
  run: Invocation,
  more: readonly string[] = [],
): Promise<CompiledPolicies | undefined> {
  const named = run.env['EDGEFORM_POLICY'] ?? '';
  const paths = [...run.settings.policy, ...(named === '' ? [] : [named]), ...more];
  return paths.length === 0 ? undefined : compileFiles(textsIn(paths, run, (name) => !isTest(name)));
}

/** What policies say of a manifest, or what is wrong with them. */
export async function judgeByPolicies(manifest: Manifest | undefined, run: Invocation): Promise<Required<Found>> {
  const collector = new Collector();
  const policies = await collector.take(() => readPolicies(run));
  if (collector.hasFailed) return collector.failure();
  const diagnostics = manifest === undefined ? [] : (policies?.judgeManifest(manifest) ?? []);
  return { diagnostics, sources: policies?.sources ?? new Map() };
}

export async function compileFiles(files: readonly PolicyText[]): Promise<CompiledPolicies> {
  const { compilePolicies } = await import('../../policy/compile.ts');
  const { value, diagnostics } = compilePolicies(files);
  if (value !== undefined) return value;
  throw new Failure('invalid', diagnostics, new Map(files.map(({ name, text }) => [name, text])));
}

export function isTest(path: string): boolean {
  return /\.test\.(?:ya?ml|json)$/i.test(path);
}

/** The files that paths name: themselves, or those in a directory that are wanted. Each file counts once. */
export function textsIn(
  paths: readonly string[],
  { cwd }: Pick<Invocation, 'cwd'>,
  isWanted: (name: string) => boolean,
): PolicyText[] {
  const collector = new Collector();
  const files = new Map<string, PolicyText>();
  for (const path of paths) {
    const found = collector.try(() => failOnFileError(() => pathsNamed(path, cwd))) ?? [path];
    const wanted = found.filter((one) => one === path || isWanted(basename(one)));
    if (wanted.length === 0) collector.add(nothingIn(path));
    for (const name of wanted) {
      const read = () => ({ name, text: readText(resolve(cwd, name), { maxBytes: MAX_FILE_BYTES }) });
      const file = collector.try(() => failOnFileError(read));
      if (file !== undefined) files.set(resolve(cwd, name), file);
    }
  }
  if (collector.hasFailed) throw collector.failure();
  return [...files.values()];
}

function nothingIn(path: string): Failure {
  const message = `${JSON.stringify(path)} has no such file`;
  return Failure.of('invalid', 'file-unreadable', message, 'name a YAML or JSON file, or a directory with some');
}
