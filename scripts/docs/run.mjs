// Carries out a document as its reader would, in a folder of its own, with the built program. A command of a clone of the repository
// (`npm run …`) or of a tool that is not at hand (docker, jq) is only looked up: its script or file has to exist.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { stepsOf } from './blocks.mjs';
import { FIRST, SETUPS } from './setups.mjs';

/** Port of the emulator in the documents. */
const PORT = '4040';

/** Folders of programs of the machine. */
const PROGRAMS = ['/usr/local/bin', '/usr/bin', '/bin'];

const LONGEST_MS = 200_000;

/** Begins each command in what is recorded. */
export const MARK = '\u001E';

/**
 * What a document printed, and the code that it ended with: 0 if each command did as the document says. `program` is a script for
 * commands that read nothing and end, in place of the built program.
 */
export async function runDocument(path, root = resolve('.'), program = '') {
  const { files = { 'edgeform.yaml': FIRST }, ...setup } = SETUPS[path] ?? {};
  const base = mkdtempSync(join(tmpdir(), 'document-'));
  const cwd = join(base, 'work');
  mkdirSync(cwd);
  if (setup.copy !== undefined) cpSync(join(root, setup.copy), join(cwd, setup.to ?? '.'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  if (setup.seed !== undefined) writeFileSync(join(base, 'seed.json'), JSON.stringify(setup.seed));
  writePrograms(join(base, 'bin'), root, program);
  const port = await freePort();
  const steps = stepsOf(readFileSync(join(root, path), 'utf8').replaceAll(PORT, port));
  const script = scriptOf(steps, { ...setup, base, port });
  const env = {
    PATH: [join(base, 'bin'), dirname(process.execPath), ...PROGRAMS].join(delimiter),
    HOME: base,
    ROOT: root,
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  const child = spawn('bash', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  // A command that does not end (a server in the foreground, a question) is a mistake in the document.
  const limit = setTimeout(() => child.kill(), LONGEST_MS);
  const [code] = await once(child, 'close');
  clearTimeout(limit);
  rmSync(base, { recursive: true, force: true });
  return { code, output, commands: steps.filter(({ command }) => command !== undefined).length };
}

/** The program, with someone who answers its question with yes; and programs that are only looked up. */
function writePrograms(bin, root, program) {
  mkdirSync(bin);
  const node = JSON.stringify(process.execPath);
  const cli = JSON.stringify(join(root, 'dist/cli.js'));
  const write = (name, text) => writeFileSync(join(bin, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
  const answer = `case "$1 $2" in apply*|destroy*|'fleet apply'|'fleet destroy') set -- "$@" --auto-approve;; esac`;
  const built = `exec ${node} ${cli} "$@"`;
  const other = program === '' ? '' : `case " $* " in ' emulator '*|*' - '*) ;; *) ${program};; esac`;
  write('edgeform', [answer, other, built].join('\n'));
  write(
    'npm',
    `[ "$1" = run ] || exit 0; exec ${node} -e 'process.exit(process.argv[2] in require(process.argv[1]).scripts ? 0 : 1)' "$ROOT/package.json" "$2"`,
  );
  write('npx', `[ "$1" = tsx ] && exec ${node} "$ROOT/scripts/docs/typescript.mjs" "$2"`);
  write('docker', 'exit 0');
  // Stores of secrets.
  write(
    'sops',
    'case "$1" in exec-env) EDGEFORM_VAR_github_secret=correct-horse exec bash -c "$3";; *) echo "github_secret: correct-horse";; esac',
  );
  write('vault', 'echo correct-horse');
  // What writes a manifest in another language.
  for (const name of ['jq', 'jsonnet', 'cue'].filter((tool) => !isThere(tool)))
    write(name, `echo '{ "version": 1, "stack": "tenants" }'`);
}

const isThere = (tool) => PROGRAMS.some((folder) => existsSync(join(folder, tool)));

function scriptOf(steps, { base, port, seed, latency, before = '' }) {
  const ready = `until (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null; do kill -0 $! || exit 98; sleep 0.02; done`;
  const isAlone = steps.some(({ command }) => command?.startsWith('edgeform emulator'));
  const flags = [
    seed === undefined ? '' : `--seed ${base}/seed.json`,
    latency === undefined ? '' : `--latency ${latency}`,
  ];
  const service = [
    `edgeform emulator --port ${port} --api-key local ${flags.join(' ')} >/dev/null &`,
    ready,
    `export EDGEFORM_BASE_URL=http://127.0.0.1:${port} EDGEFORM_API_KEY=local`,
  ];
  return [
    `trap 'kill $(jobs -p) 2>/dev/null' EXIT`,
    ...(isAlone ? [] : service),
    before,
    ...steps.map((step) => (step.file === undefined ? commandText(step, ready) : fileText(step))),
    'true',
  ].join('\n');
}

function fileText({ file, text }) {
  return `mkdir -p "$(dirname '${file}')"; cat > '${file}' <<'END-OF-FILE'\n${text}END-OF-FILE`;
}

function commandText({ command, code }, ready) {
  const line = command.startsWith('.ci/') ? `test -x "$ROOT/${command}"` : command;
  const shown = `printf '${MARK}%s\\n' ${quoted(command)}`;
  if (line.endsWith('&')) return [shown, line, ready].join('\n');
  return [shown, line, `code=$?; [ $code = ${code} ] || { echo "exit code $code instead of ${code}"; exit 99; }`].join(
    '\n',
  );
}

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

function freePort() {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(String(port)));
    });
  });
}

if (process.argv[1]?.endsWith('run.mjs') && process.argv[1].includes('docs')) {
  for (const path of process.argv.slice(2)) {
    const { code, output } = await runDocument(path);
    console.log(`${path}: ${code}\n${output}`);
  }
}
