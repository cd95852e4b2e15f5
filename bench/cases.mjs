// What is measured: each case has its subjects, which run in turn, and its goals. A subject resolves to a sample.
import { fileURLToPath } from 'node:url';
import { CONCURRENCY, PROGRAM } from './lab.mjs';
import { measure, node } from './measure.mjs';

const LATENCY = 50;
/** From here on a case takes minutes in all, and `--quick` leaves it out. */
const LARGE = 10_000;
/** Only with `--full`. */
const HUGE = 50_000;

const start = () => measure(node('-e', '0'));
const run = (...args) => measure(node(PROGRAM, ...args));
const script = (name) => fileURLToPath(new URL(name, import.meta.url));
const many = (count) => count.toLocaleString('en');

const STARTS = [
  ['version', ['--version']],
  ['help', ['--help']],
  ['completion', ['completion', 'bash']],
].map(([id, args]) => ({
  id,
  title: `\`${args.join(' ')}\``,
  goals: { cpuTimes: 1.6, memory: 55 },
  subjects: () => ({ floor: start, edgeform: () => run(...args) }),
}));

function validate(size, format, goals) {
  return {
    id: `validate-${size}-${format}`,
    title: `\`validate\` ${many(size)}, ${format.toUpperCase()}`,
    size,
    series: `validate, ${format.toUpperCase()}`,
    goals,
    subjects: (lab) => ({ floor: start, edgeform: () => run('validate', '-f', lab.manifest(size, format)) }),
  };
}

/** Every block uses a preset; the floor is the same stack without them. */
function presetsCase(size, goals) {
  const on = (folder) => run('validate', '-f', folder);
  return {
    id: `validate-${size}-presets`,
    title: `\`validate\` ${many(size)} with as many uses of three presets; the floor is without them`,
    size,
    goals,
    subjects: (lab) => ({
      floor: () => on(lab.manifest(size)),
      edgeform: () => on(lab.manifest(size, 'yaml', 'presets')),
    }),
  };
}

/** A stack that is created, and then planned beside its journal; the plans take what the last creation left. */
function applyCase(size, latency, goals, what) {
  const wall = (size * latency) / 1000 / CONCURRENCY;
  return {
    id: idOf('apply', size, latency, what),
    title: `\`apply\` creating ${titleOf(size, latency, what)}`,
    size,
    ...(latency === 0 && { series: 'apply' }),
    goals,
    ...(latency > 0 && { floor: { wall } }),
    ...(size >= HUGE && { runs: 1 }),
    subjects: (lab) => ({ edgeform: () => lab.apply({ size, latency, what }) }),
  };
}

function planCase(size, latency, goals, what) {
  const wanted = { size, latency, what };
  return {
    id: idOf('plan', size, latency, what),
    title: `no-op \`plan\` ${titleOf(size, latency, what)}`,
    size,
    ...(latency === 0 && { series: 'plan' }),
    goals,
    ...(size >= HUGE && { runs: 3 }),
    subjects: (lab) => ({ floor: () => lab.planFloor(wanted), edgeform: () => lab.plan(wanted) }),
  };
}

/** The floor is the same plan without a comparison. */
function comparedCase(size, goals) {
  const wanted = { size, latency: 0 };
  return {
    id: `plan-${size}-base`,
    title: `\`plan --base\` ${many(size)}, no latency; the floor is without \`--base\``,
    size,
    goals,
    subjects: (lab) => ({
      floor: () => lab.planOfChange(wanted, false),
      edgeform: () => lab.planOfChange(wanted, true),
    }),
  };
}

function idOf(command, size, latency, what) {
  return [command, size, ...(latency > 0 ? [`${latency}ms`] : []), ...(what === undefined ? [] : [what])].join('-');
}

function titleOf(size, latency, what) {
  const objects = what === undefined ? many(size) : `${many(size)} addresses beside as many of another owner`;
  return latency > 0 ? `${objects}, ${latency} ms latency` : `${objects}, no latency`;
}

/** Measures itself, for its data has to be made first. */
function inside(id, title, args, goals) {
  const [name, ...rest] = args;
  const one = async () => {
    const { output, ...whole } = await measure(node(script(name), ...rest, '--json'), { output: true });
    return { ...whole, ...JSON.parse(output) };
  };
  return { id, title, goals, subjects: () => ({ edgeform: one }) };
}

/** Cases in the order in which they run: a plan comes after the creation that it is about. */
export function allCases({ peer }) {
  const addresses = (one, peerOf) => ({
    ...one,
    hasPeer: true,
    subjects: (lab) => ({ ...one.subjects(lab), ...(peer !== undefined && { peer: () => peerOf(lab) }) }),
  });
  return [
    ...STARTS,
    validate(100, 'yaml', { cpuTimes: 3.5 }),
    validate(100, 'json', { cpuTimes: 3 }),
    validate(1000, 'yaml', { cpuTimes: 9 }),
    validate(1000, 'json', { cpuTimes: 6 }),
    validate(LARGE, 'yaml', { cpuTimes: 36, memory: 200 }),
    validate(LARGE, 'json', { cpuTimes: 20, memory: 200 }),
    presetsCase(LARGE, { cpuTimes: 1.6 }),
    validate(HUGE, 'yaml', { linearTo: 'validate-10000-yaml' }),
    validate(HUGE, 'json', { linearTo: 'validate-10000-json' }),
    applyCase(1000, LATENCY, { wallTimes: 1.25, cpu: 1.5 }),
    planCase(1000, LATENCY, { cpuTimes: 2.5, wallOver: 0.35, memory: 110 }),
    applyCase(100, 0, {}),
    planCase(100, 0, {}),
    applyCase(1000, 0, {}),
    planCase(1000, 0, {}),
    comparedCase(1000, { cpuTimes: 1.4 }),
    applyCase(LARGE, 0, { cpu: 8, serviceCpu: 5, linearTo: 'apply-1000', serviceLinearTo: 'apply-1000' }),
    planCase(LARGE, 0, { cpuTimes: 4, memory: 300 }),
    applyCase(HUGE, 0, { linearTo: 'apply-10000', serviceLinearTo: 'apply-10000' }),
    planCase(HUGE, 0, { linearTo: 'plan-10000' }),
    inside('planner', 'planner alone, 10,000 × 10,000, dry run included', ['plan.mjs', '10000'], { cpu: 0.4 }),
    inside('policies', 'what 20 policies add to a plan of 1,000', ['policies.mjs', '1000', '20'], { cpu: 0.15 }),
    inside(
      'journal',
      'reading a journal of 100,000 entries: creations, changes, deletions',
      ['journal.mjs', '100000'],
      { cpu: 1 },
    ),
    addresses(applyCase(1000, LATENCY, {}, 'addresses'), (lab) => peer.apply(lab, 1000, LATENCY)),
    addresses(planCase(1000, LATENCY, { peerWall: 5 }, 'addresses'), (lab) => peer.plan(lab, 1000, LATENCY)),
  ];
}

/** Those that were asked for, by name or by how the name begins. */
export function chosenCases({ only, quick, full, peer }) {
  const sizes = full ? Infinity : quick ? LARGE : HUGE;
  return allCases({ peer }).filter(({ id, size = 0 }) => {
    const isAsked = only?.some((part) => id.startsWith(`${part}-`)) ?? true;
    return only?.includes(id) || (isAsked && size < sizes);
  });
}
