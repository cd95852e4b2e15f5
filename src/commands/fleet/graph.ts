// fleet graph: which stacks import from which. No network, no credentials.

import { groupBy } from '../../core/group.ts';
import type { RunOutcome } from '../../core/run-outcome.ts';
import { graphText } from '../../render/graph.ts';
import { OPTIONS, STACKS } from '../options/options.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import { loadFleet, requireFleet } from '../stacks/load-fleet.ts';
import { group } from './group.ts';

/** Prints the selected stacks and those that they import from as Mermaid or DOT text. */
async function graph({ invocation }: Call): Promise<RunOutcome> {
  const { selected, isInShard, links: all } = requireFleet(await loadFleet(invocation, { mayLackValues: true }));
  const names = new Set(selected.filter(isInShard).map(({ entry }) => entry.name));
  const imports = all.filter(({ to }) => names.has(to));
  const pairs = groupBy(imports, ({ from, to }) => JSON.stringify([to, from]));
  const links = [...pairs.values()].map((same) => {
    const [{ from, to }] = same;
    return { from: to, to: from, values: [...new Set(same.map(({ address }) => address))] };
  });
  const nodes = [...new Set([...names, ...links.map(({ to }) => to)])];
  invocation.stdout.write(`${graphText(invocation.settings.graphFormat, { name: 'fleet', nodes, links })}\n`);
  return 'done';
}

export const commands: readonly CommandSpec[] = [
  {
    position: 138,
    words: 'fleet graph',
    text: 'print which stacks import from which; no network',
    above: group,
    isDocument: true,
    flags: { own: [OPTIONS.graphFormat, OPTIONS.color], manifest: STACKS },
    help: { examples: ['fleet graph > fleet.mmd', 'fleet graph --format dot | dot -Tsvg > fleet.svg'] },
    run: graph,
  },
];
