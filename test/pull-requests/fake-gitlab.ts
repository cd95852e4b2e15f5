// The few calls of GitLab's API that the component makes.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const PROJECT_ID = '42';
export const BOT_ID = 7;
/** Smaller than anybody asks for. */
const PAGE = 2;

export interface Note {
  readonly id: number;
  readonly author: { readonly id: number };
  body: string;
}
export interface GitlabIssue {
  readonly iid: number;
  readonly title: string;
  readonly author: { readonly id: number };
  description: string;
  state: string;
}
export interface MergeRequest {
  readonly iid: number;
  sha: string;
  state: string;
  merge_commit_sha: string | null;
}

export class FakeGitlab {
  readonly notes = new Map<number, Note[]>();
  readonly issues: GitlabIssue[] = [];
  readonly mergeRequests: MergeRequest[] = [];
  /** The newest commit of the branch main. */
  head = '';
  private ids = 0;
  private readonly token: string;
  private readonly server: Server;

  constructor(token: string) {
    this.token = token;
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  async start(): Promise<this> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/api/v4`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  open(sha: string): MergeRequest {
    const request = { iid: this.nextId(), sha, state: 'opened', merge_commit_sha: null };
    this.mergeRequests.push(request);
    return request;
  }

  say(iid: number, author: number, body: string): Note {
    const note = { id: this.nextId(), author: { id: author }, body };
    this.notes.set(iid, [...(this.notes.get(iid) ?? []), note]);
    return note;
  }

  report(author: number, title: string, description: string): GitlabIssue {
    const issue = { iid: this.nextId(), title, author: { id: author }, description, state: 'opened' };
    this.issues.push(issue);
    return issue;
  }

  private nextId(): number {
    this.ids += 1;
    return this.ids;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const end = (status: number, body: unknown, link = '') => {
      response.writeHead(status, { 'content-type': 'application/json', ...(link !== '' && { link }) });
      response.end(JSON.stringify(body));
    };
    if (url.pathname.endsWith('/acme/shop.git/info/refs')) {
      response.writeHead(request.headers.authorization === `Basic ${btoa('gitlab-ci-token:job')}` ? 200 : 401);
      response.end(
        `001e# service=git-upload-pack\n0000010f${this.head} HEAD\0x\n003d${this.head} refs/heads/main\n0000`,
      );
      return;
    }
    if (request.headers['private-token'] !== this.token) {
      end(401, { message: '401 Unauthorized' });
      return;
    }
    const body = text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, string>>);
    const answer = this.answer(`${request.method ?? ''} ${url.pathname.replace('/api/v4/', '')}`, body);
    if (!Array.isArray(answer)) {
      end(answer === undefined ? 404 : 200, answer ?? { message: '404 Not found' });
      return;
    }
    const page = Number(url.searchParams.get('page') ?? 1);
    url.searchParams.set('page', String(page + 1));
    const link = answer.length > page * PAGE ? `<${url.href}>; rel="next"` : '';
    end(200, answer.slice((page - 1) * PAGE, page * PAGE), link);
  }

  private answer(asked: string, body: Readonly<Record<string, string>>): object | readonly object[] | undefined {
    if (asked === 'GET user') return { id: BOT_ID };
    const [, method = '', rest = ''] = new RegExp(`^(\\w+) projects/${PROJECT_ID}/(.*)$`).exec(asked) ?? [];
    const path = rest.split('/');
    const [first, second, third, fourth] = path;
    const iid = Number(second);
    const request = this.mergeRequests.find((one) => one.iid === iid);
    const issue = this.issues.find((one) => one.iid === iid);
    switch (`${method} ${path.map((part) => (/^\d+$/.test(part) ? 'N' : part)).join('/')}`) {
      case 'GET merge_requests/N':
        return request;
      case 'GET merge_requests/N/notes':
        return this.notes.get(iid) ?? [];
      case 'POST merge_requests/N/notes':
        return this.say(iid, BOT_ID, body['body'] ?? '');
      case 'PUT merge_requests/N/notes/N': {
        const note = this.notes.get(iid)?.find(({ id }) => id === Number(fourth));
        return note === undefined ? undefined : Object.assign(note, body);
      }
      case 'GET issues':
        return this.issues.filter(({ state }) => state === 'opened');
      case 'POST issues':
        return this.report(BOT_ID, body['title'] ?? '', body['description'] ?? '');
      case 'POST issues/N/notes':
        return { id: this.nextId() };
      case 'PUT issues/N':
        if (issue === undefined) return undefined;
        if (body['state_event'] === 'close') issue.state = 'closed';
        if (body['description'] !== undefined) issue.description = body['description'];
        return issue;
      default:
        if (method === 'GET' && first === 'repository' && second === 'commits')
          return this.mergeRequests.filter(({ merge_commit_sha: sha }) => sha === third);
        return undefined;
    }
  }
}
