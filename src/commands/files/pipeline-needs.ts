// What a pipeline must know of the repository that it is written for: what the manifest beside it needs, and the branch that is
// applied. Whatever is wrong with the manifest, `validate` says.

import { EXAMPLES } from '../../catalog/examples.ts';
import { Failure } from '../../core/failure.ts';
import { isObject } from '../../core/json.ts';
import { loadManifest, type ManifestResult } from '../../manifest/load.ts';
import { readManifestFiles } from '../../manifest/read-files.ts';
import type { Git } from '../../platform/git.ts';
import type { ManifestNeeds } from '../../render/scaffold/pipeline.ts';

/** What the manifest of a folder needs to be planned and applied; fails when it is that of another stack. */
export async function manifestNeeds(folder: string, stack: string): Promise<ManifestNeeds> {
  const { value: found } = await readManifestFiles([], folder);
  if (found === undefined) return { secrets: [], values: [], writesTokens: false };
  const { outline, plain } = loadManifest({ ...found, variables: new Map(), env: {}, mayLackValues: true });
  if (outline.stack !== undefined && outline.stack !== stack)
    throw Failure.of(
      'invalid',
      'stack-mismatch',
      `the manifest here is that of stack ${outline.stack}, and not of ${stack}; nothing was written`,
      `give its own name: --stack ${outline.stack}`,
    );
  return needsOf({ outline, plain });
}

/** What a manifest that was read needs. */
export function needsOf({ outline, plain }: Pick<ManifestResult, 'outline' | 'plain'>): ManifestNeeds {
  const { variables } = plain.document;
  const hasDefault = (name: string) => {
    const declared = isObject(variables) ? variables[name] : undefined;
    return isObject(declared) && declared['default'] !== undefined;
  };
  return {
    secrets: outline.sensitive,
    values: outline.variables.filter((name) => !outline.sensitive.includes(name) && !hasDefault(name)),
    writesTokens: outline.addresses.some((address) => address.startsWith(`${EXAMPLES.returnedOnce}.`)),
  };
}

/** Where no branch can be seen. */
const USUAL = 'main';

/** The branch that `origin/HEAD` names, else `main` or `master` where there is one, else the one that is checked out. */
export async function defaultBranch(folder: string, git: Git): Promise<string> {
  const ask = async (...args: string[]) => {
    const { code, stdout } = await git(folder, args);
    return code === 0 ? stdout.trim() : undefined;
  };
  const remote = await ask('symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD');
  if (remote !== undefined) return remote.slice('origin/'.length);
  for (const name of [USUAL, 'master'])
    if ((await ask('show-ref', '--verify', '--quiet', `refs/heads/${name}`)) !== undefined) return name;
  return (await ask('symbolic-ref', '--quiet', '--short', 'HEAD')) ?? USUAL;
}
