// graph: the dependencies between the manifest's resources. No network, no credentials.

import { groupBy } from '../core/group.ts';
import { referencesIn } from '../core/value.ts';
import type { DesiredResource } from '../manifest/manifest.ts';
import { graphText, type Graph } from '../render/graph.ts';
import { load } from './shell/load.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { MANIFEST, OPTIONS } from './options/options.ts';
import type { Call, CommandSpec } from './shell/command.ts';

/** Prints the graph as Mermaid or DOT text. */
async function graph({ invocation: run }: Call): Promise<RunOutcome> {
  const { stack, resources, imports } = await load(run, { mayLackValues: true });
  const nodes = [...resources, ...imports].map(({ address }) => address);
  run.stdout.write(
    `${graphText(run.settings.graphFormat, { name: stack, nodes, links: resources.flatMap(linksOf) })}\n`,
  );
  return 'done';
}

function linksOf({ address, parent, spec }: DesiredResource): Graph['links'] {
  const values = groupBy(referencesIn(spec), (one) => one.address);
  const links = [...values].map(([to, names]) => ({
    from: address,
    to,
    values: [...new Set(names.map(({ attr }) => attr))],
  }));
  return parent === undefined ? links : [{ from: address, to: parent, values: [] }, ...links];
}

export const commands: readonly CommandSpec[] = [
  {
    position: 120,
    words: 'graph',
    text: 'print the dependencies between resources; no network',
    isDocument: true,
    flags: { own: [OPTIONS.graphFormat, OPTIONS.color], manifest: MANIFEST },
    help: { examples: ['graph > graph.mmd', 'graph --format dot | dot -Tsvg > graph.svg'] },
    run: graph,
  },
];
