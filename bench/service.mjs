// The emulator in a process of its own, which says how many requests came and how much CPU they took.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { node } from './measure.mjs';

const PAGE_SIZE = '100';

/** Starts an emulator; `latency` in milliseconds before each answer, `seed` a file with objects. */
export async function startService(program, { latency = 0, seed } = {}) {
  const options = [
    '--page-size',
    PAGE_SIZE,
    '--latency',
    String(latency),
    ...(seed === undefined ? [] : ['--seed', seed]),
  ];
  const [command, ...args] = node(program, 'emulator', ...options);
  const child = spawn(command, args, { env: {}, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  const ready = createInterface(child.stdout)[Symbol.asyncIterator]().next();
  const first = await Promise.race([ready, ended]);
  if (first.value === undefined) throw new Error('the emulator did not start');
  const { url, api_key: key } = JSON.parse(first.value);
  return {
    url,
    key,
    env: { EDGEFORM_BASE_URL: url, EDGEFORM_API_KEY: key },
    /** Requests and CPU seconds since the start. */
    usage: async () => {
      child.send('usage');
      const [usage] = await once(child, 'message');
      return usage;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Measures with the requests that a service saw meanwhile, and its CPU. */
export async function onService(service, work) {
  const before = await service.usage();
  const sample = await work();
  const after = await service.usage();
  return { ...sample, requests: after.requests - before.requests, serviceCpu: after.cpu - before.cpu };
}
