// Which stacks of a fleet a run takes: those that --only, --changed-since and --shard all name; and the service of each, as far as
// it is known without a connection.

import { sha256 } from '../../core/digest.ts';
import { Collector, requireValue } from '../../core/failure.ts';
import { tryTo } from '../../core/try.ts';
import { changedSince } from '../../fleet/changed.ts';
import type { FleetEntry, FleetFile } from '../../fleet/fleet-file.ts';
import type { LoadedEntry } from '../../fleet/load-entry.ts';
import type { ImportLink, Member } from '../../fleet/order.ts';
import { namesLike, readShard, shardNumber } from '../../fleet/select.ts';
import { gitIn } from '../../platform/git.ts';
import { DEFAULT_CREDENTIALS } from '../../schema/fleet-schema.ts';
import { parseBaseUrl } from '../../service/settings.ts';
import type { Invocation } from '../shell/invocation.ts';

interface Selectable {
  /** Path of the fleet file. */
  readonly name: string;
  readonly file: FleetFile;
  readonly loaded: readonly LoadedEntry[];
  readonly links: readonly ImportLink[];
}

/** The selected names, in the order of the file; fails with the problems of all options. */
export async function selectedIn(
  { name, file, loaded, links }: Selectable,
  run: Invocation,
): Promise<readonly string[]> {
  const { settings, cwd, env } = run;
  const names = file.entries.map((entry) => entry.name);
  const collector = new Collector();
  const like = collector.try(() => requireValue(namesLike(names, settings.only)));
  const rev = settings.changedSince;
  const changed =
    rev === undefined
      ? new Set(names)
      : await collector.take(async () => {
          const shared = [name, ...file.policies];
          return requireValue(await changedSince(rev, { cwd, git: gitIn(env), shared, loaded, links }));
        });
  const shard = collector.try(() => shardFor(run));
  if (collector.hasFailed || like === undefined || changed === undefined) throw collector.failure();
  const shardOf = shard && shardNumber(names, links, shard.of);
  return like.filter((one) => changed.has(one) && shardOf?.(one) === shard?.index);
}

/** The shard of this run; undefined if it takes the whole fleet. */
export function shardFor({ settings: { shard }, env }: Invocation) {
  return shard === undefined ? undefined : requireValue(readShard(shard, env));
}

/** The address of an entry's service; undefined if it is not set, or not valid. */
export function serviceOf({ baseUrlEnv }: FleetEntry, { settings, env }: Invocation): string | undefined {
  const flag = baseUrlEnv === DEFAULT_CREDENTIALS.base_url_env ? settings.baseUrl : undefined;
  const given = flag ?? env[baseUrlEnv];
  return given === undefined || given === '' ? undefined : tryTo(() => parseBaseUrl(given).value?.href);
}

/** The stacks whose names are known. Those whose variables are not set are at the same service if they name the same variables. */
export function membersOf(loaded: readonly LoadedEntry[], run: Invocation): Member[] {
  return loaded.flatMap(({ entry, manifest, outline }): Member[] => {
    const stack = manifest?.stack ?? outline?.stack;
    if (stack === undefined) return [];
    const { name, range, baseUrlEnv, apiKeyEnv } = entry;
    const key = run.env[apiKeyEnv];
    const account = key === undefined ? apiKeyEnv : sha256(key);
    return [{ name, service: `${serviceOf(entry, run) ?? baseUrlEnv} ${account}`, stack, manifest, range }];
  });
}
