// fleet list: the stacks of a fleet, also as the matrix of a pipeline. No network, no credentials.

import type { RunOutcome } from '../../core/run-outcome.ts';
import { shardNumber } from '../../fleet/select.ts';
import { OPTIONS, STACKS } from '../options/options.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import type { Invocation } from '../shell/invocation.ts';
import { endFleet } from '../stacks/end-fleet.ts';
import { loadFleet, requireFleet, type LoadedFleet } from '../stacks/load-fleet.ts';
import { serviceOf } from '../stacks/member.ts';
import { shardFor } from '../stacks/select.ts';
import { group } from './group.ts';

/** Prints the selected stacks, in the order of the file. */
async function list(call: Call): Promise<RunOutcome> {
  const { invocation } = call;
  const fleet = requireFleet(await loadFleet(invocation, { mayLackValues: true }));
  const { listFormat } = invocation.settings;
  if (listFormat === 'github-matrix') {
    invocation.stdout.write(`${JSON.stringify({ include: matrixOf(fleet, invocation) })}\n`);
    return 'done';
  }
  const stacks = fleet.selected.map(({ entry, manifest }) => {
    const { name } = entry;
    const service = serviceOf(entry, invocation);
    return { name, stack: manifest?.stack, service, outcome: 'done', is: 'checked', diagnostics: [] } as const;
  });
  const format = listFormat === 'json' ? 'json' : 'text';
  const shown = { ...invocation, settings: { ...invocation.settings, format } } as const;
  return endFleet({ command: 'list', stacks }, { ...call, invocation: shown });
}

/** GitHub's limit for the jobs of one matrix. */
const MOST_JOBS = 256;

/** A job for each stack, with its shard of as many as --shard says, or else as there are stacks; linked stacks have one shard. */
function matrixOf({ selected, others, links }: LoadedFleet, invocation: Invocation) {
  const names = [...selected, ...others].map(({ entry }) => entry.name);
  const of = shardFor(invocation)?.of ?? Math.min(MOST_JOBS, names.length);
  const indexOf = shardNumber(names, links, of);
  return selected.map(({ entry: { name } }) => ({ name, shard: `${indexOf(name)}/${of}` }));
}

export const commands: readonly CommandSpec[] = [
  {
    position: 132,
    words: 'fleet list',
    text: 'list the stacks of a fleet; no network, no credentials',
    above: group,
    isDocument: true,
    flags: { own: [OPTIONS.listFormat, OPTIONS.color], manifest: STACKS },
    help: { examples: ['fleet list', 'fleet list --changed-since origin/main --format github-matrix'] },
    run: list,
  },
];
