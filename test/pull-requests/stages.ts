// One stage for each forge: what people do there, and what they see. Stories are played on all of them, with the pipeline that `init` writes.

import type { Emulator } from '../../src/emulator/http/server.ts';
import { pipelineText } from '../../src/render/scaffold/pipelines.ts';
import { GITEA_BOT } from './fake-gitea.ts';
import type { Pull } from './fake-github.ts';
import { BOT } from './fake-github.ts';
import type { MergeRequest } from './fake-gitlab.ts';
import { BOT_ID, PROJECT_ID } from './fake-gitlab.ts';
import { component, FLEET_TEMPLATE, runPipeline, TEMPLATE } from './gitlab-runner.ts';
import { useGitlab } from './gitlab-world.ts';
import { stubs, type JobEnd } from './runner.ts';
import { exitCode, HOSTILE_BRANCH, logOf, useWorld, workflowOf as workflowOfActions } from './world.ts';

export type Files = Readonly<Record<string, string>>;

/** How the jobs of a pipeline ended that ran, by names that are the same everywhere, and what all of them said. */
export interface Ended {
  readonly codes: Readonly<Record<string, number>>;
  readonly log: string;
  /** The environments of all steps. */
  readonly environments: string;
}

/** A comment or a note. */
export interface Said {
  readonly body: () => string;
  readonly isOutdated: () => boolean;
}

export interface Ticket {
  readonly title: string;
  readonly isOpen: boolean;
  readonly body: string;
}

export interface Proposed extends Ticket {
  readonly base: string;
  /** What was said on it. */
  readonly comments: readonly string[];
}

/** What is not as always. */
export interface How {
  readonly fleet?: boolean;
  /** A job for each wave of the fleet. */
  readonly waves?: boolean;
  /** The program as it was built, in a process of its own. */
  readonly isBuilt?: boolean;
  readonly key?: string;
  /** What the service lacks, as the user has to say it. */
  readonly capabilities?: string;
  /** Options for all jobs, or for the one that applies. */
  readonly options?: string;
  readonly optionsOfApply?: string;
}

/** `Change` is what the forge calls a pull request or a merge request. */
export interface Stage<Change> {
  readonly name: string;
  /** What it calls one. */
  readonly request: string;
  /** Whether the plan of the review is applied, and not one of the branch. */
  readonly findsPlans: boolean;
  service(): Emulator;
  /** Into the default branch, or into another one. */
  open(base?: string): Change;
  retarget(change: Change, base: string): void;
  openFork(): Change;
  push(change: Change): void;
  head(change: Change): string;
  onChange(change: Change, files: Files, how?: How): Promise<Ended>;
  /** Plans what a merge queue would merge, where there is one. */
  queue?(change: Change, files: Files, how?: How): Promise<Ended>;
  /** What is merged is applied; `before` is called between its plan and its apply. */
  merge(change: Change, files: Files, how?: How & { readonly before?: () => void }): Promise<Ended>;
  /** What is merged is not applied: its run is cancelled while it waits, or nobody starts the job. */
  mergeOnly(change: Change, files: Files): void;
  /** The way to go on with a merged change whose apply was refused: another change, or the same pipeline again. */
  again(change: Change, files: Files): Promise<{ readonly change: Change; readonly ended: Ended }>;
  onSchedule(files: Files, how?: How): Promise<Ended>;
  /** Ours, with a marker of this kind. */
  comments(change: Change, is: string): readonly string[];
  allComments(change: Change): readonly string[];
  say(change: Change, who: 'us' | 'another', body: string): Said;
  issues(): readonly Ticket[];
  /** A function that tells how the issue is by now. */
  report(who: 'us' | 'another', title: string, body: string): () => Ticket;
  proposals(): readonly Proposed[];
  /** The branch of accepted drift, its newest commit, and its files. */
  branch(): { readonly name: string; readonly sha: string; readonly files: Files } | undefined;
  closeProposal(): void;
  /** Requests that change something. */
  writes(): readonly string[];
}

/** A name of a job that is the same on all forges, of one stack or a fleet. */
function shortOf(name: string): string {
  return name.replace(/^edgeform-/, '').replace(/^drift-(?:pull|merge)-request$/, 'propose');
}

const FLEET_FILE = 'edgeform.fleet.yaml';
const workflowOf = (isFleet: boolean, hasWaves: boolean) =>
  pipelineText('github', {
    version: '0.1.0',
    proposesDrift: true,
    hasWaves,
    ...(isFleet ? { stack: 'acme', fleet: FLEET_FILE } : { stack: 'shop' }),
  });
/** That of the program, or of another step that failed. */
const codeOf = (job: JobEnd) => (exitCode(job) ?? 0) || (job.result === 'failure' ? 1 : 0);
const ourBranch = (names: Iterable<string>) => [...names].find((name) => name.startsWith('edgeform/'));

/** GitHub, or Gitea with the same actions. */
export function actionsStage(commands: string, { isGitea }: { readonly isGitea: boolean }): Stage<Pull> {
  const world = useWorld(commands, true, isGitea);
  const bot = isGitea ? GITEA_BOT : BOT;
  type Jobs = Awaited<ReturnType<typeof world.onPull>>;
  const ended = (jobs: Jobs): Ended => {
    const ran = Object.entries(jobs).filter(([, { result }]) => result !== 'skipped');
    return {
      codes: Object.fromEntries(ran.map(([name, job]) => [shortOf(name), codeOf(job)])),
      log: ran.map(([, job]) => logOf(job)).join('\n'),
      environments: JSON.stringify(ran.map(([, { steps }]) => steps.map(({ env }) => env))),
    };
  };
  const overrides = ({
    fleet = false,
    waves = false,
    isBuilt = false,
    key,
    capabilities,
    options,
    optionsOfApply: given = options,
  }: How = {}) => ({
    workflow: workflowOf(fleet, waves).replaceAll(/^( *)stack: .*$/gm, (line, blanks: string) =>
      given === undefined ? line : `${line}\n${blanks}arguments: ${given}`,
    ),
    ...(isBuilt && { path: [stubs()] }),
    ...(key !== undefined && { secrets: { EDGEFORM_API_KEY: key } }),
    ...(capabilities !== undefined && { env: { EDGEFORM_CAPABILITIES: capabilities } }),
  });
  const proposals = () => world.github.pulls.filter(({ head }) => ourBranch([head.ref]) !== undefined);
  const ticketOf = (issue: ReturnType<typeof world.issues>[number]) => ({
    title: issue.title,
    isOpen: issue.state === 'open',
    body: issue.body,
  });
  const queue = async (pull: Pull, files: Files, { fleet = false }: How = {}) => {
    const inputs = fleet ? { stack: 'acme', fleet: FLEET_FILE } : {};
    const { one } = await world.onQueue(pull, files, { workflow: workflowOfActions(['plan', inputs]) });
    return ended({ plan: one as JobEnd });
  };
  const all = (number: number) => world.github.comments.get(number) ?? [];
  const stage: Stage<Pull> = {
    name: isGitea ? 'Gitea' : 'GitHub',
    request: 'pull request',
    findsPlans: true,
    service: () => world.service,
    open: (base) => world.open(HOSTILE_BRANCH, undefined, base),
    retarget: (pull, base) => {
      pull.base.ref = base;
    },
    openFork: () => world.open(HOSTILE_BRANCH, 'mallory/shop'),
    push: (pull) => {
      world.push(pull);
    },
    head: (pull) => pull.head.sha,
    onChange: async (pull, files, how) => ended(await world.onPull(pull, files, overrides(how))),
    ...(!isGitea && { queue }),
    merge: async (pull, files, { before, ...how } = {}) => {
      before?.();
      return ended(await world.merge(pull, files, overrides(how)));
    },
    mergeOnly: (pull, files) => {
      world.mergeCancelled(pull, files);
    },
    async again(_, files) {
      const change = stage.open();
      await stage.onChange(change, files);
      return { change, ended: await stage.merge(change, files) };
    },
    onSchedule: async (files, how) => ended(await world.onMain('schedule', files, overrides(how))),
    comments: (pull, is) => world.comments(pull, is).map(({ body }) => body),
    allComments: (pull) => all(pull.number).map(({ body }) => body),
    say: (pull, who, body) => {
      const comment = world.github.say(pull.number, who === 'us' ? bot : 'mallory', body);
      return {
        body: () => comment.body,
        isOutdated: () => (isGitea ? comment.body.startsWith('_Outdated') : comment.isMinimized),
      };
    },
    issues: () => world.issues().map(ticketOf),
    report: (who, title, body) => {
      const issue = world.github.report(who === 'us' ? bot : 'mallory', title, body);
      return () => ticketOf(issue);
    },
    proposals: () =>
      proposals().map(({ number, title = '', state, body = '', base }) => ({
        title,
        body,
        isOpen: state === 'open',
        base: base.ref,
        comments: all(number).map((one) => one.body),
      })),
    branch: () => branchIn(world.github.repository),
    closeProposal: () => {
      Object.assign(proposals().at(-1) ?? {}, { state: 'closed' });
    },
    writes: () => world.github.requests.filter((line) => !/^GET|graphql/.test(line)),
  };
  return stage;
}

function branchIn({
  branches,
  ...repository
}: {
  readonly branches: ReadonlyMap<string, string>;
  readonly commits: ReadonlyMap<string, { readonly files: Files }>;
}) {
  const name = ourBranch(branches.keys());
  if (name === undefined) return undefined;
  const sha = branches.get(name) ?? '';
  return { name, sha, files: repository.commits.get(sha)?.files ?? {} };
}

const PLAYED = ['edgeform-apply', ...[1, 2, 3].map((wave) => `edgeform-apply-${wave}`)];

export function gitlabStage(commands: string): Stage<MergeRequest> {
  const world = useGitlab();
  let commits = 0;
  const newCommit = () => {
    commits += 1;
    return commits.toString(16).padStart(40, 'b');
  };
  const jobsOf = ({ fleet = false, waves = false, options = '', optionsOfApply }: How) => {
    const jobsWith = (given: string) => {
      const stack = fleet ? 'acme' : 'shop';
      const inputs = { stack, 'pull-request': 'true', arguments: given, ...(waves && { waves: 'true' }) };
      return component(inputs, fleet ? FLEET_TEMPLATE : TEMPLATE);
    };
    const jobs = jobsWith(options);
    if (optionsOfApply === undefined) return jobs;
    // What the project gives stands in the script that all jobs share, so that the job has one of its own.
    const { '.edgeform': shared, 'edgeform-apply': apply } = jobsWith(optionsOfApply);
    const { extends: _, ...whole } = { ...shared, ...apply };
    return { ...jobs, 'edgeform-apply': whole };
  };

  async function pipeline(
    source: string,
    sha: string,
    files: Files,
    { variables = {}, before, ...how }: How & { variables?: Files; before?: () => void } = {},
  ): Promise<Ended> {
    const { repository } = world.gitlab;
    if (source !== 'merge_request_event') {
      world.gitlab.head = sha;
      const parent = repository.branches.get('main');
      if (!repository.commits.has(sha))
        repository.commit(sha, files, { ...(parent !== undefined && { parent }), branch: 'main' });
    }
    const ends = await runPipeline({
      jobs: jobsOf(how),
      files,
      path: how.isBuilt === true ? stubs() : commands,
      caches: source === 'merge_request_event' ? new Map() : world.caches,
      play: PLAYED,
      variables: {
        ...world.variablesOf(source, sha),
        ...(source !== 'merge_request_event' && { CI_COMMIT_BRANCH: 'main' }),
        ...(how.key !== undefined && { EDGEFORM_API_KEY: how.key }),
        ...(how.capabilities !== undefined && { EDGEFORM_CAPABILITIES: how.capabilities }),
        ...variables,
      },
      before: (job) => {
        if (PLAYED.includes(job)) before?.();
      },
    });
    for (const [name, { artifacts }] of Object.entries(ends))
      if (PLAYED.includes(name)) world.gitlab.applied(name, artifacts);
    return {
      codes: Object.fromEntries(Object.entries(ends).map(([name, { code }]) => [shortOf(name), code])),
      log: Object.values(ends)
        .map(({ log }) => log)
        .join('\n'),
      environments: JSON.stringify(Object.values(ends).map(({ env }) => env)),
    };
  }

  const forks = new Set<MergeRequest>();
  const notes = ({ iid }: MergeRequest) => world.gitlab.notes.get(iid) ?? [];
  const authorOf = (who: 'us' | 'another') => (who === 'us' ? BOT_ID : 1);
  const proposals = () => world.gitlab.mergeRequests.filter(({ source_branch: from }) => from !== undefined);
  const ticketOf = (issue: (typeof world.gitlab.issues)[number]) => ({
    title: issue.title,
    isOpen: issue.state === 'opened',
    body: issue.description,
  });
  const stage: Stage<MergeRequest> = {
    name: 'GitLab',
    request: 'merge request',
    findsPlans: false,
    service: () => world.service,
    open: (base = 'main') => world.gitlab.open(newCommit(), { target_branch: base }),
    retarget: (request, base) => {
      request.target_branch = base;
    },
    openFork() {
      const request = stage.open();
      forks.add(request);
      return request;
    },
    push: (request) => {
      request.sha = newCommit();
    },
    head: (request) => request.sha,
    onChange(request, files, how) {
      const isForeign = forks.has(request);
      // Pipelines of a fork run in the fork, which has none of our variables.
      const none = { EDGEFORM_API_KEY: '', EDGEFORM_GITLAB_TOKEN: '', EDGEFORM_BASE_URL: '' };
      const variables = {
        CI_MERGE_REQUEST_IID: String(request.iid),
        CI_MERGE_REQUEST_PROJECT_ID: PROJECT_ID,
        CI_MERGE_REQUEST_SOURCE_PROJECT_ID: isForeign ? '99' : PROJECT_ID,
        CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: HOSTILE_BRANCH,
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: request.target_branch ?? '',
        CI_COMMIT_REF_NAME: HOSTILE_BRANCH,
        ...(isForeign && none),
      };
      return pipeline('merge_request_event', request.sha, files, { ...how, variables });
    },
    merge(request, files, how) {
      Object.assign(request, { state: 'merged', merge_commit_sha: newCommit() });
      return pipeline('push', request.merge_commit_sha ?? '', files, how);
    },
    mergeOnly: (request) => {
      Object.assign(request, { state: 'merged', merge_commit_sha: newCommit() });
    },
    again: async (change, files) => ({ change, ended: await pipeline('push', change.merge_commit_sha ?? '', files) }),
    onSchedule: (files, how) => pipeline('schedule', newCommit(), files, how),
    comments: (request, is) =>
      notes(request)
        .filter(({ author, body }) => author.id === BOT_ID && body.startsWith(`<!-- edgeform:${is} `))
        .map(({ body }) => body),
    allComments: (request) => notes(request).map(({ body }) => body),
    say: ({ iid }, who, body) => {
      const note = world.gitlab.say(iid, authorOf(who), body);
      return { body: () => note.body, isOutdated: () => note.body.startsWith('_Outdated') };
    },
    issues: () => world.gitlab.issues.map(ticketOf),
    report: (who, title, body) => {
      const issue = world.gitlab.report(authorOf(who), title, body);
      return () => ticketOf(issue);
    },
    proposals: () =>
      proposals().map((one) => ({
        title: one.title ?? '',
        body: one.description ?? '',
        isOpen: one.state === 'opened',
        base: one.target_branch ?? '',
        comments: stage.allComments(one),
      })),
    branch: () => branchIn(world.gitlab.repository),
    closeProposal: () => {
      Object.assign(proposals().at(-1) ?? {}, { state: 'closed' });
    },
    writes: () => world.gitlab.requests.filter((line) => !line.startsWith('GET ')),
  };
  return stage;
}
