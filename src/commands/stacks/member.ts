// The service of each stack of a fleet, as far as it is known without a connection.

import { sha256 } from '../../core/digest.ts';
import { tryTo } from '../../core/try.ts';
import type { FleetEntry } from '../../fleet/fleet-file.ts';
import type { LoadedEntry } from '../../fleet/load-entry.ts';
import type { Member } from '../../fleet/order.ts';
import { DEFAULT_CREDENTIALS } from '../../schema/fleet-schema.ts';
import { parseBaseUrl } from '../../service/settings.ts';
import type { Invocation } from '../shell/invocation.ts';

/** The address of an entry's service; undefined if it is not set, or not valid. */
export function serviceOf({ baseUrlEnv }: FleetEntry, { settings, env }: Invocation): string | undefined {
  const flag = baseUrlEnv === DEFAULT_CREDENTIALS.base_url_env ? settings.baseUrl : undefined;
  const given = flag ?? env[baseUrlEnv];
  return given === undefined || given === '' ? undefined : tryTo(() => parseBaseUrl(given).value?.href);
}

/** The stacks with a manifest. Those whose variables are not set are at the same service if they name the same variables. */
export function membersOf(loaded: readonly LoadedEntry[], run: Invocation): Member[] {
  return loaded.flatMap(({ entry, manifest }): Member[] => {
    if (manifest === undefined) return [];
    const { name, range, baseUrlEnv, apiKeyEnv } = entry;
    const key = run.env[apiKeyEnv];
    const account = key === undefined ? apiKeyEnv : sha256(key);
    return [{ name, service: `${serviceOf(entry, run) ?? baseUrlEnv} ${account}`, manifest, range }];
  });
}
