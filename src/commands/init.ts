// init: a first manifest, what git must not keep, and CI files. Looks first and writes then; never over a file.

import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Diagnostic } from '../core/diagnostic.ts';
import { plural } from '../core/text/text.ts';
import { isStackName } from '../catalog/address.ts';
import { topLevelKinds } from '../catalog/lookup.ts';
import { onFileError, reasonOf } from '../platform/file-error.ts';
import { tryTo } from '../core/try.ts';
import { isTaken } from '../platform/paths.ts';
import { readText } from '../platform/read.ts';
import { pipelineText } from '../render/scaffold/pipelines.ts';
import { starterManifest, missingIgnores } from '../render/scaffold/starter.ts';
import { escapeControls } from '../core/text/escape-controls.ts';
import { documentJson } from '../render/json/json.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { Failure, usageError } from '../core/failure.ts';
import { failOnFileError } from '../platform/problem.ts';
import { addTo, writeNew } from '../platform/shared.ts';
import type { Invocation } from './shell/invocation.ts';
import { refuseWrongUsage } from './shell/invocation.ts';
import type { CommandSpec } from './shell/command.ts';
import { FLAGS } from './options/flags.ts';

const CI_SERVICES = ['github', 'gitlab'];
const MANIFEST = 'edgeform.yaml';
/** Where the manifest would be looked for, too. */
const MANIFEST_FOLDER = 'edgeform';
const IGNORE_FILE = '.gitignore';
/** Of a file of git that is looked into. */
const MAX_GIT_BYTES = 1024 * 1024;

interface InitFlags {
  readonly stack?: string;
  readonly ci?: string;
}

interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** Writes the files, or none of them and exit code 4 when one is there already. */
function init(dir: string | undefined, flags: InitFlags, run: Invocation, version: string): RunOutcome {
  refuseWrongUsage(run);
  const { cwd, settings, stdout } = run;
  const folder = resolve(cwd, dir ?? '.');
  const stack = stackOf(flags, folder);
  const files: NewFile[] = [
    { path: MANIFEST, text: starterManifest(stack, topLevelKinds, packagesFrom(folder, cwd)) },
    ...pipelineOf(flags.ci, folder, [version, stack]),
  ];
  rejectExisting(folder, [...files.map((file) => file.path), MANIFEST_FOLDER], cwd);
  const before = ignoredNow(folder);
  const ignored = missingIgnores(before ?? '');
  failOnFileError(() => {
    for (const { path, text } of files) writeNew(join(folder, path), text);
    if (ignored !== undefined) (before === undefined ? writeNew : addTo)(join(folder, IGNORE_FILE), ignored);
  });
  const written = [...files.map((file) => file.path), ...(ignored === undefined ? [] : [IGNORE_FILE])];
  const shown = written.map((path) => relative(cwd, join(folder, path)));
  const next = nextSteps(relative(cwd, join(folder, MANIFEST)), flags.ci);
  stdout.write(
    settings.format === 'json'
      ? `${documentJson({ format: 'edgeform-init/1', stack, files: shown, next })}\n`
      : `${textOf(shown, next)}\n`,
  );
  return 'done';
}

/** CI services read their files in the repository's own folder only. */
function pipelineOf(ci: string | undefined, folder: string, about: readonly [string, string]): NewFile[] {
  if (ci === undefined) return [];
  const root = repositoryOf(folder);
  const place = {
    folder: relative(root, folder).replaceAll('\\', '/'),
    branch: defaultBranch(root),
  };
  const path = relative(folder, join(root, ci === 'github' ? '.github/workflows/edgeform.yml' : '.gitlab-ci.yml'));
  return [{ path, text: pipelineText(ci, ...about, place) }];
}

/** The folder above that is under git, or else this one. */
function repositoryOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (exists(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** As the clone has noted it. */
function defaultBranch(root: string): string {
  const text = tryTo(() => readText(join(root, '.git/refs/remotes/origin/HEAD'), { maxBytes: MAX_GIT_BYTES }));
  return /^ref: refs\/remotes\/origin\/([\w./-]+)\s*$/.exec(text ?? '')?.[1] ?? 'main';
}

/** Where packages are that are installed from here, as a file of the folder names it. */
function packagesFrom(folder: string, cwd: string): string {
  const up = relative(folder, cwd).replaceAll('\\', '/');
  return `${/^\.\.(?:\/\.\.)*$/.test(up) ? up : '.'}/node_modules`;
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

function rejectExisting(folder: string, paths: readonly string[], cwd: string): void {
  const there = paths.map((path) => join(folder, path)).filter(exists);
  if (there.length === 0) return;
  throw new Failure(
    'invalid',
    there.map((path): Diagnostic => {
      const message = `${JSON.stringify(relative(cwd, path))} already exists; nothing was written`;
      return { code: 'file-exists', severity: 'error', message, fix: 'move it, or choose another directory' };
    }),
  );
}

/** Also true for a symbolic link that leads nowhere. */
function exists(path: string): boolean {
  // It cannot be said where a file is in the place of a folder.
  return tryTo(() => isTaken(path)) ?? true;
}

function ignoredNow(folder: string): string | undefined {
  const path = join(folder, IGNORE_FILE);
  if (!exists(path)) return undefined;
  return onFileError(
    () => readText(path, { maxBytes: MAX_GIT_BYTES }),
    (error) => {
      const message = `${JSON.stringify(path)} cannot be read: ${reasonOf(error)}; nothing was written`;
      throw new Failure('invalid', [{ code: 'file-unreadable', severity: 'error', message }]);
    },
  );
}

function nextSteps(manifest: string, ci: string | undefined): string[] {
  const where = manifest === MANIFEST ? '' : ` -f ${/^[\w./-]+$/.test(manifest) ? manifest : JSON.stringify(manifest)}`;
  return [
    `uncomment what you need in ${manifest}, then run: edgeform validate${where}`,
    `set EDGEFORM_BASE_URL and EDGEFORM_API_KEY, then run: edgeform plan${where}`,
    `when the plan is right, run: edgeform apply${where}`,
    'for completion and checks in your editor: npm install --save-dev edgeform',
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
