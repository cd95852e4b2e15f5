// The jobs of a workflow that apply: one with the environment `production`, or one for each wave with an environment of its own.

/** What `uses` says for an action of ours. */
export type ActionName = (name: string) => string;

export const CHECKOUT = `      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false`;

/** With the commit that the pull request is merged into: without credentials, a private repository gives nothing later. */
export const CHECKOUT_WITH_BASE = `${CHECKOUT}
          # The merge and its parents: the plan says what is new since the first of them.
          fetch-depth: 2`;

/** A condition: nothing was set up here. A fork has no variables and no secrets until somebody creates them. */
export const IN_FORK = "github.event.repository.fork && vars.EDGEFORM_BASE_URL == ''";

/** What the action gets in every job, and the stack that is applied once at a time. */
interface ApplyWith {
  readonly stack: string;
  readonly service: string;
  readonly rest: string;
}

interface ApplyJob {
  readonly name: string;
  readonly environment: string;
  /** Undefined for all that is left. */
  readonly wave?: number;
  /** The job that must have ended well. */
  readonly after?: string;
}

const ONE_APPLY_JOB: ApplyJob = { name: 'apply', environment: 'production' };
/** The last one takes every number that has no job, so that it should ask for the strictest approval. */
const APPLY_JOBS: readonly ApplyJob[] = [
  { name: 'apply-1', environment: 'production-1', wave: 1 },
  { name: 'apply-2', environment: 'production-2', wave: 2, after: 'apply-1' },
  { name: 'apply-3', environment: 'production-3', after: 'apply-2' },
];

/** One job, or one for each wave. */
export function applyJobs(action: ActionName, hasWaves: boolean, applyWith: ApplyWith): string {
  return (hasWaves ? APPLY_JOBS : [ONE_APPLY_JOB]).map((job) => applyJob(action, job, applyWith)).join('\n');
}

function applyJob(
  action: ActionName,
  { name, environment, wave, after }: ApplyJob,
  { stack, service, rest }: ApplyWith,
): string {
  const waits = after === undefined ? '' : `\n    needs: ${after}`;
  const input = wave === undefined ? '' : `\n          wave: ${wave}`;
  return `  ${name}:
    if: github.event_name == 'push' && !(${IN_FORK})${waits}
    runs-on: ubuntu-latest
    timeout-minutes: 60
    environment: ${environment}
    concurrency:
      # One at a time, in the order of the pushes. Remove "queue" where the forge refuses it: there, one run waits, and the last one counts.
      group: \${{ github.workflow }}/${stack}/apply
      queue: max
    permissions:
      contents: read
      actions: read
      pull-requests: write
    steps:
${CHECKOUT}
      - uses: ${action('apply')}
${service}${input}${rest}`;
}
