// One command as a process of its own: CPU of it and all its children as the operating system counts it, wall time, peak memory.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `times` of bash counts milliseconds, that of other shells may count hundredths. */
const SHELL = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/bin/sh'].find((path) => existsSync(path));
const SCRIPT = '"$@"; code=$?; times >&4; exit $code';
const PRELOAD = fileURLToPath(new URL('preload.cjs', import.meta.url));
const SAMPLE_MS = 20;

/** The command line of a script of Node that reports its peak memory. */
export function node(...args) {
  return [process.execPath, '-r', PRELOAD, ...args];
}

/** Runs a command with nothing but the environment given; throws when it ends with another code than `expect`. */
export async function measure(command, { cwd, env = {}, expect = 0, output = false } = {}) {
  const start = performance.now();
  const child = spawn(SHELL, ['-c', SCRIPT, 'bench', ...command], {
    cwd,
    env,
    stdio: ['ignore', output ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const sampled = command[1] === '-r' ? undefined : samplePeak(child.pid);
  const [out, errors, peak, times] = [1, 2, 3, 4].map((descriptor) => textOf(child.stdio[descriptor]));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const wall = (performance.now() - start) / 1000;
  sampled?.stop();
  if (code !== expect) throw new Error(`${command.join(' ')} ended with ${code}:\n${(await errors).slice(-2000)}`);
  const kilobytes = sampled?.peak() ?? Number(await peak);
  return { cpu: childrenSeconds(await times), wall, memory: kilobytes / 1024, output: await out };
}

async function textOf(stream) {
  if (stream === null) return '';
  let text = '';
  for await (const part of stream.setEncoding('utf8')) text += part;
  return text;
}

/** The second line of `times` is for the children: `0m0.433s 0m0.107s`. */
function childrenSeconds(text) {
  const parts = [...(text.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

/** Highest sum of the peaks of a process and its children, looked at again and again; 0 where there is no /proc. */
function samplePeak(pid) {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, treePeak(pid) - ownPeak(pid));
  }, SAMPLE_MS);
  return { stop: () => clearInterval(timer), peak: () => peak };
}

function treePeak(pid) {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return children.reduce((sum, child) => sum + treePeak(child), ownPeak(pid));
  } catch {
    return 0;
  }
}

function ownPeak(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The middle value; of an even number of values, the mean of the two in the middle. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1] + sorted[Math.floor(half)]) / 2;
}

/** The median of every figure that the samples have. */
export function medians(samples) {
  const names = Object.keys(samples[0]).filter((name) => typeof samples[0][name] === 'number');
  return Object.fromEntries(names.map((name) => [name, median(samples.map((sample) => sample[name]))]));
}
