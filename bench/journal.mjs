// CPU of reading a journal: `npm run build && node bench/journal.mjs [ENTRIES]`; with `--disk FOLDER` also how many entries a
// second reach that disk, each flushed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { encodeJournal } from '../dist/journal/entry.js';
import { openJournal } from '../dist/journal/journal.js';
import { knownIds, replayJournal } from '../dist/journal/replay.js';
import { nodeFiles } from '../dist/platform/files.js';
import { thisProcess } from '../dist/platform/process-identity.js';

const FLUSHED = 1000;
const identity = { run: 'bench', stack: 'bench', service: 'https://api.example.com/', fingerprint: 'sha256:0' };
const now = () => new Date().toISOString();
const write = { step: 's1', kind: 'tls_edge', method: 'POST', path: '/edges/tls' };

function open(folder) {
  const path = join(folder, 'journal.jsonl');
  return openJournal({ ...thisProcess(), ...identity, path, files: nodeFiles, now }).value;
}

/** The creation of half as many objects, all answered. */
function creations(entries) {
  const begin = { type: 'begin', v: 1, ...identity, at: now() };
  const pairs = Array.from({ length: entries / 2 }, (_, index) => {
    const n = index + 1;
    const address = `tls_edges.a${index}`;
    const at = { live_id: null, parent_id: null, body_digest: 'sha256:0', at: begin.at };
    return [
      { type: 'intent', n, run: identity.run, address, ...write, ...at },
      { type: 'outcome', n, status: 'done', live_id: `edgtls_${String(index).padStart(27, '0')}` },
    ];
  });
  return [begin, ...pairs.flat(), { type: 'end', run: identity.run, result: '0' }];
}

/** CPU seconds of opening it for a new run, and of what a session asks of it first. */
function reading(folder, entries) {
  writeFileSync(join(folder, 'journal.jsonl'), encodeJournal(creations(entries)).text);
  const before = process.cpuUsage();
  const journal = open(folder);
  const known = knownIds(replayJournal(journal.previous)).length;
  const { user, system } = process.cpuUsage(before);
  journal.close();
  if (known !== entries / 2) throw new Error(`${known} ids of ${entries / 2} are known`);
  return { cpu: (user + system) / 1e6 };
}

function flushed(folder) {
  const journal = open(folder);
  const start = performance.now();
  for (let count = 0; count < FLUSHED / 2; count += 1) {
    const number = journal.intent({
      ...write,
      address: 'tls_edges.a',
      liveId: null,
      parentId: null,
      body: { name: 'a' },
    });
    journal.outcome(number, { status: 'done', liveId: `edgtls_${number}` });
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
