// `npm run bench`: every case beside its floor and, where there is one, a peer. The subjects of a case run in turn, so that what
// disturbs the machine disturbs all of them. docs/performance.md says what is measured.
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { allCases, chosenCases } from './cases.mjs';
import { createLab } from './lab.mjs';
import { medians } from './measure.mjs';
import { findPeer } from './peer.mjs';
import { peerTable, rawLines, table, writeDocs } from './report.mjs';

const DOCS = fileURLToPath(new URL('../docs', import.meta.url));
/** Processes that wait or run, on average of the last minute. */
const IDLE = 0.5;
const USAGE = `npm run bench -- [options]

  --only CASE     this case, or those whose names begin with it and a hyphen (repeatable): plan, validate-1000
  --runs COUNT    runs of each subject (default: 5; 2 with --quick)
  --quick         without cases of 10,000 resources and more
  --full          also 50,000 resources
  --peer FILE     a Terraform configuration to compare with
  --write DIR     write performance.md and performance.svg there; a run of every case writes them to docs by itself
  --list          names of the cases
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    runs: { type: 'string' },
    quick: { type: 'boolean' },
    full: { type: 'boolean' },
    peer: { type: 'string' },
    write: { type: 'string' },
    list: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

/** Runs the subjects of one case in turn, and gives the median of each. */
async function measureCase(one, lab, runs) {
  const subjects = Object.entries(one.subjects(lab));
  const samples = Object.fromEntries(subjects.map(([name]) => [name, []]));
  for (let run = 0; run < Math.min(runs, one.runs ?? runs); run += 1)
    for (const [name, measured] of subjects) samples[name].push(await measured());
  const results = Object.fromEntries(subjects.map(([name]) => [name, medians(samples[name])]));
  return { ...one, samples, results: { ...(one.floor && { floor: one.floor }), ...results } };
}

async function measureAll(cases, { lab, runs }) {
  const measured = [];
  for (const one of cases) {
    // Only one size has its services up at a time.
    if (measured.at(-1)?.size !== one.size) await lab.clear();
    const result = await measureCase(one, lab, runs);
    measured.push(result);
    for (const line of rawLines(result)) console.error(line);
  }
  return measured;
}

async function bench() {
  const { peer, reason } = findPeer(values.peer);
  const cases = chosenCases({ ...values, peer });
  if (cases.length === 0) throw new Error(`no case is called ${values.only}; --list lists them`);
  const runs = Number(values.runs ?? (values.quick ? 2 : 5));
  const [load] = loadavg();
  if (load > IDLE)
    console.error(
      `The machine is busy (load ${load.toFixed(1)}): these figures are good for nothing but a first look.`,
    );
  const lab = createLab();
  try {
    const measured = await measureAll(cases, { lab, runs });
    console.log(table(measured));
    console.log(peerTable(measured, { peer, reason }));
    const isWhole = values.only === undefined && !values.quick;
    const to = values.write ?? (isWhole ? DOCS : undefined);
    if (to !== undefined) writeDocs({ from: DOCS, to }, { measured, runs, load, peer, reason });
  } finally {
    await lab.clear();
    await peer?.stop();
    lab.remove();
  }
}

if (values.help) console.log(USAGE);
else if (values.list) for (const { id, title } of allCases({})) console.log(`${id.padEnd(28)}${title}`);
else await bench();
