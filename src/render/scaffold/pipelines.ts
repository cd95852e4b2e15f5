// CI files that `init` writes. They use our actions and our component at this version's tag.

import { EXAMPLES } from '../../catalog/examples.ts';

/** The manifest's folder and branch; by default the repository's root and `main`. */
interface Place {
  readonly folder?: string;
  readonly branch?: string;
}

/** The file for a CI service. */
export function pipelineText(ci: string, version: string, stack: string, place?: Place): string {
  return (ci === 'github' ? githubPipeline : gitlabPipeline)(version, stack, place);
}

/** A workflow of GitHub Actions. */
function githubPipeline(version: string, stack: string, { folder = '', branch = 'main' }: Place = {}): string {
  const action = (name: string) => `edgeform/edgeform/.github/actions/${name}@v${version}`;
  // A folder's name is never an expression.
  const quoted = JSON.stringify(folder).replaceAll('${{', "${{ '${{' }}");
  const inputs = `          stack: "${stack}"${folder === '' ? '' : `\n          working-directory: ${quoted}`}`;
  return `${GITHUB_HEAD.replace('[main]', `[${branch === 'main' ? branch : JSON.stringify(branch)}]`)}${jobs(action, inputs)}`;
}

function jobs(action: (name: string) => string, inputs: string): string {
  return `  validate:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
    steps:
${CHECKOUT}
      - uses: ${action('plan')}
        with:
${inputs}
          validate-only: true
  plan:
    # Pull requests from forks are validated, but get no secrets.
    if: github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
      pull-requests: write
    steps:
${CHECKOUT}
      - uses: ${action('plan')}
${withService(inputs)}
  apply:
    if: github.event_name == 'push'
    runs-on: ubuntu-latest
    timeout-minutes: 60
    environment: production
    permissions:
      contents: read
      actions: read
      pull-requests: write
    steps:
${CHECKOUT}
      - uses: ${action('apply')}
${withService(inputs)}
  drift:
    if: github.event_name == 'schedule'
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
      issues: write
    steps:
${CHECKOUT}
      - uses: ${action('drift')}
${withService(inputs)}
`;
}

const GITHUB_HEAD = `# Shows the plan on pull requests, applies exactly that plan when they are merged, and keeps an issue while there is drift.
# Set up once:
#   - below "on", the name of the default branch, where it is another one
#   - an environment "production", with required reviewers when a person should approve every apply
#   - the secret EDGEFORM_API_KEY and the variable EDGEFORM_BASE_URL, for the repository
#   - for each variable of the manifest that has no default a secret or variable EDGEFORM_VAR_name, and below "with" of
#     plan, apply and drift: env: { EDGEFORM_VAR_name: "\${{ secrets.EDGEFORM_VAR_name }}" }
#   - the rule "require branches to be up to date before merging", so that what is merged is what was planned
#   - when the manifest has ${EXAMPLES.returnedOnce}: arguments: --token-dir=DIR for apply, and a step after it that takes the tokens from
#     there to where they are used, because only the journal of this job is kept
# A tag can be moved. To pin the actions, put the commit of the tag in its place:
#   git ls-remote https://github.com/edgeform/edgeform "refs/tags/v*"
# Who cannot reach that repository copies its folder .github/actions here, and writes ./.github/actions/plan, and so on.
name: edgeform
on:
  pull_request:
  push:
    branches: [main]
  schedule:
    - cron: "17 4 * * *"
permissions: {}
concurrency:
  # One group for each event: a waiting apply is replaced by a newer apply only, never by a drift check.
  group: edgeform-\${{ github.event_name }}-\${{ github.ref }}
  cancel-in-progress: \${{ github.event_name == 'pull_request' }}
jobs:
`;

const CHECKOUT = `      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false`;

function withService(inputs: string): string {
  return `        with:
${inputs}
          base-url: \${{ vars.EDGEFORM_BASE_URL }}
          api-key: \${{ secrets.EDGEFORM_API_KEY }}`;
}

/** A pipeline of GitLab CI. */
function gitlabPipeline(version: string, stack: string, { folder = '' }: Place = {}): string {
  const path = `${folder}/edgeform.yaml`;
  // The component splits manifests at blanks, except in quotes.
  const manifest = folder === '' ? '' : `\n      manifest: ${JSON.stringify(/\s/.test(path) ? `"${path}"` : path)}`;
  return `${GITLAB_HEAD}include:
  - component: $CI_SERVER_FQDN/edgeform/edgeform/edgeform@v${version}
    inputs:
      stack: "${stack}"${manifest}
workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_PIPELINE_SOURCE == "schedule"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
`;
}

const GITLAB_HEAD = `# Shows the plan on merge requests, plans again on the default branch and applies that plan by hand, and looks for drift on
# a schedule. Set up once:
#   - the CI/CD variables EDGEFORM_BASE_URL and EDGEFORM_API_KEY (masked, hidden), and a pipeline schedule on the default branch
#   - the protected environment "production"
#   - for notes on merge requests and an issue about drift, the variable EDGEFORM_GITLAB_TOKEN (masked, hidden): an access
#     token of this project with the role Reporter and the scope "api"
#   - for each variable of the manifest that has no default a CI/CD variable EDGEFORM_VAR_name
#   - runners on several machines share their cache, because the journal is kept there
# Merge requests from forks run in the fork and get no variables. Who cannot reach the project edgeform/edgeform on this
# server copies templates/edgeform/template.yml here, and writes "local: template.yml" in place of "component: …".
`;
