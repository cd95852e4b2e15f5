// Runs of the built program as processes of their own, against a service on loopback that kills them at a request:
// no timers, no luck.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Stored } from '../../src/emulator/state/store.ts';
import type { Command, Point, Ran } from './machine.ts';
import { HOME } from './disk.ts';
import type { Knobs } from './service.ts';
import { Service } from './service.ts';
import type { Runner } from './setup.ts';
import { API_KEY } from './setup.ts';

interface Child {
  readonly number: number;
  readonly command: Command;
  readonly points: Point[];
  kill: () => void;
}

const RUN_HEADER = 'x-run-';
const HARD_LIMIT_MS = 120_000;

/** A folder, a service on loopback and runs of `cli` in it; `close` ends the service. */
export class ProcessHarness implements Runner {
  readonly service: Service;
  readonly folder = mkdtempSync(join(tmpdir(), 'edgeform-kill-'));
  kills = 0;
  readonly #cli: string;
  readonly #server: Server;
  readonly #children = new Map<number, Child>();
  #runs = 0;

  private constructor(cli: string, server: Server, service: Service) {
    this.#cli = cli;
    this.#server = server;
    this.service = service;
  }

  /** `files` are those that earlier runs left, by path. */
  static async open(
    cli: string,
    objects: readonly Stored[],
    files: ReadonlyMap<string, string>,
    knobs: Knobs,
  ): Promise<ProcessHarness> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const service = new Service(objects, API_KEY, knobs, () => performance.now(), url);
    const harness = new ProcessHarness(cli, server, service);
    for (const [path, text] of files) {
      // The journal is about the simulated service.
      if (!path.endsWith('.token')) continue;
      const own = harness.#placeOf(path);
      mkdirSync(dirname(own), { recursive: true });
      writeFileSync(own, text, { mode: 0o600 });
    }
    server.on('request', (request, response) => void harness.#answer(request, response));
    return harness;
  }

  /** Where a file of the simulated machine lies here. */
  #placeOf(path: string): string {
    return join(this.folder, relative(HOME, path));
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    rmSync(this.folder, { recursive: true, force: true });
  }

  pass(): Promise<void> {
    return Promise.resolve();
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }

  files(): ReadonlyMap<string, string> {
    const names = readdirSync(this.folder, { recursive: true, withFileTypes: true });
    const paths = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
    return new Map(paths.map((path) => [join(HOME, relative(this.folder, path)), readFileSync(path, 'utf8')]));
  }

  /** Runs one process in the folder, or in one of its own inside it for another machine. */
  run(command: Command, machine = 0): Promise<Ran> {
    const number = ++this.#runs;
    const cwd = join(this.folder, machine === 0 ? '' : `machine-${machine}`);
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, 'edgeform.yaml'), command.stdin);
    const args = command.args
      .map((arg) => (arg === '-' ? 'edgeform.yaml' : arg.startsWith(HOME) ? this.#placeOf(arg) : arg))
      .filter((arg) => arg !== '--debug')
      .concat('--settle', '1');
    const startedAt = performance.now();
    const { port } = this.#server.address() as AddressInfo;
    return new Promise((resolve) => {
      const env = {
        PATH: process.env['PATH'] ?? '',
        ...command.env,
        EDGEFORM_BASE_URL: `http://127.0.0.1:${port}`,
        // The name of a header tells the runs apart, so that two of them may go at once.
        EDGEFORM_VERSION_HEADER: `${RUN_HEADER}${number}: 2`,
      };
      const child = spawn(process.execPath, [this.#cli, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const points: Point[] = [];
      this.#children.set(number, { number, command, points, kill: () => void child.kill('SIGKILL') });
      const written = { stdout: '', stderr: '' };
      child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
      const limit = setTimeout(() => child.kill('SIGKILL'), HARD_LIMIT_MS);
      child.once('close', (code, signal) => {
        clearTimeout(limit);
        const endedAt = performance.now();
        const isHung = signal !== null && endedAt - startedAt >= HARD_LIMIT_MS;
        resolve({ number, exit: code ?? undefined, isHung, ...written, points, startedAt, endedAt, misdeeds: [] });
      });
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const name = Object.keys(request.headers).find((key) => key.startsWith(RUN_HEADER)) ?? '';
    const child = this.#children.get(Number(name.slice(RUN_HEADER.length)));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (child === undefined) return void response.destroy();
    const method = request.method ?? '';
    const isList = this.service.isList(method, path);
    const fault = child.command.faults.find((one) => 'request' in one && one.at === child.points.length);
    const text = Buffer.concat(chunks).toString('utf8');
    child.points.push({ type: 'request', key: `${method} ${path.split('?', 1)[0] ?? ''}`, method, isList, body: text });
    const strikes = fault !== undefined && 'request' in fault;
    if (strikes && fault.request.done === 'no') {
      this.#kill(child, response);
      return;
    }
    const given = Object.entries(request.headers).map(([key, value]) => [key, String(value)]);
    const headers = { ...Object.fromEntries(given), 'service-version': '2' };
    const answered = this.service.ask({ run: child.number, method, path, headers, text });
    if (strikes) {
      this.#kill(child, response);
      return;
    }
    const type = answered.text === '' ? {} : { 'content-type': 'application/json' };
    response.writeHead(answered.status, type).end(answered.text);
  }

  #kill(child: Child, response: ServerResponse): void {
    this.kills += 1;
    child.kill();
    response.destroy();
  }
}
