// What the fakes of GitHub and GitLab share: a server on this machine, ids, and lists that come in small pages.

import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Smaller than anybody asks for. */
const PAGE = 2;

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  /** In place of a body in JSON. */
  readonly text?: string;
  /** A list, which comes in pages. */
  readonly list?: readonly object[];
  readonly wrap?: (page: readonly object[]) => object;
}

export abstract class FakeForge {
  private readonly root: string;
  private ids: number;
  private readonly server: Server;

  /** The path of its API, and the id before the first. */
  constructor(root: string, ids: number) {
    this.root = root;
    this.ids = ids;
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  protected abstract answer(asked: Asked): Answer;

  async start(): Promise<this> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.root}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  protected nextId(): number {
    this.ids += 1;
    return this.ids;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    const url = new URL(request.url ?? '/', this.url);
    let sent = '';
    for await (const chunk of request) sent += String(chunk);
    const body = sent === '' ? {} : (JSON.parse(sent) as Asked['body']);
    const answer = this.answer({ method, path: url.pathname, query: url.searchParams, headers, body });
    const { status = 200, text, list, wrap } = answer;
    const page = Number(url.searchParams.get('page') ?? 1);
    const items = list?.slice((page - 1) * PAGE, page * PAGE) ?? [];
    url.searchParams.set('page', String(page + 1));
    const link = (list?.length ?? 0) > page * PAGE && `<${url.href}>; rel="next"`;
    response.writeHead(status, {
      ...(text === undefined && { 'content-type': 'application/json' }),
      ...(link !== false && { link }),
    });
    const said = list === undefined ? answer.body : (wrap?.(items) ?? items);
    response.end(text ?? (said === undefined ? '' : JSON.stringify(said)));
  }
}
