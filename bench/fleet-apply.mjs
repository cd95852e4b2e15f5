// CPU, wall time, memory and requests of creating in many stacks, beside one stack that creates as much:
// `npm run build && node bench/fleet-apply.mjs [STACKSxRESOURCES…]`. Each run is a process of its own, on an emulator without latency.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from './lab.mjs';
import { measure, node } from './measure.mjs';
import { onService, startService } from './service.mjs';

const GOALS = { times: 2, memoryMb: 400 };

function manifestOf(stack, count) {
  const block = (index) => [`a${index}`, { region: 'us', description: `${stack} ${index}` }];
  return { version: 1, stack, reserved_addrs: Object.fromEntries(Array.from({ length: count }, (_, at) => block(at))) };
}

function writeJson(folder, name, value) {
  writeFileSync(join(folder, name), JSON.stringify(value));
}

function writeFleet(folder, stacks, count) {
  const names = Array.from({ length: stacks }, (_, index) => `s${index}`);
  for (const name of names) writeJson(folder, `${name}.json`, manifestOf(name, count));
  const entries = names.map((name) => ({ name, path: `${name}.json` }));
  writeJson(folder, 'edgeform.fleet.yaml', { version: 1, stacks: entries });
}

/** Creates everything in a new folder and on a new service. */
async function created(stacks, count) {
  const cwd = mkdtempSync(join(tmpdir(), 'edgeform-bench-'));
  const service = await startService(PROGRAM);
  try {
    if (stacks === 1) writeJson(cwd, 'stack.json', manifestOf('alone', count));
    else writeFleet(cwd, stacks, count);
    const words = stacks === 1 ? ['apply', '-f', 'stack.json'] : ['fleet', 'apply'];
    const command = node(PROGRAM, ...words, '--auto-approve');
    return await onService(service, () => measure(command, { cwd, env: service.env }));
  } finally {
    await service.stop();
    rmSync(cwd, { recursive: true, force: true });
  }
}

const shown = ({ cpu, wall, memory, requests }) =>
  `${cpu.toFixed(1)} s CPU, ${wall.toFixed(1)} s, ${Math.round(memory)} MB, ${requests} requests`;

const wanted = process.argv.slice(2);
for (const [stacks, count] of (wanted.length === 0 ? ['1000x10'] : wanted).map((text) => text.split('x').map(Number))) {
  const together = await created(stacks, count);
  console.log(`${stacks} stacks × ${count}: ${shown(together)}`);
  const alone = await created(1, stacks * count);
  console.log(`1 stack × ${stacks * count}: ${shown(alone)}`);
  const [cpu, wall] = [together.cpu / alone.cpu, together.wall / alone.wall].map((times) => times.toFixed(2));
  console.log(`  ${cpu} times the CPU, ${wall} times as long (goals ${GOALS.times}), memory goal ${GOALS.memoryMb} MB`);
}
