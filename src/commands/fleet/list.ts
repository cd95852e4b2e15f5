// fleet list: the stacks of a fleet, also as the matrix of a pipeline. No network, no credentials.

import type { RunOutcome } from '../../core/run-outcome.ts';
import { plural } from '../../core/text/text.ts';
import { waveOf } from '../../core/waves.ts';
import { definitionLines } from '../../render/text/lines.ts';
import { OPTIONS, STACKS } from '../options/options.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import { checkedIn, endFleet } from '../stacks/end-fleet.ts';
import { loadFleet, requireFleet } from '../stacks/load-fleet.ts';
import { group } from './group.ts';

/** Prints the selected stacks, in the order of the file. */
async function list(call: Call): Promise<RunOutcome> {
  const { invocation } = call;
  const fleet = requireFleet(await loadFleet(invocation, { mayLackValues: true }));
  const { listFormat } = invocation.settings;
  if (listFormat === 'github-matrix') {
    const taken = fleet.selected.filter(fleet.isInShard).map(({ entry }) => entry);
    const include = taken.map((entry) => ({ name: entry.name, wave: waveOf(entry) }));
    invocation.stdout.write(`${JSON.stringify({ include })}\n`);
    return 'done';
  }
  const stacks = checkedIn(fleet.selected.filter(fleet.isInShard), invocation);
  if (listFormat === 'json') {
    const shown = { ...invocation, settings: { ...invocation.settings, format: listFormat } } as const;
    return endFleet({ command: 'list', stacks }, { ...call, invocation: shown });
  }
  const rows = stacks.map(({ name, stack, service, wave }) => {
    const named = stack === undefined ? 'its stack is not known without values of variables' : `stack ${stack}`;
    const inWave = wave === undefined ? '' : `, wave ${wave}`;
    return { name, text: `${named}${service === undefined ? '' : ` at ${service}`}${inWave}` };
  });
  invocation.stdout.write(`${[`${plural(rows.length, 'stack')}:`, ...definitionLines(rows, Infinity)].join('\n')}\n`);
  return 'done';
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
