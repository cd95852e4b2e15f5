// `npm run cast`: records a stranger's first minutes with the tarball, in a terminal of 60 columns, without network and with a home
// that cannot be written, as docs/cast/first.cast (asciinema v2) and, to be read here, docs/cast/first.txt.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const [COLUMNS, ROWS] = [60, 40];
const OUT = 'docs/cast';
/** What is typed: a program starts in half a second, and a reader needs longer. */
const SECONDS = { typing: 0.8, reading: 2.5 };

const SESSION = [
  'edgeform --version',
  'edgeform plna',
  'edgeform validate',
  'edgeform init',
  'edgeform plan',
  'cat thirty.yaml',
  'edgeform validate -f thirty.yaml',
  'edgeform validate -f thirty.yaml --format json | grep -c \'"error"\'',
  'edgeform explain tls_edges.tls_termination.min_version',
  'edgeform validate -f shop.yaml',
  'edgeform plan -f shop.yaml',
  'edgeform apply -f shop.yaml --auto-approve',
  'edgeform drift -f shop.yaml',
  'edgeform destroy -f shop.yaml --auto-approve',
];
/** From this command on, there is a service. */
const SERVED = SESSION.indexOf('edgeform plan -f shop.yaml');
/** Any free port, because another service may have the one that is shown. */
const PORT = await freePort();
const SHOWN_PORT = 4040;

const cwd = mkdtempSync(join(tmpdir(), 'cast-'));
run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', cwd], resolve('.'));
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--no-save', `./edgeform-${version}.tgz`], cwd);
const work = join(cwd, 'work');
mkdirSync(work);
for (const name of ['thirty.yaml', 'shop.yaml']) writeFileSync(join(work, name), readFileSync(join(OUT, name)));

const events = [];
let at = 0;
const say = (text, seconds) => {
  events.push([Number(at.toFixed(1)), 'o', text]);
  at += seconds;
};
const emulator = `edgeform emulator --port ${PORT} --api-key local >/dev/null & trap "kill $!" EXIT
until (exec 3<>/dev/tcp/127.0.0.1/${PORT}) 2>/dev/null; do sleep 0.05; done
export EDGEFORM_BASE_URL=http://127.0.0.1:${PORT} EDGEFORM_API_KEY=local\n`;
const lines = SESSION.map((command, index) => {
  const start = index === SERVED ? emulator : '';
  return `${start}printf '\\036'; ${command}`;
});
const recorded = shown(inTerminal(lines.join('\n')));
if (!recorded.includes('Applied')) throw new Error(`the session did not apply its manifest:\n${recorded}`);
recorded
  .split('\u001E')
  .slice(1)
  .forEach((output, index) => {
    say(`$ ${SESSION[index]}\r\n`, SECONDS.typing);
    say(
      output.replaceAll(/Total time: .*/g, 'Total time: 1 s').replaceAll(/( in )[\d.]+ m?s(?=[\r\n])/g, '$10.1 s'),
      SECONDS.reading,
    );
  });
const header = { version: 2, width: COLUMNS, height: ROWS, title: 'edgeform, from a tarball in an empty folder' };
const cast = [header, ...events].map((one) => JSON.stringify(one)).join('\n');
writeFileSync(join(OUT, 'first.cast'), `${cast}\n`);
const plain = events
  .map(([, , text]) => text)
  .join('')
  .replaceAll('\r', '')
  .split('\n')
  .map(withoutErased)
  .join('\n')
  .replaceAll(/\u001B\[[\d;]*[A-Za-z]/g, '');
writeFileSync(join(OUT, 'first.txt'), plain);

/** A line without the progress that was erased from it. */
function withoutErased(line) {
  const erase = '\u001B[1G\u001B[0J';
  const at = line.lastIndexOf(erase);
  return at < 0 ? line : line.slice(at + erase.length);
}

/** The session without what is of this machine. */
function shown(text) {
  return text.replaceAll(work, '/home/you').replaceAll(`127.0.0.1:${PORT}`, `127.0.0.1:${SHOWN_PORT}`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** All that a script writes to a terminal. */
function inTerminal(script) {
  const path = [join(cwd, 'node_modules/.bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  const env = { PATH: path, HOME: '/nonexistent', TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  const file = join(cwd, 'session');
  writeFileSync(file, script);
  const command = `stty cols ${COLUMNS} rows ${ROWS}; bash ${file}`;
  return spawnSync('script', ['-qec', command, '/dev/null'], { cwd: work, env, encoding: 'utf8', input: '' }).stdout;
}

function run(command, args, folder) {
  const { status, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}
