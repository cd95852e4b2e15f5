// The few calls of GitLab's API that the component makes.

import type { Answer, Asked } from './fake-forge.ts';
import { FakeForge } from './fake-forge.ts';
import { FakeRepository } from './fake-repository.ts';

export const PROJECT_ID = '42';
export const BOT_ID = 7;

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
  readonly source_branch?: string;
  target_branch?: string;
  readonly source_project_id?: number;
  readonly target_project_id?: number;
  readonly title?: string;
  readonly author?: { readonly id: number };
  description?: string;
}

const ALREADY = 'Another open merge request already exists for this source branch';

export class FakeGitlab extends FakeForge {
  readonly notes = new Map<number, Note[]>();
  readonly issues: GitlabIssue[] = [];
  readonly mergeRequests: MergeRequest[] = [];
  readonly repository = new FakeRepository();
  readonly requests: string[] = [];
  /** Jobs of the default branch that applied, each in a pipeline of its own, with their artifacts. */
  readonly applies: { readonly id: number; readonly name: string; readonly files: Readonly<Record<string, string>> }[] =
    [];
  /** Whose token is given artifacts: that of a job has a licence, or ours the role. */
  gives: readonly ('job' | 'own')[] = ['job'];
  /** The newest commit of the branch main. */
  head = '';
  private readonly token: string;

  constructor(token: string) {
    super('/api/v4', 0);
    this.token = token;
  }

  open(sha: string, more: Partial<MergeRequest> = {}): MergeRequest {
    const request = { iid: this.nextId(), sha, state: 'opened', merge_commit_sha: null, ...more };
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

  applied(name: string, files: Readonly<Record<string, string>>): void {
    this.applies.push({ id: this.nextId(), name, files });
  }

  protected override answer(asked: Asked): Answer {
    const { method, path, headers, body } = asked;
    this.requests.push(`${method} ${path}`);
    if (path.endsWith('/acme/shop.git/info/refs'))
      return {
        status: headers.authorization === `Basic ${btoa('gitlab-ci-token:job')}` ? 200 : 401,
        text: `001e# service=git-upload-pack\n0000010f${this.head} HEAD\0x\n003d${this.head} refs/heads/main\n0000`,
      };
    const artifact = new RegExp(`/projects/${PROJECT_ID}/jobs/(\\d+)/artifacts/(.*)$`).exec(path);
    if (artifact !== null) return this.artifact(Number(artifact[1]), artifact[2] ?? '', headers);
    if (headers['private-token'] !== this.token) return { status: 401, body: { message: '401 Unauthorized' } };
    const [, ofRepository] = path.split(`/projects/${PROJECT_ID}/repository/`);
    const answer = ofRepository && this.repository.answerAsGitlab(asked, ofRepository);
    if (answer) return answer;
    const rival = method === 'POST' && path.endsWith('/merge_requests') ? this.rivalOf(body) : undefined;
    if (rival !== undefined) return { status: 409, body: { message: [`${ALREADY}: !${rival.iid}`] } };
    const found = this.find(`${method} ${path.replace('/api/v4/', '')}`, body);
    if (found === undefined) return { status: 404, body: { message: '404 Not found' } };
    return Array.isArray(found) ? { list: found as object[] } : { body: found };
  }

  private artifact(job: number, name: string, headers: Asked['headers']): Answer {
    const isJob = headers['job-token'] === 'job' && this.gives.includes('job');
    const isOwn = headers['private-token'] === this.token && this.gives.includes('own');
    const text = this.applies.find(({ id }) => id === job)?.files[name];
    return (isJob || isOwn) && text !== undefined ? { text } : { status: 404, body: { message: '404 Not Found' } };
  }

  /** One branch has one open merge request into another. */
  private rivalOf(body: Readonly<Record<string, string>>): MergeRequest | undefined {
    return this.mergeRequests.find(
      ({ state, source_branch: from, target_branch: to }) =>
        state === 'opened' && from === body['source_branch'] && to === body['target_branch'],
    );
  }

  private find(asked: string, body: Readonly<Record<string, string>>): object | readonly object[] | undefined {
    if (asked === 'GET user') return { id: BOT_ID };
    const [, method = '', rest = ''] = new RegExp(`^(\\w+) projects/${PROJECT_ID}/(.*)$`).exec(asked) ?? [];
    const path = rest.split('/');
    const [first, second, third, fourth] = path;
    const iid = Number(second);
    const request = this.mergeRequests.find((one) => one.iid === iid);
    const issue = this.issues.find((one) => one.iid === iid);
    switch (`${method} ${path.map((part) => (/^\d+$/.test(part) ? 'N' : part)).join('/')}`) {
      case 'GET pipelines':
        return this.applies.map(({ id }) => ({ id })).toReversed();
      case 'GET pipelines/N/jobs':
        return this.applies.filter(({ id }) => id === iid).map(({ id, name }) => ({ id, name }));
      case 'GET merge_requests':
        return this.mergeRequests.filter(({ source_branch: branch }) => branch !== undefined);
      case 'POST merge_requests':
        return this.open(this.repository.branches.get(body['source_branch'] ?? '') ?? '', {
          ...body,
          author: { id: BOT_ID },
          source_project_id: Number(PROJECT_ID),
          target_project_id: Number(PROJECT_ID),
        });
      case 'PUT merge_requests/N':
        if (request === undefined) return undefined;
        if (body['state_event'] === 'close') request.state = 'closed';
        if (body['description'] !== undefined) request.description = body['description'];
        return request;
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
