// Services of this shape that are not exactly the emulator: a gateway in front of it changes one thing at a time, and the built program
// plans, applies, finds nothing left to do and destroys through it. docs/compatibility.md has the same list.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join, resolve } from 'node:path';
import { cleanEnv, demand, run, scratch } from './tools.mjs';

const MANIFEST = (module, routes) => `version: 1
stack: shape
failover_backends:
  app: { backends: [bkdhr_2abc, bkdhr_2def] }
reserved_addrs:
  one: { region: eu }
  two: { region: us }
  three: { region: eu }
tls_edges:
  db:
    hostports: ["\${reserved_addrs.one.addr}"]
    backend: { backend_id: "\${failover_backends.app.id}" }
${module}
https_edges:
  site:
    hostports: [www.example.com:443]
${routes}`;
const ROUTES = `    routes:
      root: { match_type: path_prefix, match: /, backend: { backend_id: "\${failover_backends.app.id}" } }
`;
const MODULE = '    tls_termination: { terminate_at: edge, min_version: "1.3" }';

const withoutEmptyTexts = (key, value) =>
  ['description', 'metadata'].includes(key) && value === '' ? undefined : value;
const text = (type, write) => (body) => ({ type, body: write(body.msg ?? 'no message') });

/** What is different → how the gateway, the emulator or the settings make it so. */
const SHAPES = {
  'as the specification says': {},
  'another version header': { env: { EDGEFORM_VERSION_HEADER: 'X-Api-Version: 7' } },
  'a path before every path': { prefix: '/edge/v1' },
  'an address of IPv6': { host: '::1' },
  'TLS with its own certificate authority': { tls: true },
  'pages of one object': { flags: ['--page-size', '1'] },
  'pages whose size is asked for': { env: { EDGEFORM_PAGE_SIZE: '1' } },
  'relative addresses of pages': { flags: ['--page-size', '1'], isRelative: true },
  'unknown fields and ids of parents in bodies': { extra: { links: { self: '/x' }, edge_id: 'edghts_x', revision: 7 } },
  'texts that were never set are left out': { change: withoutEmptyTexts },
  'null in place of an empty list': {
    change: (_, value) => (Array.isArray(value) && value.length === 0 ? null : value),
  },
  'errors as problem+json': {
    error: text('application/problem+json', (detail) => JSON.stringify({ title: 'x', detail })),
  },
  'errors as an object in an object': {
    error: text('application/json', (message) => JSON.stringify({ error: { message } })),
  },
  'errors as plain text': { error: text('text/plain', (message) => message) },
  'errors as a page': { error: text('text/html', (message) => `<html><title>${message}</title></html>`) },
  'no list of HTTPS edges': { env: { EDGEFORM_CAPABILITIES: '-https-edge-list' } },
  'no operations for routes': { env: { EDGEFORM_CAPABILITIES: '-routes' }, hasRoutes: false },
  'modules that cannot be deleted': { env: { EDGEFORM_CAPABILITIES: '-module-delete' } },
  'no size of a page': { env: { EDGEFORM_CAPABILITIES: '-paging-limit' } },
};

export async function checkServices() {
  const failed = [];
  const left = Object.entries(SHAPES);
  // Most of the time of a shape is waiting for what was written to be seen in lists.
  const lane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      await tryShape(next[1]).catch((error) => failed.push(`${next[0]}: ${error.message}`));
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  demand(failed.length === 0, failed.join('\n'));
  return `${Object.keys(SHAPES).length} shapes of a service`;
}

async function tryShape(shape) {
  const cwd = scratch('shape');
  const cli = resolve('dist/cli.js');
  const settings = shape.env ?? {};
  const args = [cli, 'emulator', '--api-key', 'local', ...(shape.flags ?? [])];
  const emulator = spawn(process.execPath, args, { env: cleanEnv(settings), stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(emulator.stdout, 'data');
  const gateway = await gatewayTo(JSON.parse(line).url, shape, cwd);
  const env = cleanEnv({ ...settings, ...gateway.env, EDGEFORM_BASE_URL: gateway.url, EDGEFORM_API_KEY: 'local' });
  const edgeform = async (more, ...words) => {
    const child = spawn(process.execPath, [cli, ...words], { cwd, env: { ...env, ...more }, stdio: 'pipe' });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    const [code] = await once(child, 'close');
    return { code, said };
  };
  try {
    for (const module of [MODULE, '']) {
      writeFileSync(join(cwd, 'edgeform.yaml'), MANIFEST(module, shape.hasRoutes === false ? '' : ROUTES));
      for (const words of [['apply', '--auto-approve', '--settle', '2'], ['plan', '--detailed-exitcode'], ['drift']]) {
        const { code, said } = await edgeform({}, ...words);
        demand(code === 0, `${words.join(' ')} ends with ${code}: ${said}`);
      }
    }
    // An error in a form that is not the API's could come from anything in between: it is not repeated.
    const words = shape.error === undefined ? 'no API key has this token' : 'api-not-understood';
    const refused = await edgeform({ EDGEFORM_API_KEY: 'wrong' }, 'plan');
    demand(refused.code !== 0 && refused.said.replaceAll(/\s+/g, ' ').includes(words), `a wrong key: ${refused.said}`);
    const gone = await edgeform({}, 'destroy', '--auto-approve', '--allow-deletes', 'all');
    demand(gone.code === 0, `destroy ends with ${gone.code}: ${gone.said}`);
  } finally {
    gateway.close();
    emulator.kill();
    await once(emulator, 'close');
  }
}

/** A server before the emulator that makes it look like another service. */
async function gatewayTo(target, { prefix = '', host = '127.0.0.1', tls, extra, change, error, isRelative }, cwd) {
  const files = tls === true ? certificates(cwd) : undefined;
  let own = '';
  const answer = async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers;
    demand(request.url.startsWith(prefix), `${request.url} lacks ${prefix}`);
    const asked = { method: request.method, headers, ...(chunks.length > 0 && { body: Buffer.concat(chunks) }) };
    const given = await fetch(target + request.url.slice(prefix.length), asked);
    const plain = (await given.text()).replaceAll(target, isRelative === true ? prefix : own);
    const written = rewrite(given, plain, { extra, change, error });
    response.writeHead(given.status, { 'content-type': written.type }).end(written.body);
  };
  const handler = (request, response) => void answer(request, response).catch(() => response.destroy());
  const server = files === undefined ? http.createServer(handler) : https.createServer(files, handler);
  await new Promise((ready) => server.listen(0, host, ready));
  const name = host.includes(':') ? `[${host}]` : files === undefined ? host : 'localhost';
  own = `${files === undefined ? 'http' : 'https'}://${name}:${server.address().port}${prefix}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: own, env: files === undefined ? {} : { NODE_EXTRA_CA_CERTS: join(cwd, 'tls/cert.pem') }, close };
}

/** The body of an answer, in the shape of the other service. */
function rewrite(given, plain, { extra, change, error }) {
  const type = given.headers.get('content-type') ?? 'application/json';
  if (plain === '' || !type.includes('json')) return { type, body: plain };
  const body = JSON.parse(plain);
  if (given.status >= 400) return error === undefined ? { type, body: plain } : error(body);
  if (change !== undefined) return { type, body: JSON.stringify(JSON.parse(plain, change)) };
  if (extra === undefined) return { type, body: plain };
  const lists = Object.entries(body).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.map((one) => (typeof one === 'object' ? { ...one, ...extra } : one)) : value,
  ]);
  return { type, body: JSON.stringify({ ...Object.fromEntries(lists), ...extra }) };
}

function certificates(cwd) {
  const folder = join(cwd, 'tls');
  mkdirSync(folder);
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost'];
  run('openssl', ['req', '-x509', ...made, '-addext', 'subjectAltName=DNS:localhost']);
  return { key: readFileSync(key), cert: readFileSync(cert) };
}
