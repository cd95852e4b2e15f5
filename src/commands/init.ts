// init: a first manifest, what git must not keep, and CI files. Looks first and writes then; never over a file.

import { basename, relative, resolve } from 'node:path';
import { isStackName } from '../catalog/address.ts';
import { usageError } from '../core/failure.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { escapeControls } from '../core/text/escape-controls.ts';
import { plural } from '../core/text/text.ts';
import { documentJson } from '../render/json/json.ts';
import { writeStarter } from './files/starter-files.ts';
import { quoted } from './options/again.ts';
import { FLAGS } from './options/flags.ts';
import type { CommandSpec } from './shell/command.ts';
import { refuseWrongUsage, type Invocation } from './shell/invocation.ts';

const CI_SERVICES = ['github', 'gitlab'];

type InitFlags = Readonly<Partial<Record<'stack' | 'ci', string>>>;

/** Writes the files, and says what to do next. */
function init(dir: string | undefined, flags: InitFlags, run: Invocation, version: string): RunOutcome {
  refuseWrongUsage(run);
  const { cwd, settings, stdout } = run;
  const folder = resolve(cwd, dir ?? '.');
  const stack = stackOf(flags, folder);
  const files = writeStarter(folder, cwd, { stack, ci: flags.ci, version });
  const next = nextSteps(relative(cwd, folder), flags.ci);
  const document = () => documentJson({ format: 'edgeform-init/1', stack, files, next });
  stdout.write(`${settings.format === 'json' ? document() : textOf(files, next)}\n`);
  return 'done';
}

/** The given name, or one made of the folder's. */
function stackOf({ stack }: InitFlags, folder: string): string {
  if (stack !== undefined) {
    if (isStackName(stack)) return stack;
    throw usageError('--stack takes at most 63 lower-case letters, digits and hyphens', 'for example --stack shop');
  }
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 63)
    .replace(/-+$/, '');
  return name === '' ? 'main' : name;
}

/** The journal lies beside the manifest, where git ignores it and the pipelines look for it: so the commands run there. */
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

function textOf(written: readonly string[], next: readonly string[]): string {
  return [
    `Wrote ${plural(written.length, 'file')}: ${written.map(escapeControls).join(', ')}`,
    '',
    'Next:',
    ...next.map((step, index) => `  ${index + 1}. ${escapeControls(step)}`),
  ].join('\n');
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
      ],
      output: FLAGS.textOrJson,
    },
    help: { examples: ['init', 'init shop --stack shop --ci github'], exits: ['invalid'] },
    run: ({ invocation, args: [dir], flags, version }) => init(dir, flags, invocation, version),
  },
];
