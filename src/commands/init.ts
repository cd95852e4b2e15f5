// init: a first manifest, a .gitignore, and CI files. Checks all files before it writes any, and never overwrites one.

import { relative, resolve } from 'node:path';
import type { RunOutcome } from '../core/run-outcome.ts';
import { gitIn } from '../platform/git.ts';
import { IGNORED, renderStarterAs } from '../render/scaffold/starter.ts';
import { writeStarter, type WrittenStarter } from './files/starter-files.ts';
import { quoted } from './options/again.ts';
import { OPTIONS, formatsOf } from './options/options.ts';
import type { Settings } from './options/settings.ts';
import type { Call, CommandSpec } from './shell/command.ts';

/** Writes the files and prints the next steps. */
async function init({ invocation, args: [dir = '.'], version }: Call): Promise<RunOutcome> {
  const { cwd, env, settings, stdout } = invocation;
  const folder = resolve(cwd, dir);
  const about = { version, git: gitIn(env) };
  const { isIgnoring, isKept, schemaCommands, ...written } = await writeStarter(folder, cwd, settings, about);
  const ignore = isIgnoring ? [] : [`add to your .gitignore: ${IGNORED.join(' and ')}`];
  const next = [...ignore, ...nextSteps(relative(cwd, folder), settings, { isKept, schemaCommands })];
  stdout.write(`${renderStarterAs(settings.format, { ...written, next })}\n`);
  return 'done';
}

/** The journal is next to the manifest, where git ignores it and pipelines look for it, so the commands run there. */
function nextSteps(
  folder: string,
  { ci, starterFleet }: Pick<Settings, 'ci' | 'starterFleet'>,
  { isKept, schemaCommands }: Pick<WrittenStarter, 'isKept' | 'schemaCommands'>,
): string[] {
  const program = starterFleet ? 'edgeform fleet' : 'edgeform';
  return [
    ...(folder === '' ? [] : [`go to the folder: cd ${quoted(folder.startsWith('-') ? `./${folder}` : folder)}`]),
    ...schemaCommands.map((command) => `for completion and checks in your editor: ${command}`),
    ...(isKept ? [] : [`uncomment what you need in edgeform.yaml, then run: ${program} validate`]),
    `set EDGEFORM_BASE_URL and EDGEFORM_API_KEY, then run: ${program} plan`,
    `when the plan is right, run: ${program} apply`,
    ...(ci === undefined ? [] : ['follow the setup steps at the top of the CI file']),
  ];
}

export const commands: readonly CommandSpec[] = [
  {
    position: 140,
    words: 'init [dir]',
    text: 'write a starter manifest, and optionally a CI pipeline',
    flags: {
      own: [
        OPTIONS.starterStack,
        OPTIONS.ci,
        OPTIONS.starterFleet,
        OPTIONS.starterWaves,
        OPTIONS.starterProposal,
        OPTIONS.copyActions,
      ],
      output: formatsOf(['text', 'json']),
    },
    help: { examples: ['init', 'init shop --stack shop --ci github', 'init --ci gitlab --fleet'], exits: ['invalid'] },
    run: init,
  },
];
