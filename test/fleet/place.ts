// A fleet on the emulator in this process: manifests by name, journals in memory, a clock of its own, and a log of requests.

import { topLevelKinds } from '../../src/catalog/lookup.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { isObject, parseJson } from '../../src/core/json.ts';
import type { ApplyFleetRun } from '../../src/fleet/apply.ts';
import { applyFleet, destroyFleet } from '../../src/fleet/apply.ts';
import type { FleetStack, StackResult } from '../../src/fleet/fleet.ts';
import { driftFleet } from '../../src/fleet/drift.ts';
import { planFleet } from '../../src/fleet/plan.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { createRun } from '../../src/reconcile/create-run.ts';
import { platformOf } from '../../src/reconcile/platform.ts';
import type { RunOptions } from '../../src/reconcile/run.ts';
import type { Files } from '../../src/platform/files.ts';
import { NEVER } from '../../src/reconcile/stop.ts';
import type { Exchange, HttpResponse } from '../../src/service/http/exchange.ts';
import { memoryDisk } from '../journal/sample.ts';
import { KEY, raw, reply } from '../support/fake-exchange.ts';
import { createDirect, type Direct } from '../support/in-process.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { load } from '../support/world.ts';

const LATENCY_MS = 50;
export const LISTS = new Set(topLevelKinds.map(({ operations }) => `GET ${operations.list?.path ?? ''}`));

export interface Place {
  readonly direct: Direct;
  readonly content: Map<string, string>;
  /** Method and path of each request so far, oldest first. */
  readonly asked: string[];
  /** Called with each request before it is answered; what it returns is the answer, and what it throws the failure. */
  intercept: (request: Parameters<Exchange>[0]) => HttpResponse | Promise<never> | undefined;
  /** What the service answers. */
  readonly answer: (request: Parameters<Exchange>[0]) => HttpResponse;
  /** The process of the latest run ends: it writes no more files, and its locks are free. */
  readonly crash: () => void;
  /** A fleet of manifests: text, or loaded. */
  readonly fleet: (
    stacks: Readonly<Record<string, string | Manifest>>,
    more?: Partial<ApplyFleetRun>,
    options?: Partial<RunOptions>,
  ) => ApplyFleetRun;
}

/** Answers requests as the service does. */
export function answering({ ask }: Direct): (request: Parameters<Exchange>[0]) => HttpResponse {
  return ({ method, url, body }) => {
    const given = body === undefined ? undefined : parseJson(body);
    const sent = given !== undefined && isObject(given) ? given : undefined;
    const { status, body: json } = ask(method, `${url.pathname}${url.search}`, sent);
    const text = JSON.stringify(json).replaceAll('http://service.test', 'http://localhost');
    return status === 204 ? raw(204, '') : reply(status, parseJson(text));
  };
}

export function createPlace(direct = createDirect()): Place {
  const disk = memoryDisk();
  const asked: string[] = [];
  const clock = createVirtualClock();
  let process = 0;
  let names = 0;
  const crashed = new Set<number>();
  const answer = answering(direct);
  const place: Place = {
    direct,
    content: disk.content,
    asked,
    intercept: () => undefined,
    answer,
    crash: () => void crashed.add(process),
    fleet: (stacks, more = {}, options = {}) => {
      const own = (process += 1);
      const platform = platformOf({
        files: filesOf(disk.files, () => crashed.has(own)),
        identity: { pid: own, birth: '1', host: 'here', bootId: 'boot', isAlive: (pid) => !crashed.has(pid) },
        clock,
        random: () => 0.5,
        wallTime: () => new Date(Date.UTC(2030, 0, 1) + clock.now()).toISOString(),
        runName: () => `run-${own}-${(names += 1)}`,
        exchange: async (request) => {
          asked.push(`${request.method} ${request.url.pathname}`);
          const answered = await (place.intercept(request) ?? answer(request));
          await clock.sleep(LATENCY_MS);
          return answered;
        },
      });
      const all = Object.entries(stacks).map(([name, source]): FleetStack => {
        const manifest = typeof source === 'object' && 'digest' in source ? source : load(source);
        const settings = { journal: `/${name}.jsonl`, settleMs: 2_000, ...options };
        const run = createRun({ manifest, baseUrl: 'http://localhost', apiKey: KEY, platform, options: settings });
        return { name, run };
      });
      return { ...NEVER, stacks: all, platform, emit: () => undefined, approve: () => Promise.resolve(), ...more };
    },
  };
  return place;
}

export { applyFleet, destroyFleet, driftFleet, planFleet };

/** The files as a process sees them; once it has ended, nothing of it is written. */
function filesOf(files: Files, hasEnded: () => boolean): Files {
  const unlessEnded = <Given extends unknown[]>(write: (...given: Given) => void) => {
    return (...given: Given) => {
      if (!hasEnded()) write(...given);
    };
  };
  return {
    ...files,
    writeAtomic: unlessEnded(files.writeAtomic),
    createPrivate: unlessEnded(files.createPrivate),
    remove: unlessEnded(files.remove),
    createExclusive: (path, text) => !hasEnded() && files.createExclusive(path, text),
    openAppender: (path) => {
      const appender = files.openAppender(path);
      return {
        ...appender,
        append: (text) => (hasEnded() ? new Promise<never>(() => undefined) : appender.append(text)),
      };
    },
  };
}

/** What became of each stack, in a word or two. */
export function outcomes(results: readonly StackResult[]): Record<string, string> {
  return Object.fromEntries(results.map((one) => [one.name, outcome(one)]));
}

function outcome(one: StackResult): string {
  switch (one.is) {
    case 'planned':
      return [
        ...one.plan.steps.map(({ action, address }) => `${action} ${address}`),
        ...one.plan.refusals.map(({ rule }) => `refused: ${rule}`),
      ].join(', ');
    case 'applied':
      return one.report.result === 'done'
        ? 'done'
        : `${one.report.result}: ${one.report.diagnostics.map(({ code }) => code).join(', ')}`;
    case 'drift':
      return one.drift.drift.drifted ? 'drifted' : `${one.drift.drift.pending.length} pending`;
    case 'failed':
      return `failed: ${one.failure.diagnostics.map(({ code }) => code).join(', ')}`;
    case 'blocked':
      return `blocked by ${one.by}`;
    case 'not-attempted':
      return one.is;
    default:
      return one satisfies never;
  }
}

/** Writes so far, and how many lists and single reads. */
export function counted(asked: readonly string[]) {
  const lists = asked.filter((one) => LISTS.has(one)).length;
  const reads = asked.filter((one) => one.startsWith('GET ')).length - lists;
  return { lists, reads, writes: asked.length - lists - reads };
}

/** One object of the service by its kind and a field. */
export function holderOf(place: Place, hostport: string): string[] {
  const holds = ({ spec }: { readonly spec: JsonObject }) => JSON.stringify(spec['hostports'] ?? []).includes(hostport);
  return place.direct.store.all().flatMap((one) => (holds(one) ? [one.id] : []));
}
