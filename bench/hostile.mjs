// What texts with thousands of mistakes cost: `validate` of 1, 2 and 4 MiB of each shape, beside good files of the same size.
// `node bench/hostile.mjs [--runs N] [--only TEXT] [--sizes 1,2,4] [--write]`; `--write` puts the
// table into docs/performance.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus as processors, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PROGRAM } from './lab.mjs';
import { measure, median, node } from './measure.mjs';

const MIB = 1024 * 1024;
const GOAL = 4;
const DOCS = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
const [BEGIN, END] = ['<!-- hostile: begin -->', '<!-- hostile: end -->'];

const HEAD = 'version: 1\nstack: shop\n';
const ADDRESSES = `${HEAD}reserved_addrs:\n`;
const LONG = 'an address of the database that several services of the team share, see the runbook '.repeat(2);
const good = (n) => `  a${n}:\n    region: eu\n    description: "${LONG}${n}"\n`;

/** A shape: what stands before, what is repeated, what stands behind it, and the exit code of `validate`. */
const shape = (head, piece, tail = '', code = 4) => ({ head, piece, tail, code });

/** Good files: what the fast reader takes, and what only the YAML library reads. */
const GOOD = {
  'good, plain': shape(ADDRESSES, good, '', 0),
  'good, read by the YAML library': shape(ADDRESSES, (n) => good(n).replaceAll('\n', '\r\n'), '', 0),
  'good, plain, in small blocks': shape(ADDRESSES, (n) => `  a${n}: { region: eu }\n`, '', 0),
};

const HOSTILE = {
  'comments with Windows line ends': shape('', (n) => `# comment ${n}\r\n`, HEAD, 0),
  'empty lines before a typo': shape('', () => '\n', `${HEAD}oops: [\n`),
  'empty lines behind a typo': shape(`${HEAD}oops: [\n`, () => '\n'),
  'wrong lines': shape(HEAD, (n) => `  reserved_addrs: { a${n}: {} }\n`),
  'lines that are indented with tabs': shape(HEAD, () => '\tx: 1\n'),
  'one long line': shape(`${ADDRESSES}  a: { description: "`, () => 'sixteen letters ', '" }\n'),
  'one long line without its end': shape(`${ADDRESSES}  a: { description: "`, () => 'sixteen letters ', '\n'),
  'brackets in brackets': shape(`${HEAD}x: `, () => '['),
  'lists in lists': shape(`${HEAD}x: `, () => '- '),
  'a wide list': shape(`${HEAD}x: [`, (n) => `${n}, `, '1]\n'),
  'a wide map': shape(`${HEAD}reserved_addrs: { `, (n) => `a${n}: { region: eu }, `, 'z: {} }\n', 0),
  'a wide list without its end': shape(`${HEAD}x: [`, (n) => `${n}, `),
  'one key again and again': shape(ADDRESSES, () => '  a: { region: eu }\n'),
  'one section again and again': shape(HEAD, (n) => `reserved_addrs: { a${n}: { region: eu } }\n`),
  'unknown sections': shape(HEAD, (n) => `reserved_addr${n}: { a: 1 }\n`),
  'unknown fields in one block': shape(`${ADDRESSES}  a:\n`, (n) => `    regoin${n}: eu\n`),
  'an unknown field in each block': shape(ADDRESSES, (n) => `  a${n}: { regoin: eu }\n`),
  'a wrong type in each block': shape(ADDRESSES, (n) => `  a${n}: { region: [1] }\n`),
  'quotes without their ends': shape(HEAD, (n) => `a${n}: "x\n`),
  'quotes alone': shape(HEAD, () => '"\n'),
  'closing brackets': shape(HEAD, () => ']\n'),
  tags: shape(`${HEAD}x:\n`, () => '  - !foo x\n'),
  aliases: shape(`${HEAD}x:\n  - &a y\n`, () => '  - *a\n'),
  documents: shape(HEAD, () => '---\n'),
  'invisible characters': shape(HEAD, () => '\u0007\n'),
  'references to nothing': shape(ADDRESSES, (n) => `  a${n}: { description: "\${reserved_addrs.b${n}.addr}" }\n`),
  'a reference to nothing, in one text': shape(`${HEAD}outputs:\n  o: "`, () => '${reserved_addrs.b.addr}', '"\n'),
  'renames to nothing': shape(`${HEAD}moved:\n`, (n) => `  - { from: tls_edges.a${n}, to: tls_edges.b${n} }\n`, '', 0),
  'one hostport again and again': shape(
    `${HEAD}tls_edges:\n`,
    (n) => `  a${n}: { hostports: ["a.example.com:443"] }\n`,
  ),
};

function textOf({ head, piece, tail }, size) {
  const pieces = [head];
  let left = size - Buffer.byteLength(head) - Buffer.byteLength(tail);
  for (let n = 0; ; n += 1) {
    const next = piece(n);
    left -= Buffer.byteLength(next);
    if (left < 0) return [...pieces, tail].join('');
    pieces.push(next);
  }
}

async function cpuOf(one, file, runs) {
  const samples = [];
  for (let run = 0; run < runs; run += 1) {
    const { cpu } = await measure(node(PROGRAM, 'validate', '-f', file), { expect: one.code });
    samples.push(cpu);
  }
  return median(samples);
}

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    sizes: { type: 'string', default: '1,2,4' },
    write: { type: 'boolean' },
  },
});

/** A file may have 4 MiB, and not a byte more. */
const SIZES = values.sizes.split(',').map((size) => Math.min(Number(size) * MIB, 4 * MIB - 1));

const folder = mkdtempSync(join(tmpdir(), 'edgeform-hostile-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

async function measureShapes(shapes) {
  const rows = [];
  for (const [name, one] of shapes) {
    const cpus = [];
    for (const size of SIZES) {
      const file = join(folder, 'shape.yaml');
      writeFileSync(file, textOf(one, size));
      cpus.push(await cpuOf(one, file, Number(values.runs)));
    }
    console.error(`${name}: ${cpus.map((cpu) => cpu.toFixed(2)).join(', ')}`);
    rows.push({ name, cpus });
  }
  return rows;
}

const seconds = (cpus) => cpus.map((cpu) => cpu.toFixed(2)).join(' / ');
const times = (cpus, floor) => cpus.map((cpu, at) => `${(cpu / floor[at]).toFixed(1)}×`).join(' / ');

const load = (loadavg()[0] ?? 0).toFixed(1);
const goods = await measureShapes(Object.entries(GOOD));
const [plain, library] = goods.map(({ cpus }) => cpus);
const bad = await measureShapes(Object.entries(HOSTILE).filter(([name]) => name.includes(values.only)));
const lines = [...goods, ...bad].map(({ name, cpus }) => {
  return `| ${name} | ${seconds(cpus)} | ${times(cpus, plain)} | ${times(cpus, library)} |`;
});
const over = bad.filter(({ cpus }) => cpus.some((cpu, at) => cpu > GOAL * library[at])).map(({ name }) => name);
const table = [
  `Node ${process.versions.node}, ${processors().length} cores, load ${load} at the start; one run of each unless \`--runs\` says otherwise.`,
  '',
  `| shape | CPU in seconds: ${values.sizes.replaceAll(',', ' / ')} MiB | beside a plain good file | beside a good file that the YAML library reads |`,
  '| --- | --- | --- | --- |',
  ...lines,
  '',
  `Goal: at most ${GOAL}× a good file of the same size that the YAML library reads; missed by: ${over.join(', ') || 'none'}.`,
].join('\n');
console.log(table);
if (values.write) {
  const text = readFileSync(DOCS, 'utf8');
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (start < 0 || end < start) throw new Error('docs/performance.md has no place for the table');
  writeFileSync(DOCS, `${text.slice(0, start)}${BEGIN}\n\n${table}\n\n${text.slice(end)}`);
}
