// CPU of loading and planning N desired against N live objects, a tenth of which differ, the dry run included:
// `npm run build && node bench/plan.mjs [N…]`.
import { parseArgs } from 'node:util';
import { CAPABILITIES } from '../dist/catalog/kind.js';
import { kindByName } from '../dist/catalog/lookup.js';
import { receive } from '../dist/resource/receive.js';
import { loadManifest } from '../dist/manifest/load.js';
import { buildPlan } from '../dist/plan/build.js';

const KIND = kindByName('tls_edge');
const DIFFERING = 10;
const OPTIONS = {
  destroy: false,
  allowDeletes: 'all',
  allowLoss: [],
  targets: [],
  capabilities: new Set(CAPABILITIES),
};

function cpu(work) {
  const start = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(start);
  return { value, seconds: (user + system) / 1e6 };
}

function manifestOf(count) {
  const block = (index) => ({
    hostports: [`h${index}.example.com:443`],
    description: `d${index}`,
    backend: { backend_id: 'bkdhr_x' },
  });
  const blocks = Array.from({ length: count }, (_, index) => [`a${index}`, block(index)]);
  return JSON.stringify({ version: 1, stack: 's', tls_edges: Object.fromEntries(blocks) });
}

function load(text) {
  const files = [{ name: 'bench.json', text }];
  return loadManifest({ files, variables: new Map(), env: {}, readFile: () => ({ diagnostics: [] }) }).value;
}

function plan(manifest, resources) {
  return buildPlan({ manifest, snapshot: { resources, unread: [], requests: 1 }, service: 'x', options: OPTIONS });
}

/** What the creations of a plan make, with the marker that they write; a tenth was changed by somebody since. */
function liveAfter({ steps }) {
  return steps.map(({ requests: [{ body }] }, index) =>
    receive(KIND, {
      ...body,
      id: `${KIND.idPrefix}${String(index).padStart(27, '0')}`,
      backend: { enabled: true, backend: { id: 'bkdhr_x', uri: 'u' } },
      ...(index % DIFFERING === 0 && { description: 'changed' }),
    }),
  );
}

function measured(count) {
  const text = manifestOf(count);
  const loaded = cpu(() => load(text));
  const live = liveAfter(plan(loaded.value, []));
  const planned = cpu(() => plan(loaded.value, live));
  const { length } = planned.value.steps;
  if (length !== Math.ceil(count / DIFFERING)) throw new Error(`${length} steps for ${count} objects`);
  return { load: loaded.seconds, plan: planned.seconds };
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
for (const count of positionals.length > 0 ? positionals.map(Number) : [1_250, 2_500, 5_000, 10_000]) {
  const seconds = measured(count);
  if (values.json) console.log(JSON.stringify({ cpu: seconds.plan }));
  else
    console.log(
      `${count} desired × ${count} live: load ${seconds.load.toFixed(2)} s, plan ${seconds.plan.toFixed(2)} s CPU`,
    );
}
