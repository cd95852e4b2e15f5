// One simulated run under way: every effect of it is a numbered point, where a fault may strike.

import { createHash } from 'node:crypto';
// Loaded before the run: while the program loads it, nothing happens that the clock sees, and the run counts as hanging.
import '../../src/commands/shell/perform.ts';
import { main } from '../../src/commands/shell/program.ts';
import type { Host, Sink } from '../../src/commands/shell/host.ts';
import { EXIT_CODES } from '../../src/core/run-outcome.ts';
import type { Ports } from '../../src/reconcile/platform.ts';
import { chanceOf } from './chance.ts';
import { diskOf, HOME } from './disk.ts';
import type { FileFault, RequestFault } from './faults.ts';
import { jsonAnswer, LATE_MS, RETRY_AFTER_S, strikes } from './faults.ts';
import type { Exchange, HttpResponse } from '../../src/service/http/exchange.ts';
import type { Answered, Asked } from './service.ts';
import { BASE_URL } from './service.ts';
import type { Command, Machine, Point, Ran } from './machine.ts';

/** Wall time at which the world begins. */
const FIRST_DAY = Date.UTC(2030, 0, 1);
const DAY_MS = 86_400_000;

/** How long a disk takes to flush a file. */
const FLUSH_MS = 2;

/** How the names of journals end. */
const JOURNAL = '.journal.jsonl';

const NEVER = new Promise<never>(() => undefined);

/** A run that has more effects than this goes round in circles, however little time that takes. */
const MOST_POINTS = 5_000;

export class Process {
  readonly #number: number;
  readonly #machine: Machine;
  readonly #command: Command;
  readonly #chance: () => number;
  readonly #points: Point[] = [];
  readonly #written = { stdout: '', stderr: '' };
  readonly #startedAt: number;
  readonly #misdeeds: string[] = [];
  /** Ids of objects that somebody else changed during this run. */
  readonly #changed = new Set<string>();
  /** Bodies by method and path. */
  readonly #sent = new Map<string, Set<string>>();
  readonly #name: string;
  readonly #gone = new AbortController();
  /** Until then nothing may be sent. */
  #quietUntil = 0;
  #isDead = false;
  /** What is on its way when the process dies does not arrive. */
  #isCutOff = false;
  #exit: number | undefined;
  #isHung = false;

  constructor(number: number, machine: Machine, command: Command) {
    this.#number = number;
    this.#machine = machine;
    this.#command = command;
    this.#chance = chanceOf(command.seed);
    this.#startedAt = machine.timeline.now;
    this.#name = createHash('sha256').update(`run ${number} of day ${machine.day}`).digest('hex').slice(0, 32);
  }

  async live(): Promise<void> {
    const { timeline } = this.#machine;
    const { args } = this.#command;
    let isOver = false;
    void main(args, this.#host(), '1.0.0').then(
      (outcome) => {
        if (this.#isDead) return;
        this.#exit = EXIT_CODES[outcome];
        isOver = true;
      },
      (error: unknown) => {
        this.#written.stderr += `thrown: ${String(error)}`;
        this.#exit = -1;
        isOver = true;
      },
    );
    const ended = await timeline.run(() => isOver || this.#isDead, this.#startedAt + this.#command.limitMs);
    this.#isHung = !ended || this.#points.length > MOST_POINTS;
    this.#isDead = true;
    this.#gone.abort();
  }

  result(): Ran {
    return {
      number: this.#number,
      exit: this.#exit,
      isHung: this.#isHung,
      ...this.#written,
      points: this.#points,
      startedAt: this.#startedAt,
      misdeeds: this.#misdeeds,
      endedAt: this.#machine.timeline.now,
    };
  }

  #ports(): Ports {
    const { timeline, files, day } = this.#machine;
    return {
      exchange: (request: Parameters<Exchange>[0]) => this.#exchange(request),
      clock: { now: () => timeline.now, sleep: (ms: number, signal?: AbortSignal) => this.#sleep(ms, signal) },
      random: chanceOf(this.#command.seed + 1_000),
      files: diskOf(files, {
        enter: (operation, path) => this.#enter(operation, path),
        flush: () => this.#sleep(FLUSH_MS),
        isDead: () => this.#isDead,
        die: () => {
          this.#die(false);
        },
      }),
      identity: {
        pid: this.#number,
        birth: '1',
        host: this.#machine.name,
        bootId: 'boot',
        isAlive: (pid) => this.#machine.isAlive(pid),
      },
      wallTime: () => new Date(FIRST_DAY + day * DAY_MS + timeline.now).toISOString(),
      runName: () => this.#name,
      hasEnded: this.#gone.signal,
    };
  }

  /** A write to a file is a point, too. */
  #enter(operation: string, path: string): FileFault | undefined {
    const point: Point = { type: 'file', key: `${operation} ${path}`, method: operation, isList: false };
    const fault = this.#pass(point);
    return fault !== undefined && 'effect' in fault ? fault : undefined;
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (this.#isDead) return NEVER;
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        signal?.removeEventListener('abort', end);
        if (!this.#isDead) resolve();
      };
      const cancel = this.#machine.timeline.after(ms, end);
      signal?.addEventListener('abort', end, { once: true });
    });
  }

  #host(): Host {
    const { env, stdin } = this.#command;
    const sink = (name: 'stdout' | 'stderr'): Sink => ({
      isTty: false,
      columns: 100,
      write: (text) => {
        if (!this.#isDead) this.#written[name] += text;
      },
    });
    return {
      stdout: sink('stdout'),
      stderr: sink('stderr'),
      env,
      cwd: this.#command.cwd ?? HOME,
      readStdin: () => Promise.resolve(Buffer.from(stdin)),
      ask: () => Promise.resolve(undefined),
      signal: new AbortController().signal,
      hardCancel: new AbortController().signal,
      signalName: () => undefined,
      untilSignal: NEVER,
      ports: this.#ports(),
    };
  }

  #die(isCutOff: boolean): void {
    this.#isDead = true;
    this.#isCutOff = isCutOff;
  }

  /** Comes to a point; gives the fault that strikes there. */
  #pass(point: Point): RequestFault | FileFault | undefined {
    const index = this.#points.length;
    const fault = this.#command.strike?.(point) ?? this.#faultAt(point, index);
    this.#points.push(point);
    if (index >= MOST_POINTS) this.#die(true);
    this.#command.onPoint?.(index);
    return fault;
  }

  #faultAt(point: Point, index: number): RequestFault | FileFault | undefined {
    const planned = this.#command.faults.find((one) => {
      if ('request' in one !== (point.type === 'request')) return false;
      if ('request' in one && !strikes(one.request, point)) return false;
      if (one.at === index) return true;
      // A disk that is full is full for every file on it.
      const isOnDisk = point.type === 'file' && point.method !== 'remove' && point.key.includes(one.under ?? '');
      const isSame = isOnDisk || this.#points[one.at]?.key === point.key;
      return one.isLasting && index > one.at && isSame;
    });
    return planned === undefined ? undefined : 'request' in planned ? planned.request : planned.file;
  }

  #exchange(request: Parameters<Exchange>[0]): Promise<HttpResponse> {
    if (this.#isDead) return NEVER;
    const { service, timeline } = this.#machine;
    const path = `${request.url.pathname}${request.url.search}`;
    const { method } = request;
    if (method !== 'GET') this.#checkWrite(method, request);
    if (request.url.origin !== BASE_URL) this.#misdeeds.push(`${method} was sent to ${request.url.origin}`);
    if (timeline.now < this.#quietUntil) this.#misdeeds.push(`${method} ${path} was sent before Retry-After allows it`);
    const isList = service.isList(method, path);
    const key = `${method} ${request.url.pathname}`;
    const point: Point = { type: 'request', key, method, isList, body: request.body ?? '' };
    const fault = this.#pass(point);
    const asked: Asked = { run: this.#number, method, path, headers: request.headers, text: request.body ?? '' };
    const there = 5 + Math.floor(this.#chance() * 20);
    const back = 5 + Math.floor(this.#chance() * 20);
    if (fault !== undefined && 'reply' in fault) return this.#struck(fault, request, asked, { there, back });
    return new Promise((resolve, reject) => {
      const endWaiting = this.#giveUp(request, reject);
      timeline.after(there, () => {
        if (this.#isCutOff) return;
        const answered = service.ask(asked);
        timeline.after(back, () => {
          endWaiting();
          if (!this.#isDead) resolve(responseOf(answered));
        });
      });
    });
  }

  /** Before a write is sent, it is in the journal; and nobody else has changed the object since it was planned. */
  #checkWrite(method: string, { url: { pathname }, body = '' }: Parameters<Exchange>[0]): void {
    // What is written is what the last id is about: what lies in an object is none of its fields.
    const id = pathname.split('/').findLast((part) => /^[a-z]+_\w{20,}$/.test(part)) ?? '';
    if (method !== 'POST' && this.#changed.has(id))
      this.#misdeeds.push(`${method} ${pathname} overwrites what somebody else changed`);
    const key = `"method":"${method}","path":"${pathname}"`;
    const bodies = (this.#sent.get(key) ?? new Set()).add(body);
    this.#sent.set(key, bodies);
    const noted = [...this.#machine.files]
      .filter(([path]) => path.endsWith(JOURNAL))
      .flatMap(([, text]) => text.split('\n'))
      .filter((line) => line.includes(`"run":"${this.#name}"`) && line.includes(key)).length;
    if (noted < bodies.size) this.#misdeeds.push(`${method} ${pathname} was sent without a note in the journal`);
  }

  #struck(
    fault: RequestFault,
    request: Parameters<Exchange>[0],
    asked: Asked,
    usual: { readonly there: number; readonly back: number },
  ): Promise<HttpResponse> {
    const { service, timeline } = this.#machine;
    const { reply, done } = fault;
    const there = reply.type === 'slow' ? reply.thereMs : usual.there;
    const back = reply.type === 'slow' ? reply.backMs : usual.back;
    if (done === 'late') timeline.after(LATE_MS, () => void service.ask({ ...asked, isLate: true }));
    if (reply.type === 'crash' && done !== 'yes') {
      this.#die(done === 'no');
      return NEVER;
    }
    return new Promise((resolve, reject) => {
      const endWaiting = this.#giveUp(request, reject);
      timeline.after(there, () => {
        if (this.#isCutOff) return;
        if (fault.isCrowded === true) service.intrude(asked.path, asked.text);
        const edit = () => {
          const changed = service.editConcurrently(asked.path);
          if (changed !== undefined) this.#changed.add(changed);
        };
        const take = (isDue: boolean) => {
          if (isDue && fault.takes !== undefined) service.takeOver(fault.takes);
          if (isDue && fault.uses !== undefined) service.takeIntoUse(fault.uses);
        };
        if (reply.type === 'concurrent edit') edit();
        take(asked.method === 'GET');
        const answer = () => (reply.type === 'stale' ? service.stale(asked, reply.behind) : service.ask(asked));
        const answered = done === 'yes' ? answer() : undefined;
        if (fault.isEdited === true) edit();
        take(asked.method !== 'GET');
        if (reply.type === 'crash') this.#die(false);
        if (reply.type === 'no answer') return;
        timeline.after(back, () => {
          endWaiting();
          if (this.#isDead) return;
          if (reply.type === 'error') reject(connectionError(reply.code, reply.syscall));
          else if (reply.type === 'answer') {
            const made = reply.make({
              authorization: asked.headers['authorization'] ?? '',
              text: asked.text,
              answered,
            });
            if (made.status === 429 && made.headers['retry-after'] !== undefined)
              this.#quietUntil = timeline.now + 1000 * RETRY_AFTER_S;
            resolve(made);
          } else if (answered !== undefined) resolve(responseOf(answered));
        });
      });
    });
  }

  /** Ends the wait for an answer at its deadline, or when the program has lost interest. */
  #giveUp(request: Parameters<Exchange>[0], reject: (error: Error) => void): () => void {
    const stop = (name: string) => {
      if (!this.#isDead) reject(Object.assign(new Error('the operation was aborted'), { name }));
    };
    const cancel = this.#machine.timeline.after(request.timeoutMs, () => {
      stop('TimeoutError');
    });
    const onAbort = () => {
      cancel();
      stop('AbortError');
    };
    request.signal?.addEventListener('abort', onAbort, { once: true });
    return () => {
      cancel();
      request.signal?.removeEventListener('abort', onAbort);
    };
  }
}

function responseOf({ status, text }: Answered): HttpResponse {
  return jsonAnswer(status, text);
}

function connectionError(code: string, syscall: string): Error {
  const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  return Object.assign(new TypeError('fetch failed', { cause }), { code });
}
