// Names in the environment that nothing reads and that are near one that is read and not set: probably typing mistakes.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { nearest, questionOf } from '../../core/text/closest.ts';
import { isNameOfShells, PREFIX_OF_VALUES } from '../../core/text/name-of-shells.ts';

const PREFIX = 'EDGEFORM_';

const SETTINGS: readonly string[] = [
  'EDGEFORM_ACTOR',
  'EDGEFORM_API_KEY',
  'EDGEFORM_BASE_URL',
  'EDGEFORM_CAPABILITIES',
  'EDGEFORM_COMMIT',
  'EDGEFORM_FLEET_CREDENTIALS',
  'EDGEFORM_GITLAB_TOKEN',
  'EDGEFORM_PAGE_SIZE',
  'EDGEFORM_PARENT_FD',
  'EDGEFORM_POLICY',
  'EDGEFORM_SHARDS',
  'EDGEFORM_TIMEOUT',
  'EDGEFORM_VERSION_HEADER',
];

function prefixOf(name: string): string {
  return name.startsWith(PREFIX_OF_VALUES) ? PREFIX_OF_VALUES : PREFIX;
}

/** A warning for each such name; values are never shown. `variables` are those that the manifest declares. */
export function mistypedNames(
  env: Readonly<Record<string, string | undefined>>,
  variables: readonly string[],
): Diagnostic[] {
  const known = [...SETTINGS, ...variables.map((name) => `${PREFIX_OF_VALUES}${name}`)];
  const names = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !known.includes(name));
  const unset = known.filter((name) => env[name] === undefined);
  return names.flatMap((name): Diagnostic[] => {
    const prefix = prefixOf(name);
    // A prefix that all of them share says nothing of how near they are.
    const others = unset.filter((other) => prefixOf(other) === prefix).map((other) => other.slice(prefix.length));
    const fix = fixFor(name.slice(prefix.length), prefix, others);
    if (fix === undefined) return [];
    return [
      {
        code: 'name-not-read',
        severity: 'warning',
        message: `nothing reads ${name}, which is set in the environment`,
        fix,
      },
    ];
  });
}

/** What was meant by the name behind the prefix; undefined where nothing is near. */
function fixFor(name: string, prefix: string, others: readonly string[]): string | undefined {
  const near = nearest(name, others);
  const [first] = near;
  if (first === undefined) return undefined;
  const settable = near.filter((other) => isNameOfShells(`${prefix}${other}`));
  return (
    questionOf(settable.map((other) => `${prefix}${other}`)) ??
    `for ${first}, use --var-file FILE, or rename it in the manifest: no shell sets a name with a hyphen`
  );
}
