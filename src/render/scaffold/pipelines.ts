// CI files that `init` writes. They use our actions and our component at this version's tag, or copies in the repository. The workflow of
// GitHub and Gitea is here.

import { EXAMPLES } from '../../catalog/examples.ts';
import { applyJobs, CHECKOUT, CHECKOUT_WITH_BASE, IN_FORK, type ActionName } from './apply-jobs.ts';
import { LOOKS_FOR_DRIFT, PROPOSING, proposingJob } from './drift-job.ts';
import { gitlabPipeline } from './gitlab-pipeline.ts';
import { copied, COPIES, NO_NEEDS, type ManifestNeeds, type Pipeline } from './pipeline.ts';

/** `folder` is that of the manifest, from the root of the repository. */
export function pipelineText(ci: string, about: Pipeline, folder = ''): string {
  return (ci === 'github' ? githubPipeline : gitlabPipeline)(about, folder);
}

function githubPipeline(about: Pipeline, folder: string): string {
  const {
    version,
    commit,
    stack,
    isCopied,
    fleet,
    hasWaves = false,
    proposesDrift = false,
    needs,
    branch = 'main',
  } = about;
  const released = commit === undefined ? `v${version}` : `${commit} # v${version}`;
  const action = (name: string) =>
    isCopied ? `./${COPIES.github}/${name}` : `edgeform/edgeform/.github/actions/${name}@${released}`;
  // A folder's name is never an expression.
  const quoted = JSON.stringify(folder).replaceAll('${{', "${{ '${{' }}");
  const where = folder === '' ? '' : `\n          working-directory: ${quoted}`;
  const inputs = `          stack: "${stack}"${fleet === undefined ? '' : `\n          fleet: ${JSON.stringify(fleet)}`}${where}`;
  const special = `${fleet === undefined ? '' : FLEET}${hasWaves ? WAVES : ''}${proposesDrift ? PROPOSING.github : ''}`;
  return `${GITHUB_HEAD.replace('STACK', () => stack)
    .replace('VARIABLES', () => variablesToCreate(needs))
    .replace('FLEET\n', special)
    .replace('NEEDS\n', isCopied ? copied(COPIES.github, version) : GITHUB_NEEDS(version, commit))
    // Last, because a branch may be called anything.
    .replace(
      '[main]',
      () => `[${branchPattern(branch)}]`,
    )}${jobs(action, { stack, inputs, hasWaves, proposesDrift, ...(needs && { needs }) })}`;
}

/** What GitHub calls the variable: names of secrets have no hyphens. */
const onGithub = (name: string) => `EDGEFORM_VAR_${name.replaceAll('-', '_')}`;

/** How the values of variables come into the workflow: by the steps below, where the manifest is known. */
function variablesToCreate(needs: ManifestNeeds | undefined): string {
  if (needs === undefined)
    return `#   - for each variable of the manifest without a default, create a secret or variable EDGEFORM_VAR_name, and add below "with"
#     of plan, apply and drift: env: { EDGEFORM_VAR_name: "\${{ secrets.EDGEFORM_VAR_name }}" }`;
  const { secrets, values } = needs;
  const created = [
    ...secrets.map((name) => `the secret ${onGithub(name)}`),
    ...values.map((name) => `the variable ${onGithub(name)}`),
  ];
  return created.length === 0
    ? '#   - nothing here needs another secret or variable'
    : `#   - create ${created.join(', ')}, which the steps below use`;
}

/** The variables of the manifest, beside `with`. */
function variablesFor({ secrets, values }: ManifestNeeds): string {
  const line = (from: string) => (name: string) => `          EDGEFORM_VAR_${name}: \${{ ${from}.${onGithub(name)} }}`;
  const lines = [...secrets.map(line('secrets')), ...values.map(line('vars'))];
  return lines.length === 0 ? '' : `\n        env:\n${lines.join('\n')}`;
}

const TOKENS = `
          arguments: |
            --token-dir=\${{ runner.temp }}/edgeform-tokens`;
const AFTER_TOKENS = `
      # Move the tokens of created API keys from \${{ runner.temp }}/edgeform-tokens to where they are used, in a step here: nothing
      # keeps them after the job.`;

interface Jobs {
  readonly stack: string;
  readonly inputs: string;
  readonly hasWaves: boolean;
  readonly proposesDrift: boolean;
  readonly needs?: ManifestNeeds;
}

function jobs(action: ActionName, { stack, inputs, hasWaves, proposesDrift, needs = NO_NEEDS }: Jobs): string {
  const variables = variablesFor(needs);
  const [tokens, after] = needs.writesTokens ? [TOKENS, AFTER_TOKENS] : ['', ''];
  const applyWith = { stack, service: withService(inputs), rest: `${tokens}${variables}${after}` };
  return `  validate:
    if: github.event_name == 'pull_request' || github.event_name == 'merge_group' || github.event_name == 'push' && ${IN_FORK}
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
    steps:
      - if: github.event_name == 'push'
        run: echo "::notice title=edgeform::This fork has no variable EDGEFORM_BASE_URL, so the manifest is validated, and nothing is applied."
${CHECKOUT}
      - uses: ${action('plan')}
        with:
${inputs}
          validate-only: true
  plan:
    # Pull requests from forks are validated, but get no secrets.
    if: >-
      github.event_name == 'merge_group' || github.event_name == 'workflow_dispatch' ||
      github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
      pull-requests: write
    steps:
${CHECKOUT_WITH_BASE}
      - uses: ${action('plan')}
${withService(inputs)}${tokens}${variables}
${applyJobs(action, hasWaves, applyWith)}
  drift:
    if: \${{ ${LOOKS_FOR_DRIFT} }}
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
      issues: write
    steps:
${CHECKOUT}
      - uses: ${action('drift')}
${withService(inputs)}${proposesDrift ? '\n          pull-request: true' : ''}${variables}
${proposesDrift ? proposingJob(action, inputs) : ''}`;
}

const GITHUB_HEAD = `# Shows the plan on pull requests, applies exactly that plan when they are merged, and keeps an issue while there is drift.
# Set up once:
#   - below "on", correct the name of the default branch if it is a different one
#   - create an environment "production", with required reviewers if every apply should be approved
#   - create the secret EDGEFORM_API_KEY and the variable EDGEFORM_BASE_URL in the repository
VARIABLES
#   - turn on the rule "require branches to be up to date before merging", so that what is merged is what was planned
#   - if the manifest has ${EXAMPLES.returnedOnce}, add to apply arguments: --token-dir=DIR, and after it a step that moves the tokens to
#     where they are used, because nothing but the journal is kept after the job
FLEET
NEEDS
name: edgeform
on:
  pull_request:
    # An edited one may have got another base.
    types: [opened, reopened, synchronize, edited]
  # For a merge queue: the same checks, of what would be merged.
  merge_group:
  push:
    branches: [main]
  schedule:
    - cron: "17 4 * * *"
  # By hand, for a plan in the summary of the run, and on the default branch a check for drift. Nothing is applied.
  workflow_dispatch:
permissions: {}
concurrency:
  # A newer commit of a pull request ends the plan of the older one. What was pushed waits in the job that applies it, and not here.
  group: \${{ github.workflow }}/STACK/\${{ github.event_name }}/\${{ github.event_name == 'push' && github.sha || github.ref }}
  cancel-in-progress: \${{ github.event_name == 'pull_request' }}
jobs:
`;

/** The filter of a workflow that matches this branch alone, which may look like a number. */
function branchPattern(branch: string): string {
  return JSON.stringify(branch.replaceAll(/[+!]/g, '\\$&'));
}

/** What is special about a fleet. */
const FLEET = `# This is for all stacks of the fleet file at once: one read of the service, one comment with a table of the stacks, one saved plan for
# each stack that changes. "stack" is the name of the fleet for comments, artifacts and journals. If entries of the fleet file name other
# credentials, add below "with" of plan, apply and drift: env: { EDGEFORM_FLEET_CREDENTIALS: "A_URL,A_KEY", A_URL: …, A_KEY: … }
`;

/** What is special about waves. */
const WAVES = `# Waves: apply-1 carries out wave 1 and apply-2 wave 2. apply-3 carries out every other wave, in order. Each begins when the job before it
# ended well. Create the environments production-1, production-2 and production-3 instead of "production", and give production-3 the
# strictest rules, because a number without a job of its own ends there. For another wave, copy apply-2 and correct its name, needs,
# environment and wave, and the needs of apply-3.
`;

const GITHUB_NEEDS = (
  version: string,
  commit: string | undefined,
) => `# This needs the repository edgeform/edgeform on GitHub with the tag v${version}, and edgeform ${version} on the npm registry. Where they do not
# exist or cannot be reached, write the actions into your repository: edgeform init --ci github --copy-actions
${commit === undefined ? PIN_BY_HAND : PINNED}`;

const PIN_BY_HAND = `# A tag can be moved. To pin the actions, replace the tag with its commit:
#   git ls-remote https://github.com/edgeform/edgeform "refs/tags/v*"
`;
const PINNED = `# The actions are pinned to the commit of that tag, because a tag can be moved.
`;

function withService(inputs: string): string {
  return `        with:
${inputs}
          base-url: \${{ vars.EDGEFORM_BASE_URL }}
          api-key: \${{ secrets.EDGEFORM_API_KEY }}`;
}
