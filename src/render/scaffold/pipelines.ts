// CI files that `init` writes. Secrets reach only the steps that need them, and only through the environment.

/** A pipeline of GitHub Actions; each run starts with the journal that the last apply of the stack left (ADR-0015). */
export function githubPipeline(version: string, stack: string): string {
  const prefix = `edgeform-${stack}-`;
  const run = `npx --yes edgeform@${version}`;
  return `${GITHUB_HEAD}name: edgeform
on:
  pull_request:
  push:
    branches: [main]
  schedule:
    - cron: "17 4 * * *"
permissions:
  contents: read
concurrency:
  # One group for each event: a waiting apply is replaced by a newer apply only, never by a drift check.
  group: edgeform-\${{ github.event_name }}-\${{ github.ref }}
  cancel-in-progress: \${{ github.event_name == 'pull_request' }}
jobs:
  validate:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
${GITHUB_SETUP}
      - run: ${run} validate
  plan:
    # Pull requests from forks are validated, but get no secrets.
    if: github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository
    needs: validate
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
${GITHUB_SETUP}
${githubRestore(prefix)}
      - run: ${run} plan --summary-file "$GITHUB_STEP_SUMMARY"
${GITHUB_ENV}
  apply:
    if: github.event_name == 'push'
    runs-on: ubuntu-latest
    timeout-minutes: 30
    environment: production
    steps:
${GITHUB_SETUP}
${githubRestore(prefix)}
      - run: ${run} apply --auto-approve --summary-file "$GITHUB_STEP_SUMMARY"
${GITHUB_ENV}
${githubSave(prefix)}
  drift:
    if: github.event_name == 'schedule'
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
${GITHUB_SETUP}
${githubRestore(prefix)}
      # Exit code 2 means drift, and makes the job fail.
      - run: ${run} drift --summary-file "$GITHUB_STEP_SUMMARY"
${GITHUB_ENV}
`;
}

const GITHUB_HEAD = `# Plans on pull requests, applies on main, checks for drift every night. Set up once:
#   - an environment "production", with required reviewers when a person should approve every apply
#   - the secret EDGEFORM_API_KEY and the variable EDGEFORM_BASE_URL, for the repository
#   - for each variable of the manifest that has no default a secret or variable EDGEFORM_VAR_name, and a line for it
#     under every "env" below; validate needs none of them
#   - when the manifest has api_keys: --token-dir DIR for apply, and a step that takes the tokens from there to where they
#     are used, because only the journal of this job is kept
# The journal (not its lock) is kept in the cache of the repository: with it, drift tells what was deleted from what never
# was there. Every drift check keeps the cache from expiring. Actions are pinned by commit; let Dependabot renew them.
`;

const GITHUB_SETUP = `      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: 22`;

const GITHUB_ENV = `        env:
          EDGEFORM_API_KEY: \${{ secrets.EDGEFORM_API_KEY }}
          EDGEFORM_BASE_URL: \${{ vars.EDGEFORM_BASE_URL }}`;

/** One key for each run and attempt, because a cache is never written over; the newest of the stack is what is restored. */
function githubKey(prefix: string): string {
  return `${prefix}\${{ github.run_id }}-\${{ github.run_attempt }}`;
}

function githubRestore(prefix: string): string {
  return `      - uses: actions/cache/restore@5a3ec84eff668545956fd18022155c47e93e2684 # v4.2.3
        with:
          path: .edgeform/*.journal.jsonl
          key: ${githubKey(prefix)}
          restore-keys: ${prefix}`;
}

function githubSave(prefix: string): string {
  return `      # Also after an apply that failed or was cancelled: the next one needs to know what it started.
      - uses: actions/cache/save@5a3ec84eff668545956fd18022155c47e93e2684 # v4.2.3
        if: always()
        with:
          path: .edgeform/*.journal.jsonl
          key: ${githubKey(prefix)}`;
}

/** A pipeline of GitLab CI; each job starts with the journal that the last apply of the stack left (ADR-0015). */
export function gitlabPipeline(version: string, stack: string): string {
  const cache = (policy: 'pull' | 'pull-push') => gitlabCache(stack, policy);
  const run = `npx --yes edgeform@${version}`;
  return `${GITLAB_HEAD}validate:
  stage: validate
  script:
    - ${run} validate
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
      when: never
    - when: on_success
plan:
  stage: plan
  resource_group: edgeform
${cache('pull')}
  script:
    - ${run} plan --out plan.json --summary-file plan.md
  artifacts:
    access: developer
    expire_in: 1 week
    paths: [plan.json, plan.md]
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
      when: never
    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID != $CI_MERGE_REQUEST_PROJECT_ID
      when: never
    - when: on_success
apply:
  stage: apply
  needs: [plan]
  resource_group: edgeform
  environment: production
${cache('pull-push')}
  script:
    # The plan of this pipeline, and nothing else; it is rejected if live state has changed since (exit code 6).
    - ${run} apply plan.json --auto-approve
  rules:
    - if: $CI_PIPELINE_SOURCE != "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
      when: manual
drift:
  stage: drift
  resource_group: edgeform
${cache('pull')}
  script:
    # Exit code 2 means drift, and makes the job fail.
    - ${run} drift --summary-file drift.md
  artifacts:
    access: developer
    when: always
    expire_in: 1 week
    paths: [drift.md]
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
`;
}

function gitlabCache(stack: string, policy: 'pull' | 'pull-push'): string {
  const save =
    policy === 'pull'
      ? ''
      : '\n    # Also after an apply that failed: the next one needs to know what it started.\n    when: always';
  return `  cache:
    key: edgeform-${stack}
    paths: [.edgeform/*.journal.jsonl]
    policy: ${policy}${save}`;
}

const GITLAB_HEAD = `# Plans on merge requests and on the default branch, applies that plan by hand, checks for drift on a schedule.
# Set up once: the CI/CD variables EDGEFORM_API_KEY (masked, hidden) and EDGEFORM_BASE_URL, the protected environment
# "production", and a pipeline schedule. Merge requests from forks run in the fork and get no variables.
# Each variable of the manifest that has no default needs a CI/CD variable EDGEFORM_VAR_name (masked, hidden when it is a
# secret); validate needs none of them. When the manifest has api_keys, apply needs --token-dir DIR, and a line that takes
# the tokens from there to where they are used, because only the journal of the job is kept.
# The journal (not its lock) is kept in the cache: with it, drift can tell what was deleted from what never existed.
# Runners on several machines must share their cache, and the schedule must run on the default branch.
default:
  image: node:22-slim
stages: [validate, plan, apply, drift]
workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_PIPELINE_SOURCE == "schedule"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
`;
