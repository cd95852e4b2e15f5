// Plays the script of a world: command lines in this process, on simulated time, a simulated disk and a simulated service.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { JsonObject } from '../../src/core/json.ts';
import { isObject, parseJson, tryParseJson } from '../../src/core/json.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import { faultNamed } from '../faults/faults.ts';
import type { Command, Point, Ran } from '../faults/machine.ts';
import { Machine } from '../faults/machine.ts';
import { marksIn, metadataOf } from '../faults/read-markers.ts';
import { BASE_URL, Service } from '../faults/service.ts';
import { Timeline } from '../faults/timeline.ts';
import { actOutside, ownedBy } from '../support/concurrent-edits.ts';
import type { Direct } from '../support/in-process.ts';
import { commit, GIT_ENV, startRepository } from '../support/repository.ts';
import { API_KEY, PROBES } from './probes.ts';
import { commented, fingerprintsIn, yamlOf } from './texts.ts';
import type { Action, DeedAction, FilesAction, RunAction, Stranger, World } from './world.ts';

/** Manifests are on the real disk, because the program reads them there; what it writes is on a simulated one. */
const ROOT = mkdtempSync(join(tmpdir(), 'pairs-'));
process.on('exit', () => {
  rmSync(ROOT, { recursive: true, force: true });
});
const HOME = join(ROOT, 'work');

const LIMIT_MS = 1_200_000;
/** Time that goes by after somebody did something. */
const WHILE_MS = 60_000;
const WITH_GIT: Readonly<Record<string, string>> = GIT_ENV;

/** One command line with what came of it. */
export interface Played {
  readonly action: RunAction;
  readonly ran: Ran;
  /** Undefined unless it was another run at the same time. */
  readonly isBeside: boolean;
  /** Objects at its beginning, and at its end. */
  readonly before: readonly Stored[];
  readonly after: readonly Stored[];
  /** Names of files that it wrote and that are no journals. */
  readonly wrote: readonly string[];
  /** The document that it printed. */
  readonly document: JsonObject | undefined;
}

export interface Outcome {
  readonly world: World;
  readonly runs: readonly Played[];
  readonly service: Service;
  /** Files at the end, without those of the manifests. */
  readonly files: ReadonlyMap<string, string>;
  /** Objects of strangers, with those that were added outside, as they were made. */
  readonly strangers: readonly Stored[];
  /** Id of the object that an address was before the act. */
  readonly idOf: (stack: string, address: string) => string | undefined;
  /** False if the state that it begins with cannot be reached. */
  readonly isPrepared: boolean;
}

export async function play(world: World): Promise<Outcome> {
  const player = new Player(world);
  for (const action of world.script) if (!(await player.perform(action))) break;
  return player.outcome();
}

class Player {
  readonly #world: World;
  readonly #timeline: Timeline;
  readonly #service: Service;
  readonly #machines: readonly Machine[];
  readonly #runs: Played[] = [];
  /** Files as they are on the real disk. */
  readonly #onDisk = new Map<string, string>();
  readonly #names = new Map<string, string>();
  #strangers: readonly Stored[];
  #numbers = 0;
  #isPrepared = true;

  constructor(world: World) {
    this.#world = world;
    this.#timeline = new Timeline();
    this.#strangers = world.strangers.map(storedOf);
    this.#service = new Service(this.#strangers, API_KEY, world.service, () => this.#timeline.now);
    const parts = { timeline: this.#timeline, service: this.#service, files: new Map<string, string>() };
    this.#machines = ['ci', 'ci-1'].map((name) => new Machine(name, parts));
    rmSync(HOME, { recursive: true, force: true });
    mkdirSync(HOME);
  }

  /** False when nothing more can be done in this world. */
  async perform(action: Action): Promise<boolean> {
    switch (action.type) {
      case 'files':
        this.#write(action);
        return true;
      case 'deed':
        this.#remember();
        this.#do(action);
        // Long enough for lists to show it.
        await this.#timeline.pass(WHILE_MS);
        return true;
      case 'forget':
        for (const path of this.#files.keys()) if (path.includes('/.edgeform/')) this.#files.delete(path);
        return true;
      case 'run':
        await this.#run(action);
        return this.#isPrepared;
      default:
        return action satisfies never;
    }
  }

  outcome(): Outcome {
    const names = this.#names;
    return {
      world: this.#world,
      runs: this.#runs,
      service: this.#service,
      files: new Map(
        this.#machines.flatMap(({ files, name }) =>
          [...files].map(([path, text]) => [`${name}:${path}`, text] as const),
        ),
      ),
      strangers: this.#strangers,
      idOf: (stack, address) => names.get(`${stack} ${address}`),
      isPrepared: this.#isPrepared,
    };
  }

  get #files(): Map<string, string> {
    return this.#machines[0]!.files;
  }

  #write({ files, isCommitted }: FilesAction): void {
    for (const [name, content] of Object.entries(files)) {
      const path = join(HOME, name);
      if (content === undefined) {
        rmSync(path, { force: true });
        this.#files.delete(path);
      } else this.#put(path, typeof content === 'string' ? content : commented(yamlOf(content), this.#world.seed));
    }
    if (isCommitted !== true) return;
    startRepository(HOME, {});
    commit(HOME);
  }

  /** A file that both the program and its simulated disk know. */
  #put(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    this.#onDisk.set(path, text);
    for (const { files } of this.#machines) files.set(path, text);
  }

  #addTo(path: string, lines: readonly string[]): void {
    this.#put(path, [this.#onDisk.get(path) ?? '', ...lines.map((line) => `${line}\n`)].join(''));
  }

  /** What the program has written is on the real disk, too, where its next run reads it. */
  #keep(): string[] {
    const kept: string[] = [];
    for (const [path, text] of this.#files) {
      const isRead = path.startsWith(HOME) && !path.includes('/.edgeform/') && !path.endsWith('.token');
      if (!isRead || this.#onDisk.get(path) === text) continue;
      this.#put(path, text);
      kept.push(relative(HOME, path));
    }
    return kept;
  }

  /** The objects that addresses mean before anybody else is at work. */
  #remember(): void {
    if (this.#names.size > 0) return;
    for (const stored of this.#service.store.all()) {
      const [mark] = marksIn(metadataOf(stored)).marks;
      if (mark !== undefined) this.#names.set(`${mark.stack} ${mark.address}`, stored.id);
    }
  }

  #do({ stack, address, deed, path, variant, id }: DeedAction): void {
    const { store } = this.#service;
    const direct = { store, ask: (...asked: Parameters<Direct['ask']>) => this.#ask(...asked) } as Direct;
    const addresses = address === undefined ? ownedBy(direct, stack).map((one) => one.address) : [address];
    const before = new Set(store.all().map((one) => one.id));
    // What others refer to can only be deleted after them.
    const turns = address === undefined ? addresses.flatMap(() => addresses) : addresses;
    for (const one of turns) {
      const at = ownedBy(direct, stack).findIndex((owned) => owned.address === one);
      if (at < 0) continue;
      if (deed === 'double') this.#double(ownedBy(direct, stack)[at]!.stored, id ?? '');
      else actOutside(direct, stack, [{ op: 0, at, other: 0, path, variant }], [deed]);
    }
    const made = store.all().filter((one) => !before.has(one.id) && deed === 'child');
    this.#strangers = [...this.#strangers, ...made];
  }

  #double(stored: Stored, id: string): void {
    this.#service.store.put({ ...stored, id, number: this.#service.store.nextNumber() });
  }

  /** Somebody else uses the service. */
  #ask(method: string, path: string, body?: JsonObject) {
    const headers = { authorization: `Bearer ${API_KEY}`, 'service-version': '2', 'content-type': 'application/json' };
    const text = body === undefined ? '' : JSON.stringify(body);
    const { status, text: answer } = this.#service.ask({ run: 0, method, path, headers, text });
    return { status, body: answer === '' ? null : parseJson(answer) };
  }

  async #run(action: RunAction): Promise<void> {
    const { beside, role } = action;
    if (role !== 'before') this.#remember();
    const before = this.#service.store.all();
    const others: Promise<Ran>[] = [];
    const begin = () => {
      if (beside !== undefined && others.length === 0)
        others.push(this.#machines[1]!.run((this.#numbers += 1), this.#command(beside.args)));
    };
    const onPoint = (index: number) => {
      if (index >= (beside?.from ?? Infinity)) begin();
    };
    const machine = this.#machines[role === 'other' && action.isHere !== true ? 1 : 0]!;
    const number = (this.#numbers += 1);
    const ran = await machine.run(number, { ...this.#command(action.args), onPoint, ...this.#striking(action) });
    begin();
    const other = await Promise.all(others);
    await this.#timeline.drain();
    const wrote = this.#keep();
    const after = this.#service.store.all();
    for (const [index, one] of [ran, ...other].entries()) {
      const document = tryParseJson(one.stdout);
      const isBeside = index > 0;
      this.#runs.push({
        action,
        ran: one,
        isBeside,
        before,
        after,
        wrote,
        document: isObject(document) ? document : undefined,
      });
    }
    if (action.into !== undefined) this.#put(join(HOME, action.into), ran.stdout);
    if (action.known !== undefined) this.#addTo(join(HOME, action.known), fingerprintsIn(tryParseJson(ran.stdout)));
    if (role === 'before' && ran.exit !== 0) this.#isPrepared = false;
  }

  #command(args: readonly string[]): Command {
    const env = {
      ...(args.includes('--base') && WITH_GIT),
      EDGEFORM_API_KEY: API_KEY,
      EDGEFORM_BASE_URL: BASE_URL,
      // Without a name and a commit, git would be started for them.
      EDGEFORM_ACTOR: 'tester',
      EDGEFORM_COMMIT: '0123456789abcdef0123456789abcdef01234567',
      ...Object.fromEntries([...PROBES].map(([name, text]) => [`EDGEFORM_VAR_${name}`, text])),
    };
    return { args, env, stdin: '', faults: [], seed: this.#world.seed + this.#numbers, limitMs: LIMIT_MS, cwd: HOME };
  }

  #striking({ trouble }: RunAction): Pick<Command, 'strike'> {
    if (trouble === undefined) return {};
    const fault = faultNamed(trouble.fault);
    let writes = 0;
    const strike = ({ type, method }: Point) => {
      if (type !== 'request' || method === 'GET') return undefined;
      writes += 1;
      return writes === trouble.write + 1 ? fault : undefined;
    };
    return { strike };
  }
}

function storedOf({ id, kind, spec, parentId }: Stranger, index: number): Stored {
  const made = { created: '2029-01-01T00:00:00Z', owner: 'usr_they', once: {} };
  return { kind, id, parentId, number: index + 1, spec, ...made };
}
