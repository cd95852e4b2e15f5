// A stack is planned and compared as the only one of a fleet as it is alone: the document of its entry is that of the single command.
// What differs is in `asAlone`.

import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { run } from '../support/host.ts';
import { usePlace } from '../support/place.ts';
import { commit, GIT_ENV, startRepository } from '../support/repository.ts';

const MANIFEST = `version: 1
stack: shop
variables: { env: { default: test } }
imports:
  db: { stack: network, address: reserved_addrs.db }
reserved_addrs:
  spare: { region: eu }
tls_edges:
  web: { hostports: [web.test:443], description: "\${var.env} at \${imports.db.addr}" }
https_edges:
  site:
    hostports: [shop.test:443]
    routes:
      api: { match_type: path_prefix, match: /api }
`;
const FILES = {
  'edgeform.yaml': MANIFEST,
  'edgeform.fleet.yaml': 'version: 1\nstacks:\n  - { name: one, path: edgeform.yaml }\n',
  'network.yaml': 'version: 1\nstack: network\nreserved_addrs:\n  db: { region: eu }\n',
};
const place = usePlace(FILES);
const call = (...args: string[]) => run(args, { cwd: place.cwd, env: { ...GIT_ENV, ...place.env } });
const only = (list: string) => String(place.emulator.objects(list)[0]?.['id']);
const mutate = (list: string, change: JsonObject) => {
  place.emulator.mutate(list, only(list), change);
};

beforeEach(async () => {
  for (const file of ['network.yaml', 'edgeform.yaml'])
    expect(await call('apply', '-f', file, '--auto-approve')).toMatchObject({ code: 0 });
});

interface FleetDocument extends JsonObject {
  /** Each with the document of its command, or with its problems. */
  readonly stacks?: readonly Readonly<Record<'plan' | 'drift' | 'accept' | 'diagnostics', JsonObject>>[];
}

function documentIn({ stacks: [entry] = [], ...failed }: FleetDocument): JsonObject {
  return entry?.plan ?? entry?.drift ?? entry?.accept ?? entry?.diagnostics ?? failed;
}

/** A stack of a fleet sees its part of the service, and a flag of a refusal names its entry. Of a failure only the problems count. */
function asAlone({ unmanaged: _, fingerprint: _fingerprint, ...document }: JsonObject, isFailure: boolean): unknown {
  const said = isFailure ? document['diagnostics'] : document;
  return JSON.parse(JSON.stringify(said).replaceAll('--allow-loss one:', '--allow-loss '));
}

/** The document of a command, and what it asked. */
async function documentOf(...args: string[]) {
  place.emulator.requests.length = 0;
  const { code, stdout } = await call(...args, '--format', 'json');
  const asked = place.emulator.requests.map(({ method, path }) => `${method} ${path}`).sort();
  return { code, asked, document: JSON.parse(stdout) as JsonObject };
}

async function expectEqual(command: string, ...args: string[]): Promise<JsonObject> {
  const alone = await documentOf(command, ...args);
  const fleet = await documentOf('fleet', command, ...args);
  const isFailure = alone.document['format'] === 'edgeform-error/1';
  expect([fleet.code, fleet.asked]).toEqual([alone.code, alone.asked]);
  expect(asAlone(documentIn(fleet.document), isFailure)).toEqual(asAlone(alone.document, isFailure));
  return alone.document;
}

const SITUATIONS: Readonly<Record<string, () => void>> = {
  'all is as the manifest says': () => undefined,
  'a value was changed outside': () => {
    mutate('tls_edges', { description: 'by hand' });
  },
  'an object was deleted outside': () => {
    place.emulator.remove('tls_edges', only('tls_edges'));
  },
  'a marker was removed': () => {
    mutate('tls_edges', { metadata: '' });
  },
  'blocks are new, changed and gone': () => {
    place.write(MANIFEST.replace('spare: { region: eu }', 'other: { region: us }').replace('/api', '/v2'));
  },
  'a rename has no entry': () => {
    place.write(MANIFEST.replace('web:', 'front:'));
  },
  'an import names what does not exist': () => {
    place.write(MANIFEST.replace('address: reserved_addrs.db', 'address: reserved_addrs.none'));
  },
  'a value is held by another stack': () => {
    place.write(MANIFEST.replace('stack: shop', 'stack: blog'));
  },
};

test.each(Object.entries(SITUATIONS))('%s', async (_name, arrange) => {
  arrange();
  await expectEqual('plan');
  await expectEqual('plan', '--detailed-exitcode', '--allow-deletes', 'all', '--recreate');
  await expectEqual('plan', '--target', 'tls_edges.web');
  await expectEqual('drift');
  await expectEqual('drift', '--accept', 'all');
});

test('a plan that is compared with a revision', async () => {
  startRepository(place.cwd, FILES);
  const pending = MANIFEST.replace('default: test', 'default: prod');
  commit(place.cwd, { 'edgeform.yaml': pending });
  place.write(pending.replace('shop.test', 'other.test'));
  const { base, steps } = await expectEqual('plan', '--base', 'HEAD');
  expect(base).toMatchObject({ status: 'compared' });
  const origins = (steps as readonly JsonObject[]).map(({ origin }) => origin);
  expect(new Set(origins)).toEqual(new Set(['this-change', 'already-pending']));
  await expectEqual('plan', '--base', 'HEAD~1', '--target', 'tls_edges.web');
});
