// CPU that policies add to a plan, from loading their engine to the last verdict: `npm run build && node bench/policies.mjs [N [M]]`
// for N resources and M policies, by default 1,000 and 20. Fails above the goal of 150 ms.
import { CAPABILITIES } from '../dist/catalog/kind.js';
import { loadManifest } from '../dist/manifest/load.js';
import { buildPlan } from '../dist/plan/build.js';

const GOAL_MS = 150;
const [count = 1_000, most = 20] = process.argv
  .slice(2)
  .filter((one) => one !== '--json')
  .map(Number);
const RULES = [
  { on: 'object', kinds: ['tls_edge'], expression: 'object.hostports.all(h, h.endsWith(".example.com:443"))' },
  { on: 'object', expression: 'object.description.matches("^d[0-9]+$")' },
  {
    on: 'object',
    kinds: ['tls_edge'],
    when: 'has(object.backend)',
    expression: 'object.backend.backend_id.startsWith("bkdhr_")',
  },
  { on: 'step', actions: ['create', 'update'], expression: 'step.changes.all(c, c.cause != "drift")' },
  { on: 'plan', expression: 'plan.summary.delete + plan.summary.replace <= 3' },
];
const policies = Array.from({ length: most }, (_, at) => ({
  name: `p${at}`,
  message: 'no',
  ...RULES[at % RULES.length],
}));
const block = (index) => ({
  hostports: [`h${index}.example.com:443`],
  description: `d${index}`,
  backend: { backend_id: 'bkdhr_x' },
});
const blocks = Array.from({ length: count }, (_, index) => [`a${index}`, block(index)]);
const text = JSON.stringify({ version: 1, stack: 's', tls_edges: Object.fromEntries(blocks) });
const files = [{ name: 'bench.json', text }];
const readFile = () => ({ diagnostics: [] });
const { value: manifest } = loadManifest({ files, variables: new Map(), env: {}, readFile });
const options = {
  destroy: false,
  allowDeletes: 'all',
  allowReplace: [],
  targets: [],
  capabilities: new Set(CAPABILITIES),
};
const plan = (judged) =>
  buildPlan({
    manifest,
    snapshot: { resources: [], unread: [], requests: 1 },
    service: 'x',
    options,
    policies: judged,
  });

const cpu = async (work) => {
  const start = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(start);
  return { value, ms: (user + system) / 1e3 };
};
const compiled = await cpu(async () => {
  const { compilePolicies } = await import('../dist/policy/compile.js');
  return compilePolicies([{ name: 'bench.json', text: JSON.stringify({ version: 1, policies }) }]).value;
});
plan();
const own = [];
const judge = (facts) => {
  const start = process.cpuUsage();
  const verdict = compiled.value.judge(facts);
  const { user, system } = process.cpuUsage(start);
  own.push((user + system) / 1e3);
  return verdict;
};
const { refusals } = plan({ digest: compiled.value.digest, judge });
if (refusals.length > 0) throw new Error(refusals[0].message);
const ms = compiled.ms + own.reduce((sum, one) => sum + one, 0);
if (process.argv.includes('--json')) console.log(JSON.stringify({ cpu: ms / 1e3 }));
else
  console.log(
    `${count} resources x ${most} policies: ${ms.toFixed(0)} ms CPU, of which ${compiled.ms.toFixed(0)} ms to load and compile`,
  );
if (count <= 1_000 && most <= 20 && ms > GOAL_MS) process.exitCode = 1;
