// What a workflow uses of GitHub that no registry has: the actions for caches, artifacts and Node, each as a composite action over a folder.
// `actions/checkout` is left to act, which copies the working tree in its place (record 0066).

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface StandIn {
  readonly inputs: readonly string[];
  /** A shell script; STORE is the folder, and inputs are variables in capitals. */
  readonly script: string;
}

/** Of a key, the newest file whose name begins with one of the keys; slashes in keys are no folders. */
const KEYS = String.raw`name() { printf %s "$1" | tr / _; }
mkdir -p "$STORE/caches"`;

const STAND_INS: Readonly<Record<string, StandIn>> = {
  'setup-node': { inputs: ['node-version', 'package-manager-cache'], script: 'node --version' },
  'cache/restore': {
    inputs: ['path', 'key', 'restore-keys'],
    script: `${KEYS}
for key in "$KEY" "$RESTORE_KEYS"; do
  found=$(ls -t "$STORE/caches" | grep -F "$(name "$key")" | head -1) || true
  if [ -n "$key" ] && [ -n "$found" ]; then tar xf "$STORE/caches/$found"; echo "restored $found"; exit 0; fi
done`,
  },
  'cache/save': {
    inputs: ['path', 'key'],
    script: `${KEYS}
files=$(compgen -G "$PATH_OF" || true)
[ -z "$files" ] || tar cf "$STORE/caches/$(name "$KEY")" $files`,
  },
  'upload-artifact': {
    inputs: ['name', 'path', 'retention-days', 'if-no-files-found', 'overwrite'],
    script: `mkdir -p "$STORE/artifacts/$NAME" && cp -r "$PATH_OF" "$STORE/artifacts/$NAME/"`,
  },
  'download-artifact': {
    inputs: ['name', 'pattern', 'merge-multiple', 'path', 'run-id', 'github-token'],
    // A pattern may match nothing.
    script: `[ -z "$PATTERN" ] || [ -d "$STORE/artifacts/$PATTERN" ] || exit 0
mkdir -p "$PATH_OF" && cp -r "$STORE/artifacts/$NAME$PATTERN/." "$PATH_OF/"`,
  },
};

/** `path` is no variable to overwrite. */
function variableOf(input: string): string {
  return input === 'path' ? 'PATH_OF' : input.toUpperCase().replaceAll('-', '_');
}

function actionOf(name: string, { inputs, script }: StandIn, store: string): object {
  const given = inputs.map((input): [string, string] => [variableOf(input), `\${{ inputs.${input} }}`]);
  return {
    name: `stand-in for ${name}`,
    inputs: Object.fromEntries(inputs.map((input) => [input, { default: '' }])),
    runs: {
      using: 'composite',
      steps: [{ shell: 'bash', env: { STORE: store, ...Object.fromEntries(given) }, run: script }],
    },
  };
}

const USES = 'uses: actions/';

/** Writes them into a folder; for each action that our files use, the option of act that puts one in its place. */
export function standIns(folder: string, store: string): string[] {
  for (const [name, one] of Object.entries(STAND_INS)) {
    const path = join(folder, name, 'action.yml');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(actionOf(name, one, store)));
  }
  const used = ['plan', 'apply', 'drift', 'drift-pull-request'].flatMap((name) => {
    const text = readFileSync(`.github/actions/${name}/action.yml`, 'utf8');
    const lines = text.split('\n').filter((line) => line.includes(USES));
    return lines.map((line) => line.slice(line.indexOf(USES) + USES.length).split(/[@ ]/));
  });
  // The repository of an action may have several, in folders.
  const repositoryOf = (path: string, commit: string) => {
    const [name = ''] = path.split('/');
    return `actions/${name}@${commit}=${join(folder, name)}`;
  };
  const pairs = new Set(used.map(([path = '', commit = '']) => repositoryOf(path, commit)));
  return [...pairs].flatMap((pair) => ['--local-repository', pair]);
}
