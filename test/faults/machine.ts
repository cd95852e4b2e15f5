// Simulated runs of the program: command lines in this process whose requests, files and time are ours.

import type { Planned, RequestFault } from './faults.ts';
import { Process } from './process.ts';
import type { Service } from './service.ts';
import type { Timeline } from './timeline.ts';

export interface Point {
  readonly type: 'request' | 'file';
  /** Method and path, or operation and path. */
  readonly key: string;
  readonly method: string;
  readonly isList: boolean;
  readonly body?: string;
}

export interface Command {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
  readonly faults: readonly Planned[];
  readonly seed: number;
  /** Virtual time after which a run counts as hanging. */
  readonly limitMs: number;
  /** Called with the number of each effect before it happens. */
  readonly onPoint?: (index: number) => void;
  /** A fault of a request that is chosen when it comes, and not by its number. */
  readonly strike?: (point: Point) => RequestFault | undefined;
  /** The working directory, where it is not the one of all simulated machines. */
  readonly cwd?: string;
}

export interface Ran {
  readonly number: number;
  /** Undefined when it did not end by itself. */
  readonly exit: number | undefined;
  readonly isHung: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly points: readonly Point[];
  readonly startedAt: number;
  readonly endedAt: number;
  /** Requests that must not have been sent, in words. */
  readonly misdeeds: readonly string[];
}

/** A machine on which runs happen one after the other, or at once; what they leave behind stays. */
export class Machine {
  readonly #alive = new Set<number>();
  readonly timeline: Timeline;
  readonly service: Service;
  /** Files by path; they outlive the runs. */
  readonly files: Map<string, string>;
  readonly name: string;
  /** Days that have passed before: earlier runs are in the past. */
  readonly day: number;

  constructor(
    name: string,
    { timeline, service, files }: { timeline: Timeline; service: Service; files: ReadonlyMap<string, string> },
  ) {
    this.name = name;
    this.day = files.size;
    this.timeline = timeline;
    this.service = service;
    this.files = new Map(files);
  }

  /** Whether the process of this number still runs. */
  isAlive(number: number): boolean {
    return this.#alive.has(number);
  }

  /** Runs one command line until it ends, crashes or hangs. Numbers differ between all runs of a world. */
  async run(number: number, command: Command): Promise<Ran> {
    const process = new Process(number, this, command);
    this.#alive.add(number);
    await process.live();
    this.#alive.delete(number);
    return process.result();
  }
}
