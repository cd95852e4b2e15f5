// How many journal entries a second reach the disk, each flushed: `npm run build && node bench/journal.mjs [FOLDER]`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeFiles } from '../dist/platform/files.js';
import { thisProcess } from '../dist/platform/machine.js';
import { openJournal } from '../dist/journal/journal.js';

const COUNT = 1000;
const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'edgeform-bench-'));
const identity = { run: 'bench', stack: 'bench', service: 'https://api.example.com/', fingerprint: 'sha256:0' };
const now = () => new Date().toISOString();
const { value: journal } = openJournal({
  ...thisProcess(),
  ...identity,
  path: join(folder, 'journal.jsonl'),
  files: nodeFiles,
  now,
});
const write = { step: 's1', address: 'things.a', kind: 'thing', method: 'POST', path: '/things', liveId: null };
const start = performance.now();
for (let n = 0; n < COUNT / 2; n += 1) {
  const number = journal.intent({ ...write, parentId: null, body: { name: 'a' } });
  journal.outcome(number, { status: 'done', liveId: `t_${number}` });
}
const seconds = (performance.now() - start) / 1000;
journal.close();
rmSync(folder, { recursive: true });
console.log(`${COUNT} entries in ${seconds.toFixed(2)} s: ${Math.round(COUNT / seconds)} a second`);
