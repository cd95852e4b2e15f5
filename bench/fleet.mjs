// CPU, memory and list requests of planning many stacks together, beside one stack with as many resources; nothing differs:
// `npm run build && node bench/fleet.mjs [STACKSxRESOURCES…]`. Each case is a process of its own; the service is a script.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { topLevelKinds, kindByName } from '../dist/catalog/lookup.js';
import { createFleetRun } from '../dist/fleet/fleet.js';
import { planFleet } from '../dist/fleet/plan.js';
import { loadManifest } from '../dist/manifest/load.js';
import { createRun } from '../dist/reconcile/create-run.js';
import { makePlan } from '../dist/reconcile/plan.js';
import { platformOf } from '../dist/reconcile/platform.js';

const KIND = kindByName('tls_edge');
const PAGE = 100;
const GOALS = { cpuTimes: 1.5, memoryMb: 400 };
const CONNECTION = { baseUrl: 'http://localhost', apiKey: 'bench-key-0123456789' };

function manifestOf(stack, count) {
  const block = (index) => ({
    hostports: [`${stack}-${index}.example.com:443`],
    description: `d${index}`,
    backend: { backend_id: 'bkdhr_x' },
  });
  const blocks = Array.from({ length: count }, (_, index) => [`a${index}`, block(index)]);
  const text = JSON.stringify({ version: 1, stack, tls_edges: Object.fromEntries(blocks) });
  const files = [{ name: `${stack}.json`, text }];
  return loadManifest({ files, variables: new Map(), env: {}, readFile: () => ({ diagnostics: [] }) }).value;
}

/** A service that holds these objects, and counts the requests for its lists. */
function serviceOf(objects) {
  let lists = 0;
  const keys = new Map(topLevelKinds.map(({ operations: { list } }) => [list.path, list.key]));
  const own = KIND.operations.list.path;
  const exchange = ({ url }) => {
    lists += 1;
    const from = Number(url.searchParams.get('before_id') ?? 0);
    const all = url.pathname === own ? objects : [];
    const next = from + PAGE < all.length ? `${url.origin}${url.pathname}?before_id=${from + PAGE}` : null;
    const body = { [keys.get(url.pathname)]: all.slice(from, from + PAGE), uri: url.href, next_page_uri: next };
    const bytes = Buffer.from(JSON.stringify(body));
    return Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, bytes });
  };
  return { exchange, lists: () => lists };
}

/** What the creations of a plan make, with the marker that they write. */
function madeBy({ steps }, offset) {
  return steps.map(({ requests: [{ body }] }, index) => ({
    ...body,
    id: `${KIND.idPrefix}${String(offset + index).padStart(27, '0')}`,
    backend: { enabled: true, backend: { id: 'bkdhr_x', uri: 'u' } },
  }));
}

async function measured(stacks, count) {
  const names = Array.from({ length: stacks }, (_, index) => `s${index}`);
  const started = process.cpuUsage();
  const manifests = names.map((name) => manifestOf(name, count));
  const loaded = process.cpuUsage(started);
  const options = { journal: '/nonexistent/journal' };
  const empty = platformOf({ exchange: serviceOf([]).exchange });
  const objects = [];
  for (const manifest of manifests)
    objects.push(
      ...madeBy(await makePlan(createRun({ ...CONNECTION, manifest, platform: empty, options })), objects.length),
    );
  const service = serviceOf(objects);
  const platform = platformOf({ exchange: service.exchange });
  const before = process.cpuUsage();
  const plans =
    stacks === 1
      ? [await makePlan(createRun({ ...CONNECTION, manifest: manifests[0], platform, options }))]
      : (
          await planFleet(
            createFleetRun({
              platform,
              stacks: manifests.map((manifest, index) => ({ ...CONNECTION, name: names[index], manifest, options })),
            }),
          )
        ).map(({ plan }) => plan);
  const { user, system } = process.cpuUsage(before);
  if (plans.some((plan) => plan === undefined || plan.steps.length + plan.refusals.length > 0))
    throw new Error('the plans are not empty');
  return {
    load: (loaded.user + loaded.system) / 1e6,
    plan: (user + system) / 1e6,
    memoryMb: process.resourceUsage().maxRSS / 1024,
    lists: service.lists(),
  };
}

const [first, ...others] = process.argv.slice(2);
if (first === '--one') {
  console.log(JSON.stringify(await measured(Number(others[0]), Number(others[1]))));
} else {
  const cases = (first === undefined ? ['200x50', '1000x5'] : [first, ...others]).map((text) =>
    text.split('x').map(Number),
  );
  const run = (stacks, count) =>
    JSON.parse(
      execFileSync(process.execPath, [fileURLToPath(import.meta.url), '--one', stacks, count], { encoding: 'utf8' }),
    );
  const shown = ({ load, plan, memoryMb, lists }) =>
    `load ${load.toFixed(2)} s, plan ${plan.toFixed(2)} s CPU, ${Math.round(memoryMb)} MB, ${lists} list requests`;
  for (const [stacks, count] of cases) {
    const [together, alone] = [run(stacks, count), run(1, stacks * count)];
    const times = together.plan / alone.plan;
    console.log(`${stacks} stacks × ${count}: ${shown(together)}`);
    console.log(`1 stack × ${stacks * count}: ${shown(alone)}`);
    console.log(`  ${times.toFixed(2)} times the CPU (goal ${GOALS.cpuTimes}), memory goal ${GOALS.memoryMb} MB`);
    if (together.lists !== alone.lists) throw new Error('the fleet sends other list requests than one stack');
  }
}
