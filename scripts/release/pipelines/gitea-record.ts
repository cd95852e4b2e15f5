// Asks that Gitea what our actions ask, as a job with its own token, and writes the answers as the fixtures that the fake of Gitea answers with.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Gitea } from './gitea-server.ts';
import { runOf } from './gitea-server.ts';
import { demand } from './scene.ts';
import type { Repository } from './scene.ts';

/** What the adapter of Gitea asks, by the file that keeps the answer. */
interface About {
  readonly repository: string;
  readonly number: number;
  readonly sha: string;
  readonly run: number;
  readonly artifact: string;
  /** The branch with accepted drift. */
  readonly branch: string;
}

function callsOf({ repository, number, sha, run, artifact, branch }: About): Readonly<Record<string, string>> {
  const at = `repos/${repository}`;
  return {
    user: 'user',
    run: `${at}/actions/runs/${run}`,
    runs: `${at}/actions/runs?branch=main&event=push&limit=50`,
    jobs: `${at}/actions/runs/${run}/jobs?filter=all&per_page=100`,
    pull: `${at}/pulls/${number}`,
    'commit-pull': `${at}/commits/${sha}/pull`,
    comments: `${at}/issues/${number}/comments?per_page=100`,
    artifacts: `${at}/actions/artifacts?name=${artifact}&per_page=100`,
    issues: `${at}/issues?state=open&creator=gitea-actions&per_page=100`,
    pulls: `${at}/pulls?state=all&limit=50`,
    branch: `${at}/branches/${encodeURIComponent(branch)}`,
    compare: `${at}/compare/main...${encodeURIComponent(branch)}`,
    contents: `${at}/contents/shop/edgeform.yaml?ref=main`,
    'not-found': `${at}/commits/${'0'.repeat(40)}/pull`,
  };
}

/** Variables of a job that our scripts read. */
const READ =
  /^(?:GITEA_ACTIONS|GITHUB_(?:ACTOR|API_URL|EVENT_NAME|GRAPHQL_URL|HEAD_REF|REF|REF_NAME|REPOSITORY|RUN_ATTEMPT|RUN_ID|RUN_NUMBER|SERVER_URL|SHA|WORKFLOW|WORKFLOW_REF))$/;

function scriptOf(calls: Readonly<Record<string, string>>, folder: string): string {
  return `
const { writeFileSync, readFileSync } = require('node:fs');
const keep = (name, value) => writeFileSync(${JSON.stringify(folder)} + '/' + name + '.json', JSON.stringify(value));
const read = ${String(READ)};
(async () => {
  const headers = { authorization: 'Bearer ' + process.env.TOKEN, accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
  for (const [name, path] of Object.entries(${JSON.stringify(calls)})) {
    const answer = await fetch(process.env.GITHUB_API_URL + '/' + path, { headers });
    console.log(answer.status, path, answer.headers.get('link'));
    keep(name, await answer.json());
  }
  keep('environment', Object.fromEntries(Object.entries(process.env).filter(([name]) => read.test(name)).sort()));
  keep('event', JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH, 'utf8')));
})();`;
}

/** Of what is nested and nobody reads, the names. */
function trimmed(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((one) => trimmed(one, depth));
  if (typeof value !== 'object' || value === null) return value;
  const { id, login, full_name: fullName } = value as Readonly<Record<string, unknown>>;
  if (depth > 0 && login !== undefined) return { id, login };
  if (depth > 0 && fullName !== undefined) return { id, full_name: fullName };
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, trimmed(one, depth + 1)]));
}

/** What is another one with each recording, as one that stays: addresses, commits, times, and the text of comments. */
function stable(text: string, url: string): string {
  const commits = new Map<string, string>();
  const commitOf = (sha: string) => {
    if (!commits.has(sha)) commits.set(sha, `a${String(commits.size + 1).padStart(39, '0')}`);
    return commits.get(sha) ?? '';
  };
  return text
    .replaceAll(url, 'https://gitea.example')
    .replaceAll(/"body": "<!-- .*"/g, '"body": "<!-- edgeform:plan -->"')
    .replaceAll(/\b(?!0{40})[0-9a-f]{40}\b/g, commitOf)
    .replaceAll(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)/g, '2026-11-22T00:00:00Z')
    .replaceAll(/(?<=(?:edgeform-plan|drift)-shop-)[0-9a-f]{8}/g, '00000000')
    .replaceAll(/\bsha256:[0-9a-f]{64}\b/g, `sha256:${'0'.repeat(64)}`)
    .replaceAll(/(?<=Edgeform-Changes: )[^"\\]+/g, '0'.repeat(64))
    .replaceAll(/(?<=@gitea-actions\/)\d+/g, '1')
    .replaceAll(/(?<="size_in_bytes": )\d+/g, '1000');
}

/** Opens a pull request with a workflow that asks; its answers go into the folder. */
export async function record(
  gitea: Gitea,
  { git, path, commit }: Repository,
  about: About,
  folder: string,
): Promise<void> {
  const raw = join(gitea.home, 'answers');
  mkdirSync(raw);
  const step = {
    shell: 'bash',
    env: { TOKEN: '${{ github.token }}', SCRIPT: scriptOf(callsOf(about), raw) },
    run: 'node --eval "$SCRIPT"',
  };
  const workflow = {
    name: 'edgeform',
    on: 'pull_request',
    jobs: { record: { 'runs-on': 'ubuntu-latest', steps: [step] } },
  };
  git('switch', '--quiet', '-c', 'record');
  writeFileSync(join(path, '.github/workflows/record.yml'), JSON.stringify(workflow));
  commit(readFileSync(join(path, 'shop/edgeform.yaml'), 'utf8'));
  git('push', '--quiet', 'origin', 'record');
  const pull = { title: 'Record', head: 'record', base: 'main' };
  const { log } = await runOf(gitea, about.repository, () =>
    gitea.api('POST', `repos/${about.repository}/pulls`, pull),
  );
  const files = readdirSync(raw);
  demand(files.length === Object.keys(callsOf(about)).length + 2, `recorded: ${log}`);
  for (const file of files) {
    const answer = trimmed(JSON.parse(readFileSync(join(raw, file), 'utf8')));
    writeFileSync(join(folder, file), `${stable(JSON.stringify(answer, undefined, 2), gitea.url)}\n`);
  }
}
