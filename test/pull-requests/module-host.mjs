// A process that runs modules of actions one after the other, each with the environment and the folder of its step.

import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const PAUSE_MS = 10;
const MOST_PAUSES = 1_000;

// Made by whoever asks for them first, which is no module of ours.
void [process.stdout, process.stderr];

let runs = 0;
process.on('disconnect', () => process.exit());
process.on('message', async ({ path, args, env, cwd, mark }) => {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, path, ...args];
  process.exitCode = undefined;
  runs += 1;
  const before = await whatKeepsItAlive();
  let left;
  try {
    await import(`${pathToFileURL(path).href}?${runs}`);
    left = await whatIsLeft(before);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  // Pipes are written at once, so that nothing of the module comes after this.
  for (const stream of [process.stdout, process.stderr]) stream.write(mark);
  process.send({ code: process.exitCode ?? 0, left });
});

/** How many timers, sockets and processes there are of each sort; asked after a pause, as always. */
async function whatKeepsItAlive() {
  await pause(PAUSE_MS);
  const counts = new Map();
  for (const sort of process.getActiveResourcesInfo()) counts.set(sort, (counts.get(sort) ?? 0) + 1);
  return counts;
}

/** What a process of its own would wait for without end; undefined for nothing. */
async function whatIsLeft(before) {
  let added;
  for (let pauses = 0; pauses < MOST_PAUSES; pauses += 1) {
    const now = await whatKeepsItAlive();
    added = [...now].filter(([sort, count]) => count > (before.get(sort) ?? 0));
    if (added.length === 0) return undefined;
  }
  return added.map(([sort]) => sort).join(', ');
}
