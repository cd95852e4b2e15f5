// CPU of reading a journal: `npm run build && node bench/journal.mjs [ENTRIES]`; with `--disk FOLDER` also how many entries a
// second reach that disk, each flushed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { encodeJournal } from '../dist/journal/entry.js';
import { openJournal } from '../dist/journal/journal.js';
import { notedObjects, replayJournal } from '../dist/journal/replay.js';
import { nodeFiles } from '../dist/platform/files.js';
import { thisProcess } from '../dist/platform/process-identity.js';

const FLUSHED = 1000;
const identity = { run: 'bench', stack: 'bench', service: 'https://api.example.com/' };
const now = () => new Date().toISOString();
const write = { kind: 'tls_edge', method: 'POST', path: '/edges/tls' };

function open(folder) {
  const path = join(folder, 'journal.jsonl');
  return openJournal({ ...thisProcess(), ...identity, path, files: nodeFiles, now }).value;
}

/** A run that created objects, then one that changed half of them and deleted the others; every write was answered. */
function history(entries) {
  const count = Math.floor(entries / 4);
  const ids = Array.from({ length: count }, (_, index) => `edgtls_${String(index).padStart(27, '0')}`);
  const first = ids.flatMap((id, index) => written('first', { n: index + 1, index, method: 'POST', made: id }));
  const second = ids.flatMap((id, index) =>
    written('second', { n: index + 1, index, method: index % 2 === 0 ? 'PATCH' : 'DELETE', id }),
  );
  return [...runOf('first', first), ...runOf('second', second)];
}

function runOf(run, entries) {
  return [{ type: 'begin', v: 2, ...identity, run, at: now() }, ...entries, { type: 'end', run, result: '0' }];
}

function written(run, { n, index, method, id, made }) {
  const path = id === undefined ? write.path : `${write.path}/${id}`;
  const at = { live_id: id ?? null, parent_id: null, at: '2026-01-01T00:00:00.000Z' };
  return [
    { type: 'intent', n, run, address: `tls_edges.a${index}`, ...write, method, path, ...at },
    { type: 'outcome', n, status: 'done', ...(made !== undefined && { live_id: made }) },
  ];
}

/** CPU seconds of opening it for a new run, and of what a session asks of it first. */
function reading(folder, entries) {
  writeFileSync(join(folder, 'journal.jsonl'), encodeJournal(history(entries)).text);
  const before = process.cpuUsage();
  const journal = open(folder);
  const known = notedObjects(replayJournal(journal.accounts.at(-1)?.entries ?? [])).filter(
    ([, { is }]) => is !== 'gone',
  ).length;
  const { user, system } = process.cpuUsage(before);
  journal.close();
  if (known !== Math.ceil(Math.floor(entries / 4) / 2)) throw new Error(`${known} ids are known`);
  return { cpu: (user + system) / 1e6 };
}

function flushed(folder) {
  const journal = open(folder);
  const start = performance.now();
  for (let count = 0; count < FLUSHED / 2; count += 1) {
    const number = journal.intent({
      ...write,
      address: 'tls_edges.a',
      live_id: null,
      parentId: null,
      body: { name: 'a' },
    });
    journal.outcome(number, { status: 'done', live_id: `edgtls_${number}` });
  }
  journal.close();
  return Math.round((1000 * FLUSHED) / (performance.now() - start));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, disk: { type: 'string' } },
});
const folder = mkdtempSync(join(values.disk ?? tmpdir(), 'edgeform-bench-'));
const entries = Number(positionals[0] ?? 100_000);
if (values.disk === undefined) {
  const { cpu } = reading(folder, entries);
  console.log(values.json ? JSON.stringify({ cpu }) : `${entries} entries: ${cpu.toFixed(2)} s CPU to read`);
} else console.log(`${flushed(folder)} entries a second, each flushed`);
rmSync(folder, { recursive: true });
