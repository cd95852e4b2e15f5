// The pipeline of GitLab: it includes our component, and says what has to be set up.

import { isNameOfShells } from '../../core/text/name-of-shells.ts';
import { PROPOSING } from './drift-job.ts';
import { copied, COPIES, NO_NEEDS, type ManifestNeeds, type Pipeline } from './pipeline.ts';

export function gitlabPipeline(about: Pipeline, folder: string): string {
  const { version, stack, isCopied, fleet, needs = NO_NEEDS } = about;
  const path = `${folder}/edgeform.yaml`;
  // The component splits manifests at blanks, except in quotes.
  const manifest = folder === '' ? '' : `\n      manifest: ${JSON.stringify(/\s/.test(path) ? `"${path}"` : path)}`;
  const file = folder === '' ? fleet : `${folder}/${fleet}`;
  const [name, inputs] =
    fleet === undefined ? ['edgeform', manifest] : ['edgeform-fleet', `\n      fleet: ${JSON.stringify(file)}`];
  const source = isCopied
    ? `local: /${COPIES.gitlab}/${fleet === undefined ? 'template' : 'fleet'}.yml`
    : `component: $CI_SERVER_FQDN/edgeform/edgeform/${name}@v${version}`;
  const tokens = needs.writesTokens ? '\n      arguments: --token-dir=.edgeform/tokens' : '';
  const { special, switches } = gitlabSwitches(about);
  return `${GITLAB_HEAD}${special}${settingsOf(needs, fleet !== undefined)}${isCopied ? copied(COPIES.gitlab, version) : GITLAB_NEEDS(version)}include:
  - ${source}
    inputs:
      stack: "${stack}"${inputs}${switches}${tokens}
workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_PIPELINE_SOURCE == "schedule"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
`;
}

/** What is not for every pipeline: what its head says, and the inputs. */
function gitlabSwitches({ hasWaves = false, proposesDrift = false }: Pipeline) {
  return {
    special: `${hasWaves ? WAVES : ''}${proposesDrift ? PROPOSING.gitlab : ''}`,
    switches: `${hasWaves ? '\n      waves: true' : ''}${proposesDrift ? '\n      pull-request: true' : ''}`,
  };
}

const GITLAB_HEAD = `# Shows the plan on merge requests, plans again on the default branch, applies that plan when you start the job, and checks
# for drift on a schedule. Set up once:
#   - create the CI/CD variables EDGEFORM_BASE_URL and EDGEFORM_API_KEY (masked, hidden), and a pipeline schedule on the default branch
#   - create the protected environment "production"
#   - let no one set variables of a pipeline (Settings, CI/CD, Variables, "Minimum role to use pipeline variables": no one allowed), because they come
#     before those of the project: another EDGEFORM_BASE_URL would get the key. Below "stack", name the address as base-url as well
#   - for notes on merge requests and an issue about drift, create the variable EDGEFORM_GITLAB_TOKEN (masked, hidden): a project
#     access token with the role Reporter and the scope "api"
#   - for each variable of the manifest without a default, create a CI/CD variable EDGEFORM_VAR_name
#   - let runners on several machines share their cache, because the journal is kept there
# Merge requests from forks run in the fork and get no variables.
`;

/** What GitLab gives to jobs once it is created. No name there has a hyphen, so that the manifest must name it otherwise. */
function settingsOf({ secrets, values, writesTokens }: ManifestNeeds, isFleet: boolean): string {
  const all = [...secrets, ...values];
  const nameFor = (name: string) => {
    const renamed = name.replaceAll('-', '_');
    return renamed !== name && all.includes(renamed) ? `${renamed}_2` : renamed;
  };
  const names = [
    ...secrets.map((name) => `EDGEFORM_VAR_${nameFor(name)} (masked, hidden)`),
    ...values.map((name) => `EDGEFORM_VAR_${nameFor(name)}`),
  ];
  const renamed = all.filter((name) => !isNameOfShells(name));
  return [
    ...(names.length === 0
      ? []
      : [
          `# ${isFleet ? 'The stacks of the fleet file need' : 'The manifest beside this file needs'} these CI/CD variables: ${names.join(', ')}.\n`,
        ]),
    ...renamed.map(
      (name) =>
        `# GitLab takes no name with a hyphen: rename the variable ${name} to ${nameFor(name)} in the manifest.\n`,
    ),
    ...(writesTokens
      ? [
          '# Tokens of created API keys are in .edgeform/tokens after edgeform-apply: move them to where they are used, in its after_script.\n',
        ]
      : []),
  ].join('');
}

const GITLAB_NEEDS = (
  version: string,
) => `# This needs the project edgeform/edgeform on this server with the tag v${version}, and edgeform ${version} on the npm registry. Where they do not
# exist, write the template into your repository: edgeform init --ci gitlab --copy-actions
`;

/** What is special about waves. */
const WAVES = `# Waves: edgeform-apply-1 carries out wave 1 and edgeform-apply-2 wave 2. edgeform-apply-3 carries out every other wave, in order. Each can
# begin when the job before it ended well. Create the protected environments production-1, production-2 and production-3 instead of
# "production", and give production-3 the strictest rules, because a number without a job of its own ends there.
`;
