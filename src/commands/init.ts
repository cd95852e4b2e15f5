// init: a first manifest, .gitignore entries, and CI files. Checks all files before it writes any, and never overwrites one.

import { relative, resolve } from 'node:path';
import type { RunOutcome } from '../core/run-outcome.ts';
import { renderStarterAs } from '../render/scaffold/starter.ts';
import { writeStarter } from './files/starter-files.ts';
import { quoted } from './options/again.ts';
import { FLAGS } from './options/flags.ts';
import type { Call, CommandSpec } from './shell/command.ts';

const CI_SERVICES = ['github', 'gitlab'];

type InitFlags = Parameters<typeof writeStarter>[2];

/** Writes the files and prints the next steps. */
function init({ invocation, args: [dir = '.'], flags, version }: Call<InitFlags>): RunOutcome {
  const { cwd, settings, stdout } = invocation;
  const folder = resolve(cwd, dir);
  const written = writeStarter(folder, cwd, flags, version);
  const next = nextSteps(relative(cwd, folder), flags.ci);
  stdout.write(`${renderStarterAs(settings.format, { ...written, next })}\n`);
  return 'done';
}

/** The journal is next to the manifest, where git ignores it and pipelines look for it, so the commands run there. */
function nextSteps(folder: string, ci: string | undefined): string[] {
  return [
    'for completion and checks in your editor: npm install --save-dev edgeform',
    ...(folder === '' ? [] : [`go to the folder: cd ${quoted(folder.startsWith('-') ? `./${folder}` : folder)}`]),
    'uncomment what you need in edgeform.yaml, then run: edgeform validate',
    'set EDGEFORM_BASE_URL and EDGEFORM_API_KEY, then run: edgeform plan',
    'when the plan is right, run: edgeform apply',
    ...(ci === undefined ? [] : ['follow the setup steps at the top of the CI file']),
  ];
}

export const commands: readonly CommandSpec<InitFlags>[] = [
  {
    position: 140,
    words: 'init [dir]',
    text: 'write a starter manifest, and optionally a CI pipeline',
    flags: {
      own: [
        { flags: '--stack <name>', text: 'name of the stack (default: made from the directory name)' },
        { flags: '--ci <service>', text: 'also write a CI pipeline', choices: CI_SERVICES },
        { flags: '--copy-actions', text: 'copy what the pipeline uses into the repository' },
      ],
      output: FLAGS.textOrJson,
    },
    help: {
      examples: ['init', 'init shop --stack shop --ci github', 'init --ci github --copy-actions'],
      exits: ['invalid'],
    },
    run: init,
  },
];
