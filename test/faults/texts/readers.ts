// Everything that reads a text from outside, with texts that it reads without a problem.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CAPABILITIES } from '../../../src/catalog/kind.ts';
import type { Diagnostic } from '../../../src/core/diagnostic.ts';
import { isObject, readJson } from '../../../src/core/json.ts';
import { KnownSecrets } from '../../../src/core/secrets/known.ts';
import { faultProblems } from '../../../src/emulator/fault-format.ts';
import { seedProblems } from '../../../src/emulator/state/seed-check.ts';
import { parseFleet } from '../../../src/fleet/fleet-file.ts';
import { encodeJournal, JOURNAL_VERSION, type JournalEntry } from '../../../src/journal/entry.ts';
import { parseJournal } from '../../../src/journal/parse.ts';
import { replayJournal } from '../../../src/journal/replay.ts';
import { loadManifest, type LoadInput } from '../../../src/manifest/load.ts';
import { formatManifest } from '../../../src/manifest/text/format.ts';
import { quotedFiles } from '../../../src/manifest/text/quoted-file.ts';
import { readVarFile } from '../../../src/manifest/values/var-file.ts';
import { importState } from '../../../src/migrate/import.ts';
import { readState } from '../../../src/migrate/state.ts';
import { buildPlan, type PlanInput } from '../../../src/plan/build.ts';
import { parsePlan } from '../../../src/plan/parse-plan.ts';
import { compilePolicies } from '../../../src/policy/compile.ts';
import { runExamples } from '../../../src/policy/examples.ts';
import { documentJson } from '../../../src/render/view/documents.ts';
import { problemsView } from '../../../src/render/view/problems.ts';
import { readMarker } from '../../../src/resource/marker/marker-codec.ts';
import { planShapeProblem } from '../../../src/schema/plan-shape.ts';
import { parseBody } from '../../../src/service/http/body.ts';
import { HOSTILE } from './hostile.ts';

/** Secrets that have much in common. */
const SECRETS = new KnownSecrets([
  ...Array.from({ length: 200 }, (_, n) => `beginning-beginning-${'n'.repeat(n)}`),
  `${'n'.repeat(1_000)}!`,
  'a secret/of blanks',
]);

/** One way to read a text. */
export interface TextReader {
  /** Name of the file in problems. */
  readonly file: string;
  readonly seeds: readonly string[];
  /** Reads the text, and returns its problems; throws nothing. */
  readonly read: (text: string) => readonly Diagnostic[];
}

/** The readers, with the examples below the root of the repository. */
export function textReaders(root: string): Readonly<Record<string, TextReader>> {
  const example = (path: string) => readFileSync(join(root, 'examples', path), 'utf8');
  const manifests = [
    'minimal/edgeform.yaml',
    'modules-tour/edgeform.yaml',
    'shop/edgeform/site.yaml',
    'shop/edgeform/access.yaml',
  ].map(example);
  const rules = example('policies/rules.yaml');
  const policies = compilePolicies([{ name: 'rules.yaml', text: rules }]).value;
  if (policies === undefined) throw new Error('the policies of the examples cannot be read');
  const found = (problems: readonly string[]): Diagnostic[] =>
    problems.map((message) => ({ code: 'invalid-setting', severity: 'error', message }));
  return {
    manifest: { file: 'f.yaml', seeds: [...manifests, ...HOSTILE], read: (text) => loaded('f.yaml', text) },
    overlay: {
      file: 'f.yaml',
      seeds: [...manifests, ...HOSTILE],
      read: (text) =>
        loaded('below.yaml', manifests[2] ?? '', [{ name: 'f.yaml', text }]).filter(
          ({ range }) => range?.file === 'f.yaml',
        ),
    },
    'JSON manifest': {
      file: 'f.json',
      seeds: manifests.map((text) => JSON.stringify(parse(text), undefined, 2)),
      read: (text) => loaded('f.json', text),
    },
    'format of a manifest': {
      file: 'f.yaml',
      seeds: [...manifests, ...HOSTILE],
      read: (text) => formatManifest('f.yaml', text).diagnostics,
    },
    'variable file': {
      file: 'v.yaml',
      seeds: [example('modules-tour/vars.example.yaml'), example('shop/vars.example.yaml'), ...HOSTILE],
      read: (text) => readVarFile('the file', 'v.yaml', text).diagnostics,
    },
    'fleet file': { file: 'fleet.yaml', seeds: [example('fleet/edgeform.fleet.yaml')], read: readFleet },
    policies: {
      file: 'p.yaml',
      seeds: [rules],
      read: (text) => compilePolicies([{ name: 'p.yaml', text }]).diagnostics,
    },
    'tests of policies': {
      file: 'p.yaml',
      seeds: [example('policies/rules.test.yaml')],
      read: (text) => runExamples([{ name: 'p.yaml', text }], policies).diagnostics,
    },
    'saved plan': {
      file: '',
      seeds: [savedPlan(manifests[0] ?? '')],
      read: (text) => parsePlan(text, planShapeProblem).diagnostics,
    },
    'state of Terraform': {
      file: '',
      seeds: [readFileSync(join(root, 'test/fixtures/terraform/state.json'), 'utf8')],
      read: (text) => {
        const { value, diagnostics } = readState(text);
        if (value !== undefined) importState(value, 'shop');
        return diagnostics;
      },
    },
    journal: { file: '', seeds: [encodeJournal(JOURNAL).text], read: readJournal },
    'seed of the emulator': {
      file: '',
      seeds: [JSON.stringify({ reserved_addrs: [{ id: 'ra_1', region: 'eu' }], tls_edges: [] }, undefined, 1)],
      read: (text) => {
        const { json } = readJson(text);
        return found(isObject(json) ? seedProblems(json) : []);
      },
    },
    'faults of the emulator': {
      file: '',
      seeds: [JSON.stringify([{ match: { method: 'GET', path: '^/x' }, action: 'delay', ms: 5 }], undefined, 1)],
      read: (text) => found(faultProblems(readJson(text).json ?? null)),
    },
    'text with known secrets': {
      file: '',
      seeds: ['beginning-beginning-nnnnnnnn', 'nnnnnnnnnnnnnnnn', 'a%20secret%2Fof%20blanks', '%e0%80%80%'],
      read: (text) => (SECRETS.mask(text), []),
    },
    'metadata of an object': { file: '', seeds: METADATA, read: (text) => (readMarker(text), []) },
    'answer of the service': {
      file: '',
      seeds: ['{"reserved_addrs":[{"id":"ra_1","region":"eu"}],"next_page_uri":null}'],
      read: (text) => (parseBody(Buffer.from(text), 'application/json'), []),
    },
  };
}

/** As `validate` does, with the document that people see. */
function loaded(name: string, text: string, overlays: LoadInput['files'] = []): readonly Diagnostic[] {
  const readFile = () => ({ diagnostics: [] });
  const files = [{ name, text }];
  const { diagnostics } = loadManifest({ files, overlays, variables: new Map(), env: {}, readFile });
  problemsView({ diagnostics, sources: quotedFiles([...files, ...overlays]) }, 20);
  return diagnostics;
}

function readFleet(text: string): readonly Diagnostic[] {
  const stacksLike = () => ['teams/a', 'teams/b'];
  return parseFleet({ name: 'fleet.yaml', text, cwd: '/work', env: {}, stacksLike, isAllowed: () => true }).diagnostics;
}

function readJournal(text: string): readonly Diagnostic[] {
  const { value, diagnostics } = parseJournal(text);
  if (value !== undefined) replayJournal(value);
  return diagnostics;
}

function savedPlan(text: string): string {
  const readFile = () => ({ diagnostics: [] });
  const input = { files: [{ name: 'f.yaml', text }], variables: new Map(), env: {}, readFile };
  const { value: manifest } = loadManifest(input);
  if (manifest === undefined) throw new Error('the smallest example cannot be read');
  const options: PlanInput['options'] = {
    ...{ destroy: false, allowReplace: [], allowLoss: [], targets: [] },
    ...{ allowDeletes: 'all', capabilities: new Set(CAPABILITIES) },
  };
  const snapshot = { resources: [], unread: [], requests: 0 };
  return documentJson(buildPlan({ manifest, snapshot, service: 'https://service.example/', options }));
}

const MARKER = '{"v":1,"stack":"shop","address":"tls_edges.db","applied":{"hostports":"abc"}}';
const METADATA = [`{"edgeform":${MARKER}}`, `{"team":"ops","edgeform":${MARKER}}`, `mine\nedgeform/v1 ${MARKER}`];

const JOURNAL: readonly JournalEntry[] = [
  {
    type: 'begin',
    v: JOURNAL_VERSION,
    run: 'r1',
    stack: 'shop',
    service: 'https://s.example/',
    at: '2026-01-01T00:00:00.000Z',
  },
  {
    ...{ type: 'intent', n: 1, run: 'r1', address: 'reserved_addrs.db', kind: 'reserved_addr', method: 'POST' },
    ...{ path: '/reserved_addrs', live_id: null, parent_id: null, at: '2026-01-01T00:00:00.000Z' },
  },
  { type: 'outcome', n: 1, status: 'done', live_id: 'ra_1' },
  { type: 'end', run: 'r1', result: '0' },
];
