// CPU of loading and planning N desired against N live objects, a tenth of which differ. Run after `npm run build`.
import { CAPABILITIES } from '../dist/catalog/kind.js';
import { kindByName } from '../dist/catalog/lookup.js';
import { writeMarker } from '../dist/resource/marker/owner.js';
import { receive } from '../dist/resource/receive.js';
import { loadManifest } from '../dist/manifest/load.js';
import { buildPlan } from '../dist/plan/build.js';

function cpu(work) {
  const start = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(start);
  return { value, ms: Math.round((user + system) / 1000) };
}

const kind = kindByName('tls_edge');
for (const count of [1_250, 2_500, 5_000, 10_000]) {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const block = (index) => ({
    hostports: [`h${index}.example.com:443`],
    description: `d${index}`,
    backend: { backend_id: 'bkdhr_x' },
  });
  const text = JSON.stringify({
    version: 1,
    stack: 's',
    tls_edges: Object.fromEntries(numbers.map((index) => [`a${index}`, block(index)])),
  });
  const files = [{ name: 'bench.json', text }];
  const loaded = cpu(() =>
    loadManifest({ files, variables: new Map(), env: {}, readFile: () => ({ diagnostics: [] }) }),
  );
  const resources = numbers.map((index) =>
    receive(kind, {
      id: `${kind.idPrefix}${String(index).padStart(27, '0')}`,
      description: index % 10 === 0 ? 'changed' : `d${index}`,
      hostports: [`h${index}.example.com:443`],
      backend: { enabled: true, backend: { id: 'bkdhr_x', uri: 'u' } },
      metadata: writeMarker('', { v: 1, stack: 's', address: `tls_edges.a${index}`, applied: {} }),
    }),
  );
  const options = {
    destroy: false,
    allowDeletes: 'all',
    allowReplace: [],
    targets: [],
    capabilities: new Set(CAPABILITIES),
  };
  const planned = cpu(() =>
    buildPlan({
      manifest: loaded.value.value,
      snapshot: { resources, unread: [], requests: 1 },
      service: 'x',
      options,
    }),
  );
  console.log(
    `${count} desired x ${count} live: load ${loaded.ms} ms, plan ${planned.ms} ms CPU, ${planned.value.steps.length} steps`,
  );
}
