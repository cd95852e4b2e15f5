// `npm run pictures`: the pictures of docs/pictures/. The shop example against an emulator, through the built program, and its
// pages in Chromium. A folder in PAGES keeps the pages, too.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium as browserType } from 'playwright-core';
import { chromium } from './chromium.mjs';
import { withPalette } from './png.mjs';

const SERVICE = 'https://api.example.com';
const FOLDER = process.argv[2] ?? 'docs/pictures';
const MAX_BYTES = 150_000;
const MAX_HEIGHT = 1700;
const VARIABLES = ['--var-file', 'vars.example.yaml', '--token-dir', 'tokens'];
/** The service refuses one step, so that the report has something to tell. */
const FAULTS = [
  {
    match: { method: 'PATCH', path: '^/edges/tls/' },
    action: 'status',
    status: 400,
    body: { error_code: 'ERR_4104', status_code: 400, msg: 'The certificate authority is about to expire.' },
  },
];

const launch = chromium();
if (launch === undefined) throw new Error('pictures need Chromium; name it in EDGEFORM_CHROMIUM');
const { startEmulator } = await import('../dist/emulator/http/server.js');
const folder = mkdtempSync(join(tmpdir(), 'edgeform-pictures-'));
const emulator = await startEmulator({ faults: FAULTS });
try {
  cpSync('examples/shop', folder, { recursive: true });
  await run('apply', '--auto-approve', ...VARIABLES);
  changeByHand();
  changeManifest();
  const pages = {
    drift: await run('drift', ...VARIABLES, '--format', 'html'),
    plan: await run('plan', ...VARIABLES, '--format', 'html'),
    report: await run(
      'apply',
      '--auto-approve',
      '--allow-deletes',
      '9',
      '--allow-loss',
      'reserved_addrs.db',
      ...VARIABLES,
      '--format',
      'html',
    ),
  };
  spoil();
  pages.problems = await run('validate', '--format', 'html');
  await photograph(pages);
} finally {
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
}

/** What the program prints, with the address of a service in place of the emulator's. */
function run(...args) {
  const env = { ...process.env, EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  return new Promise((done) => {
    execFile(process.execPath, [resolve('dist/cli.js'), ...args], { cwd: folder, env }, (_, stdout, stderr) => {
      if (stdout === '') process.stderr.write(stderr);
      done(stdout.replaceAll(emulator.url, SERVICE));
    });
  });
}

function changeByHand() {
  const change = (key, address, act) => {
    const found = emulator.objects(key).find(({ metadata }) => metadata.includes(address));
    if (found === undefined) throw new Error(`${address} is not in the service`);
    act(key, found.id);
  };
  const put = (patch) => (key, id) => emulator.mutate(key, id, patch);
  change('https_edges', 'https_edges.site"', put({ tls_termination: { min_version: '1.0' } }));
  change('backends', 'failover_backends.app', put({ backends: ['bkdhr_2abcWest', 'bkdhr_2abcEast'] }));
  change('event_destinations', 'event_destinations.audit', put({ description: 'Audit' }));
  change('ssh_credentials', 'ssh_credentials.deploy', emulator.remove);
}

function edit(name, from, to) {
  const path = join(folder, 'edgeform', name);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${name} does not say ${from}`);
  writeFileSync(path, text.replace(from, to));
}

function changeManifest() {
  edit('database.yaml', 'region: eu', 'region: us');
  edit('database.yaml', 'min_version: "1.2"', 'min_version: "1.3"');
  const site = readFileSync(join(folder, 'edgeform/site.yaml'), 'utf8');
  edit('site.yaml', site.slice(site.indexOf('\n      payments:'), site.indexOf('\n      admin:')), '');
  edit('site.yaml', 'teams: [acme/ops, acme/support]', 'teams: [acme/ops]');
  edit('site.yaml', 'remove: [server, x-powered-by]', 'remove: [server, via]');
  edit(
    'site.yaml',
    '      admin:',
    `      status:
        match_type: exact_path
        match: /status
        backend: { backend_id: "\${failover_backends.status.id}" }
        compression: {}
      admin:`,
  );
  edit(
    'backends.yaml',
    '  database:',
    '  status:\n    description: Status page\n    backends: [bkdhr_2abcStatus, "${failover_backends.standby.id}"]\n  database:',
  );
}

function spoil() {
  edit('database.yaml', 'tls_termination', 'tls_terminaton');
  edit('site.yaml', 'num_buckets: 10', 'num_buckets: 1000');
  edit('site.yaml', 'failover_backends.status.id', 'failover_backends.state.id');
}

async function photograph(pages) {
  const browser = await browserType.launch(launch);
  const shots = [
    ['plan', 'plan', {}],
    ['plan-dark', 'plan', { colorScheme: 'dark' }],
    ['drift', 'drift', {}],
    ['report', 'report', { colorScheme: 'dark' }],
    ['problems', 'problems', {}],
    ['plan-narrow', 'plan', { viewport: { width: 390, height: 844 } }],
  ];
  for (const [name, page, options] of shots) {
    const tab = await browser.newPage({ viewport: { width: 1180, height: 900 }, ...options });
    await tab.setContent(pages[page]);
    const height = Math.min(await tab.evaluate('document.documentElement.scrollHeight'), MAX_HEIGHT);
    // What is out of sight is not drawn.
    await tab.setViewportSize({ ...tab.viewportSize(), height });
    const path = join(FOLDER, `${name}.png`);
    const picture = withPalette(await tab.screenshot());
    writeFileSync(path, picture);
    const { length } = picture;
    console.log(`${path}: ${length} bytes`);
    if (length > MAX_BYTES) process.exitCode = 1;
    await tab.close();
  }
  for (const [name, text] of Object.entries(pages))
    if (process.env.PAGES) writeFileSync(`${process.env.PAGES}/${name}.html`, text);
  await browser.close();
}
