// The job that keeps a pull request with accepted drift, and what has to be set up for it.

import { CHECKOUT, type ActionName } from './apply-jobs.ts';

/** A condition: on the schedule, and by hand on the default branch, because another branch has another manifest. */
export const LOOKS_FOR_DRIFT =
  "github.event_name == 'schedule' || github.event_name == 'workflow_dispatch' && github.ref_name == github.event.repository.default_branch";

/** It may write to the repository, and gets no key of the service. `inputs` are those that each action gets. */
export function proposingJob(action: ActionName, inputs: string): string {
  return `  drift-pull-request:
    # Also when the job before it is red, because drift makes it so.
    if: \${{ !cancelled() && (${LOOKS_FOR_DRIFT}) }}
    needs: drift
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: write
      pull-requests: write
    steps:
${CHECKOUT}
      - uses: ${action('drift-pull-request')}
        with:
${inputs}
          base-url: \${{ vars.EDGEFORM_BASE_URL }}
`;
}

/** For the head of the file. */
export const PROPOSING = {
  github: `# The job drift-pull-request keeps one pull request that writes into the manifest what was changed outside. Turn on the setting "Allow
# GitHub Actions to create and approve pull requests". No workflow starts for what the token of a job makes: close such a pull request and
# open it again for its plan, or give the action the token of an app: github-token: "\${{ secrets.NAME }}"
`,
  gitlab: `# The job edgeform-drift-merge-request keeps one merge request that writes into the manifest what was changed outside. For it,
# EDGEFORM_GITLAB_TOKEN needs the role Developer.
`,
} as const;
