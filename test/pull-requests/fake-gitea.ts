// The same calls as Gitea answers them: paths and fields of its API, by the fixtures; nothing that only GitHub has.

import { readFileSync } from 'node:fs';
import type { Answer, Asked } from './fake-forge.ts';
import { FakeGithub, REPOSITORY } from './fake-github.ts';

type Fixture = Readonly<Record<string, unknown>>;
const fixture = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/gitea/${name}.json`, import.meta.url), 'utf8')) as Fixture;
const [USER, RUN, PULL, COMMENT, ARTIFACT] = ['user', 'run', 'pull', 'comment', 'artifact'].map(fixture) as [
  Fixture,
  Fixture,
  Fixture,
  Fixture,
  Fixture,
];
const NOT_FOUND: Answer = { status: 404, body: fixture('not-found') };

export const GITEA_BOT = String(USER['login']);
/** What its runner gives jobs otherwise. */
export const GITEA_ENV = {
  GITEA_ACTIONS: 'true',
  GITHUB_GRAPHQL_URL: '',
  GITHUB_WORKFLOW_REF: '',
  GITHUB_WORKFLOW: 'edgeform.yml',
  GITHUB_SERVER_URL: 'https://gitea.example/',
};

export class FakeGitea extends FakeGithub {
  constructor(logins: Readonly<Record<string, string>>) {
    super(logins, '/api/v1');
  }

  protected override answer(asked: Asked): Answer {
    const path = asked.path.replace(/^\/api\/v1/, '');
    const request = `${asked.method} ${path.replace(`/repos/${REPOSITORY}/`, '')}`;
    if (path === '/user') {
      const login = this.logins[(asked.headers.authorization ?? '').replace('Bearer ', '')];
      return login === undefined ? { status: 401, body: {} } : { body: { ...USER, login, username: login } };
    }
    const [, sha] = /^GET commits\/(\w+)\/pull$/.exec(request) ?? [];
    if (sha !== undefined) {
      const found = this.pulls.find(({ merge_commit_sha: merged, head }) => merged === sha || head.sha === sha);
      return found === undefined ? NOT_FOUND : { body: { ...PULL, ...found } };
    }
    if (/^GET actions\/runs(?:\/\d+)?$/.test(request)) return this.runsOf(request, asked.query.get('event'));
    const isOfGithub = path === '/graphql' || /^GET (?:commits\/\w+\/pulls|actions\/workflows\/.*)$/.test(request);
    if (isOfGithub) return NOT_FOUND;
    return shaped(request, super.answer({ ...asked, path }));
  }

  /** Every run of the repository, whatever its workflow. */
  private runsOf(request: string, event: string | null): Answer {
    const runs = this.runs.map((run) => ({
      ...RUN,
      ...run,
      // The name of the file alone.
      path: `${run.path.split('/').at(-1) ?? ''}@refs/heads/main`,
    }));
    const [, id] = /\/(\d+)$/.exec(request) ?? [];
    if (id === undefined) {
      const found = runs.filter((run) => run.event === event).reverse();
      return { body: { total_count: found.length, workflow_runs: found } };
    }
    const found = runs.find((run) => run.id === Number(id));
    return found === undefined ? NOT_FOUND : { body: found };
  }
}

/** An answer with the fields of Gitea's, and without those that only GitHub has. */
function shaped(request: string, answer: Answer): Answer {
  if (/comments$/.test(request) && answer.list !== undefined)
    return { ...answer, list: answer.list.map((one) => ({ ...COMMENT, ...one, node_id: undefined })) };
  if (/^GET pulls\//.test(request) && answer.status === undefined)
    return { body: { ...PULL, ...(answer.body as object) } };
  if (/^GET actions\/artifacts$/.test(request))
    return {
      ...answer,
      list: (answer.list ?? []).map((one) => {
        const { workflow_run: run, ...rest } = one as {
          readonly workflow_run: { readonly head_repository_id: number };
        };
        return { ...ARTIFACT, ...rest, workflow_run: { ...run, head_repository_id: undefined } };
      }),
    };
  return answer;
}
