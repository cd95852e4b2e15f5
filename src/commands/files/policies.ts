// Files with policies, and with examples for them. The engine of policies is loaded here, when there are any.

import { hasErrors } from '../../core/diagnostic.ts';
import { Collector, Failure } from '../../core/failure.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { readManifestFiles } from '../../manifest/read-files.ts';
import type { CompiledPolicies } from '../../policy/compile.ts';
import type { Found } from '../../render/view/problems.ts';
import type { Invocation } from '../shell/invocation.ts';

/** Every policy that options, the environment and a fleet file name; undefined if they name none. */
export async function readPolicies(
  run: Invocation,
  more: readonly string[] = [],
): Promise<CompiledPolicies | undefined> {
  const named = run.env['EDGEFORM_POLICY'] ?? '';
  const paths = [...run.settings.policy, ...(named === '' ? [] : [named]), ...more];
  return paths.length === 0 ? undefined : (await readPolicyFiles(paths, run)).policies;
}

/** What policies say of a manifest, or what is wrong with them. */
export async function judgeByPolicies(manifest: Manifest | undefined, run: Invocation): Promise<Required<Found>> {
  const collector = new Collector();
  const policies = await collector.take(() => readPolicies(run));
  if (collector.hasFailed) return collector.failure();
  const diagnostics = manifest === undefined ? [] : (policies?.judgeManifest(manifest) ?? []);
  return { diagnostics, sources: policies?.sources ?? new Map() };
}

/** The policies in files and directories, and the files with examples beside them. */
export async function readPolicyFiles(paths: readonly string[], { cwd }: Pick<Invocation, 'cwd'>) {
  const { value: { files } = { files: [] }, diagnostics: unread } = await readManifestFiles(paths, cwd);
  if (hasErrors(unread)) throw new Failure('invalid', unread);
  const examples = files.filter(({ name }) => /\.test\.(?:ya?ml|json)$/i.test(name));
  const others = files.filter((file) => !examples.includes(file));
  if (others.length === 0) throw nothingIn(paths, 'policies');
  const { compilePolicies } = await import('../../policy/compile.ts');
  const { value: policies, diagnostics } = compilePolicies(others);
  if (policies !== undefined) return { policies, examples };
  throw new Failure('invalid', diagnostics, new Map(others.map(({ name, text }) => [name, text])));
}

export function nothingIn(paths: readonly string[], what: string): Failure {
  const message = `${paths.join(', ')} has no file with ${what}`;
  return Failure.of('invalid', 'file-unreadable', message, 'name a YAML or JSON file, or a directory with some');
}
