// graph: what needs what, in two languages, without network or credentials; the text really parses.

import { describe, expect, test } from 'vitest';
import { graphText } from '../../src/render/graph.ts';
import { folder } from '../support/cli.ts';
import { run as edgeform } from '../support/host.ts';

const MANIFEST = `version: 1
stack: shop
tls_edges:
  db: { hostports: ["\${reserved_addrs.db.addr}"], backend: { backend_id: "\${failover_backends.app.id}" }, metadata: "\${reserved_addrs.db.id} \${reserved_addrs.db.addr}" }
reserved_addrs: { db: {} }
failover_backends: { app: { backends: [bkdhr_1] } }
https_edges:
  site: { hostports: [a.example.com:443], routes: { end: { match_type: path_prefix, match: / } } }
`;

interface Parsed {
  readonly nodes: readonly string[];
  readonly links: readonly string[];
}

/** A reader of DOT that takes exactly what its grammar allows: quoted strings, statements, attributes. */
function parseDot(text: string): Parsed {
  const tokens = [...text.matchAll(/"((?:[^"\\]|\\[\s\S])*)"|->|[{}[\];=,]|[A-Za-z_]\w*|(\S)/g)].map((found) => {
    if (found[2] !== undefined) throw new Error(`unexpected ${found[2]}`);
    return found[1] === undefined ? found[0] : `"${found[1].replaceAll(/\\(["\\])/g, '$1')}`;
  });
  const nodes: string[] = [];
  const links: string[] = [];
  let at = 0;
  const next = (wanted?: string): string => {
    const token = tokens[at] ?? 'the end';
    if (wanted !== undefined && token !== wanted) throw new Error(`expected ${wanted}, got ${token}`);
    at += 1;
    return token;
  };
  const id = () => {
    const token = next();
    if (!token.startsWith('"')) throw new Error(`expected a quoted name, got ${token}`);
    return token.slice(1);
  };
  const attributes = () => {
    const found: Record<string, string> = {};
    if (tokens[at] !== '[') return found;
    do {
      next();
      const name = next();
      next('=');
      found[name] = id();
    } while (tokens[at] === ',');
    next(']');
    return found;
  };
  next('digraph');
  id();
  next('{');
  while (tokens[at] !== '}') {
    if (tokens[at] === 'rankdir') {
      next();
      next('=');
      id();
    } else if (tokens[at] === 'node') {
      next();
      attributes();
    } else {
      const from = id();
      if (tokens[at] === '->') {
        next();
        links.push(`${from} > ${id()} (${attributes()['label'] ?? ''})`);
      } else nodes.push(from);
    }
    next(';');
  }
  next('}');
  expect(tokens).toHaveLength(at);
  return { nodes, links };
}

/** A reader of Mermaid flowcharts that takes quoted labels without quotes, with character codes. */
function parseMermaid(text: string): Parsed {
  const label = (quoted: string) =>
    quoted.replaceAll(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
  const [head, ...lines] = text.trimEnd().split('\n');
  expect(head).toBe('graph TD');
  const names = new Map<string, string>();
  const links: string[] = [];
  for (const line of lines) {
    const node = /^ {2}(n\d+)\["([^"[\]{}()<>|\\]*)"\]$/.exec(line);
    const link = /^ {2}(n\d+) (?:-->|-\.->)\|"([^"[\]{}()<>|\\]*)"\| (n\d+)$/.exec(line);
    if (node) names.set(node[1]!, label(node[2]!));
    else if (link) links.push(`${names.get(link[1]!)!} > ${names.get(link[3]!)!} (${label(link[2]!)})`);
    else throw new Error(`not understood: ${line}`);
  }
  return { nodes: [...names.values()], links };
}

const EXPECTED: Parsed = {
  nodes: [
    'failover_backends.app',
    'https_edges.site',
    'https_edges.site.routes.end',
    'reserved_addrs.db',
    'tls_edges.db',
  ],
  links: [
    'https_edges.site.routes.end > https_edges.site (inside)',
    'tls_edges.db > failover_backends.app (id)',
    'tls_edges.db > reserved_addrs.db (addr, id)',
  ],
};

describe.each([
  { format: 'dot', parse: parseDot },
  { format: 'mermaid', parse: parseMermaid },
])('$format', ({ format, parse }) => {
  test('has every address, parent and reference, and needs no settings', async () => {
    const { code, stdout, stderr } = await edgeform(['graph', '--format', format], {
      cwd: folder({ 'edgeform.yaml': MANIFEST }),
      env: {},
    });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(parse(stdout)).toEqual(EXPECTED);
  });

  test('is the same for the same content in another order', async () => {
    const [head = '', ...blocks] = MANIFEST.split(/^(?=\w+:)/m);
    const cwd = folder({ 'a.yaml': MANIFEST, 'b.yaml': [head, ...blocks.reverse()].join('') });
    const one = await edgeform(['graph', '--format', format, '-f', 'a.yaml'], { cwd, env: {} });
    const other = await edgeform(['graph', '--format', format, '-f', 'b.yaml'], { cwd, env: {} });
    expect(other.stdout).toBe(one.stdout);
  });

  test('escapes what its language acts on', () => {
    const nasty = ['a"b', 'c\\', 'd#35;', 'e]|}', 'end', 'graph', 'h<br>&amp;', 'i; j --> k'].sort();
    const links = nasty.map((to) => ({ from: nasty[0]!, to, values: ['x"\\'] }));
    const parsed = parse(graphText(format, { name: 'n"\\', nodes: nasty, links }));
    expect(parsed.nodes).toEqual(nasty);
    expect(parsed.links).toEqual(nasty.map((to) => `${nasty[0]!} > ${to} (x"\\)`));
  });

  test('an empty manifest is an empty graph', async () => {
    const cwd = folder({ 'edgeform.yaml': 'version: 1\nstack: shop\n' });
    expect(parse((await edgeform(['graph', '--format', format], { cwd, env: {} })).stdout)).toEqual({
      nodes: [],
      links: [],
    });
  });
});

test('Mermaid is the default; other languages and a broken manifest are errors', async () => {
  const cwd = folder({ 'edgeform.yaml': MANIFEST, 'bad.yaml': 'version: 1\nstack: shop\nnope: 1\n' });
  expect((await edgeform(['graph'], { cwd, env: {} })).stdout).toMatch(/^graph TD\n/);
  for (const args of [['--format', 'json'], ['--nope'], ['extra']])
    expect((await edgeform(['graph', ...args], { cwd, env: {} })).code, args.join(' ')).toBe(64);
  const bad = await edgeform(['graph', '-f', 'bad.yaml'], { cwd, env: {} });
  expect(bad.code).toBe(4);
  expect(bad.stdout).toBe('');
});

test.each(['graph', 'digraph', 'rankdir', 'shape', 'label', 'dashed', 'inside', 'edges'])(
  'a graph keeps its words and its addresses when a key is %j',
  async (key) => {
    for (const format of ['mermaid', 'dot']) {
      const cwd = folder({ 'edgeform.yaml': MANIFEST });
      const drawn = (env = {}) => edgeform(['graph', '--format', format], { cwd, env });
      expect((await drawn({ EDGEFORM_API_KEY: key })).stdout).toBe((await drawn()).stdout);
    }
  },
);

test('wrong options come alone and together, before a manifest is read', async () => {
  const cwd = folder({ 'edgeform.yaml': MANIFEST.replace('stack: shop', 'stack: shop\nnope: 1') });
  const { code, stderr } = await edgeform(['graph', '--color', 'red', '--var', 'x'], { cwd, env: {} });
  expect(code).toBe(64);
  expect(stderr).toMatch(/^error: --color "red" is not a colour mode[^]*--var takes NAME=VALUE[^]*\n2 errors\n$/);
});
