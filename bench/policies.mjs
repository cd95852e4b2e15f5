// CPU that 20 policies add to a plan of 1,000 resources, as processes of their own against an emulator:
// `npm run build && node bench/policies.mjs [RESOURCES [POLICIES [RUNS]]]`. The median of the runs with and without them, in turn.
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from './lab.mjs';
import { measure, node } from './measure.mjs';

const GOAL_MS = 150;
const isJson = process.argv.includes('--json');
const numbers = process.argv.slice(2).filter((one) => one !== '--json');
const [count = 1_000, most = 20, runs = 5] = numbers.map(Number);
/** Each is another expression, and meets every resource, every step or the plan. */
const RULES = [
  (n) => ({
    on: 'object',
    kinds: ['tls_edge'],
    expression: `object.hostports.all(h, h.endsWith("${'.example.com:443'.slice(n)}"))`,
  }),
  (n) => ({ on: 'object', expression: `object.description.matches("^d[0-9]{1,${n + 5}}$")` }),
  (n) => ({
    on: 'object',
    kinds: ['tls_edge'],
    when: 'has(object.backend)',
    expression: `object.backend.backend_id.startsWith("${'bkdhr_'.slice(0, 6 - n)}")`,
  }),
  (n) => ({ on: 'step', actions: ['create', 'update'], expression: `step.changes.all(c, c.cause != "drift${n}")` }),
  (n) => ({ on: 'plan', expression: `plan.summary.delete + plan.summary.replace <= ${n}` }),
];
const policies = Array.from({ length: most }, (_, at) => ({
  name: `p${at}`,
  message: 'no',
  ...RULES[at % RULES.length](Math.floor(at / RULES.length)),
}));
const block = (index) => ({
  hostports: [`h${index}.example.com:443`],
  description: `d${index}`,
  backend: { backend_id: 'bkdhr_x' },
});
const blocks = Array.from({ length: count }, (_, index) => [`a${index}`, block(index)]);

const cwd = mkdtempSync(join(tmpdir(), 'policies-'));
writeFileSync(
  join(cwd, 'edgeform.json'),
  JSON.stringify({ version: 1, stack: 's', tls_edges: Object.fromEntries(blocks) }),
);
writeFileSync(join(cwd, 'policies.json'), JSON.stringify({ version: 1, policies }));
const emulator = spawn(process.execPath, [PROGRAM, 'emulator', '--api-key', 'local']);
try {
  const first = await new Promise((resolve) => emulator.stdout.once('data', resolve));
  const env = { EDGEFORM_BASE_URL: JSON.parse(String(first)).url, EDGEFORM_API_KEY: 'local' };
  const plan = async (...args) =>
    (await measure(node(PROGRAM, 'plan', '-f', 'edgeform.json', ...args), { cwd, env })).cpu * 1e3;
  const [without, judged] = [[], []];
  for (let run = 0; run < runs; run++) {
    without.push(await plan());
    judged.push(await plan('--policy', 'policies.json'));
  }
  const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
  const added = median(judged) - median(without);
  if (isJson) console.log(JSON.stringify({ cpu: added / 1e3 }));
  else
    console.log(`${count} resources x ${most} policies add ${added.toFixed(0)} ms CPU to a plan (goal: ${GOAL_MS} ms)`);
} finally {
  emulator.kill();
}
