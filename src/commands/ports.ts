// The platform below a command: network, time, chance, durable files and who this process is. A simulation gives its own.

import { randomBytes } from 'node:crypto';
import { realClock } from '../api/clock.ts';
import { nodeFiles } from '../files/files.ts';
import { thisProcess } from '../files/machine.ts';

import type { Host, Ports } from './host.ts';

/** What the host gives, and the real thing for the rest. */
export function portsOf({ ports }: Host): Ports {
  return {
    exchange: undefined,
    clock: realClock,
    random: Math.random,
    files: nodeFiles,
    identity: thisProcess(),
    wallTime: () => new Date().toISOString(),
    runName: () => randomBytes(16).toString('hex'),
    ...ports,
  };
}
