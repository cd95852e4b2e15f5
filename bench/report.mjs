// Measured cases as Markdown: one row a case with its goals, each marked as held or missed.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { plot } from './plot.mjs';

/** How much more one object may cost where the goal is "linear". */
const LINEAR = 1.2;
const NAME = 'performance.md';
const PLOT = '![CPU seconds by number of resources](performance.svg)';
const MARKS = { true: '✓', false: '✗ **missed**', undefined: '–' };

const seconds = (value) => `${value.toFixed(value < 1 ? 3 : 2)} s`;
const megabytes = (value) => `${Math.round(value)} MB`;
const times = (value) => `${value.toFixed(value < 10 ? 2 : 0)}×`;

/** Goal → what it says, and what has to be at most the limit. Undefined where it could not be measured. */
const GOALS = {
  cpu: { says: (limit) => `CPU ≤ ${limit} s`, of: ({ edgeform }) => edgeform.cpu },
  cpuTimes: { says: (limit) => `CPU ≤ ${limit}× floor`, of: ({ edgeform, floor }) => edgeform.cpu / floor.cpu },
  wallTimes: { says: (limit) => `wall ≤ ${limit}× floor`, of: ({ edgeform, floor }) => edgeform.wall / floor.wall },
  wallOver: { says: (limit) => `wall ≤ floor + ${limit} s`, of: ({ edgeform, floor }) => edgeform.wall - floor.wall },
  memory: { says: (limit) => `≤ ${limit} MB`, of: ({ edgeform }) => edgeform.memory },
  serviceCpu: { says: (limit) => `emulator ≤ ${limit} s`, of: ({ edgeform }) => edgeform.serviceCpu },
};

function goalsOf(one, measured) {
  return Object.entries(one.goals).map(([name, limit]) => {
    if (name === 'peerWall') return peerGoal(one, limit);
    if (name === 'linearTo') return linearGoal('cpu', one, { id: limit, measured });
    if (name === 'serviceLinearTo') return linearGoal('serviceCpu', one, { id: limit, measured });
    const { says, of } = GOALS[name];
    return { text: says(limit), isHeld: of(one.results) <= limit };
  });
}

function peerGoal({ results: { edgeform, peer } }, limit) {
  return { text: `wall ≤ Terraform ÷ ${limit}`, isHeld: peer && edgeform.wall <= peer.wall / limit };
}

/** CPU of one object beside that of one object of a smaller size. */
function linearGoal(figure, one, { id, measured }) {
  const smaller = measured.find((other) => other.id === id);
  const size = id.split('-').find((part) => /^\d+$/.test(part));
  const text = `${figure === 'cpu' ? '' : 'emulator '}linear from ${Number(size).toLocaleString('en')}`;
  if (smaller === undefined) return { text, isHeld: undefined };
  const each = ({ results, size: count }) => results.edgeform[figure] / count;
  const growth = each(one) / each(smaller);
  return { text: `${text} (${times(growth)} an object)`, isHeld: growth <= LINEAR };
}

const beside = (value, floor, show) => (floor === undefined ? show(value) : `${show(value)} (${show(floor)})`);

function row(one, measured) {
  const { edgeform, floor = {} } = one.results;
  const goals = goalsOf(one, measured).map(({ text, isHeld }) => `${text} ${MARKS[isHeld]}`);
  return [
    one.title,
    beside(edgeform.cpu, floor.cpu, seconds),
    floor.cpu === undefined ? '' : times(edgeform.cpu / floor.cpu),
    beside(edgeform.wall, floor.wall, seconds),
    megabytes(edgeform.memory),
    edgeform.requests === undefined ? '' : beside(edgeform.requests, floor.requests, String),
    edgeform.serviceCpu === undefined ? '' : seconds(edgeform.serviceCpu),
    goals.join('<br>'),
  ];
}

const markdown = (rows) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** All cases; a floor is in parentheses. */
export function table(measured) {
  const head = [
    'case',
    'CPU (floor)',
    'ratio',
    'wall (floor)',
    'peak memory',
    'requests (floor)',
    'CPU of the emulator',
    'goals',
  ];
  return markdown([head, head.map(() => '---'), ...measured.map((one) => row(one, measured))]);
}

/** The cases that have a peer, or why there is none. */
export function peerTable(measured, { peer, reason }) {
  const cases = measured.filter(({ hasPeer }) => hasPeer);
  if (cases.length === 0) return '';
  const cells = ({ cpu, wall, memory, requests }) => [seconds(wall), seconds(cpu), megabytes(memory), String(requests)];
  const rows = cases.flatMap(({ title, results }) => [
    [title, 'edgeform', ...cells(results.edgeform)],
    results.peer ? ['', peer.name, ...cells(results.peer)] : ['', 'Terraform', `not measured: ${reason}`, '', '', ''],
  ]);
  const head = ['case', 'program', 'wall', 'CPU', 'peak memory', 'requests'];
  return `\n${markdown([head, head.map(() => '---'), ...rows])}`;
}

/** Every run of a case, for those who do not trust a median. */
export function rawLines({ id, samples }) {
  return Object.entries(samples).flatMap(([name, list]) =>
    Object.keys(list[0])
      .filter((figure) => typeof list[0][figure] === 'number')
      .map((figure) => `${id} ${name} ${figure}: ${list.map((one) => Number(one[figure].toFixed(3))).join(' ')}`),
  );
}

function machine(runs, load) {
  const [{ model }, ...others] = cpus();
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const state = git('status', '--porcelain', '--', 'src', 'bench') === '' ? '' : ' with changes';
  return [
    `${model.trim()}, ${others.length + 1} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Node ${process.versions.node} on ${process.platform}`,
    `commit ${git('rev-parse', '--short', 'HEAD')}${state}`,
    new Date().toISOString().slice(0, 10),
    `medians of ${runs} runs`,
    `load ${load.toFixed(1)} at the start`,
  ].join(' · ');
}

function lossesOf(measured) {
  const lost = measured.flatMap((one) =>
    goalsOf(one, measured)
      .filter(({ isHeld }) => isHeld === false)
      .map(({ text }) => `- ${one.title}: ${text}`),
  );
  return lost.length === 0 ? 'Every goal is held.' : `Goals that are missed:\n\n${lost.join('\n')}`;
}

/** Replaces what stands between the two marks of performance.md, and draws the plot beside it. */
export function writeDocs({ from, to }, { measured, runs, load, peer, reason }) {
  const parts = /^([^]*<!-- results -->\n)[^]*(<!-- end of results -->[^]*)$/.exec(
    readFileSync(join(from, NAME), 'utf8'),
  );
  if (parts === null) throw new Error(`${NAME} has no marks for the results`);
  const [, before, after] = parts;
  const tables = [table(measured), lossesOf(measured), peerTable(measured, { peer, reason }).trim()];
  const results = [machine(runs, load), ...tables, PLOT].filter(Boolean).join('\n\n');
  writeFileSync(join(to, NAME), `${before}\n${results}\n\n${after}`);
  writeFileSync(join(to, 'performance.svg'), plot(measured));
}
