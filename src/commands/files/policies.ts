// Files with policies, and with examples for them. The engine of policies is loaded here, when there are any.

import { resolve } from 'node:path';
import { hasErrors } from '../../core/diagnostic.ts';
import { Collector, Failure } from '../../core/failure.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { readManifestFiles } from '../../manifest/read-files.ts';
import { OPENINGS } from '../../core/built-in-policies.ts';
import { quotedFiles } from '../../manifest/text/quoted-file.ts';
import type { CompiledPolicies } from '../../policy/compile.ts';
import type { Found } from '../../render/view/problems.ts';
import type { Invocation } from '../shell/invocation.ts';

/** The files and directories with policies that options and the environment name. */
export function policyPaths(run: Pick<Invocation, 'settings' | 'env'>): readonly string[] {
  return named(run).filter((one) => one !== OPENINGS);
}

/** Whether options or the environment ask for the built-in policy `openings`; a file of that name is named with its folder. */
export function refusesOpenings(run: Pick<Invocation, 'settings' | 'env'>): boolean {
  return named(run).includes(OPENINGS);
}

function named({ settings, env }: Pick<Invocation, 'settings' | 'env'>): readonly string[] {
  const given = env['EDGEFORM_POLICY'] ?? '';
  return given === '' ? settings.policy : [...settings.policy, given];
}

/** Every policy that options, the environment and a fleet file name; undefined if they name none. */
export async function readPolicies(
  run: Invocation,
  more: readonly string[] = [],
): Promise<CompiledPolicies | undefined> {
  const given = [...policyPaths(run), ...more];
  return given.length === 0 ? undefined : (await readPolicyFiles(given, run)).policies;
}

type Checked = Required<Found> & { readonly manifest?: Manifest | undefined };

/** The same, or what is wrong with the policies that options and the environment name. */
export async function judgeByPolicies(
  { manifest, diagnostics, sources }: Checked,
  run: Invocation,
): Promise<Required<Found>> {
  const collector = new Collector();
  const policies = await collector.take(() => readPolicies(run));
  if (!collector.hasFailed) return withViolations({ manifest, diagnostics, sources }, policies);
  const wrong = collector.failure();
  return { diagnostics: [...diagnostics, ...wrong.diagnostics], sources: new Map([...sources, ...wrong.sources]) };
}

/** What was found in a manifest, and what policies say of it. */
export function withViolations(
  { manifest, diagnostics, sources }: Checked,
  policies: CompiledPolicies | undefined,
): Required<Found> {
  const judged = (manifest && policies?.judgeManifest(manifest)) ?? [];
  return { diagnostics: [...diagnostics, ...judged], sources: new Map([...sources, ...(policies?.sources ?? [])]) };
}

/** The policies in files and directories, and the files with examples beside them. */
export async function readPolicyFiles(
  paths: readonly string[],
  { cwd }: Pick<Invocation, 'cwd'>,
  withExamples = false,
) {
  const { value: { files: read } = { files: [] }, diagnostics: unread } = await readManifestFiles(paths, cwd);
  if (hasErrors(unread)) throw new Failure('invalid', unread);
  // A directory may be named beside a file in it.
  const files = [...new Map(read.map((file) => [resolve(cwd, file.name), file])).values()];
  const examples = files.filter(({ name }) => /\.test\.(?:ya?ml|json)$/i.test(name));
  const others = files.filter((file) => !examples.includes(file));
  const lacks = others.length === 0 ? 'policies' : withExamples && examples.length === 0 ? 'examples' : undefined;
  if (lacks !== undefined) {
    const message = `${paths.join(', ')} has no file with ${lacks}`;
    throw Failure.of('invalid', 'file-unreadable', message, 'name a YAML or JSON file, or a directory with some');
  }
  const { compilePolicies } = await import('../../policy/compile.ts');
  const { value: policies, diagnostics } = compilePolicies(others);
  if (policies !== undefined) return { policies, examples };
  throw new Failure('invalid', diagnostics, quotedFiles(others));
}
