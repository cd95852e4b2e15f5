// The examples: what a person meets, from nothing to do to hostile names.

import type { JsonObject } from '../../src/core/json.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import type { EmulatorOptions } from '../../src/emulator/http/server.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { parseAddress } from '../../src/catalog/address.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import type { DriftView, ReportView } from '../../src/render/view/documents.ts';
import type { Found } from '../../src/render/view/problems.ts';
import type { FleetOutcome } from '../../src/render/fleet.ts';
import { applied, driftedStacks, equalFleet, planned as fleet } from '../render/fleet-sample.ts';
import type { Place } from './place.ts';
import { read } from './place.ts';
import { quoting } from '../support/quoting.ts';

/** What a scenario leads to. */
export type Example =
  | { readonly is: 'plan'; readonly plan: Plan }
  | { readonly is: 'report'; readonly report: ReportView }
  | { readonly is: 'drift'; readonly drift: DriftView }
  | { readonly is: 'problems'; readonly found: Found }
  | { readonly is: 'fleet'; readonly fleet: FleetOutcome };

interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly service?: EmulatorOptions;
  readonly play: (place: Place) => Promise<Example>;
}

const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)> ](javascript:x) ::error::x';

const SHOP = `
variables: { secret: { sensitive: true } }
reserved_addrs:
  db: { region: eu }
failover_backends:
  app: { backends: [bkdhr_2abc, bkdhr_2def] }
tls_edges:
  db:
    hostports: ["\${reserved_addrs.db.addr}"]
    backend: { backend_id: "\${failover_backends.app.id}" }
    tls_termination: { terminate_at: edge, min_version: "1.2" }
https_edges:
  site:
    hostports: [shop.example.com:443]
    routes:
      admin:
        match_type: path_prefix
        match: /admin
        oauth: { provider: { github: { client_id: abc, client_secret: "\${var.secret}", teams: [acme/ops] } } }
`;
const CHANGED = SHOP.replace('"1.2"', '"1.3"')
  .replace('client_id: abc', 'client_id: def')
  .replace('bkdhr_2def', 'bkdhr_2xyz');
const EDGES = (...names: readonly string[]) =>
  `tls_edges:\n${names.map((name) => `  ${name}: { hostports: [${name}.example.com:443] }`).join('\n')}`;

const planned = async (plan: Promise<Plan>): Promise<Example> => ({ is: 'plan', plan: await plan });
const reported = async (report: Promise<ReportView>): Promise<Example> => ({ is: 'report', report: await report });

function listOf(address: string): string {
  return parseAddress(address)?.kind.operations.list?.key ?? '';
}

function idOf({ emulator }: Place, address: string): string {
  const addressOf = ({ [METADATA]: text }: JsonObject) =>
    typeof text === 'string' ? readMarker(text).marker?.address : undefined;
  return String(emulator.objects(listOf(address)).find((one) => addressOf(one) === address)?.['id']);
}

/** Somebody else changes an object, deletes it, or makes one. */
function change(place: Place, address: string, patch: JsonObject): void {
  place.emulator.mutate(listOf(address), idOf(place, address), patch);
}

async function create({ emulator }: Place, path: string, body: JsonObject): Promise<string> {
  const headers = {
    authorization: `Bearer ${emulator.apiKey}`,
    'content-type': 'application/json',
    'service-version': '2',
  };
  const made = await fetch(new URL(path, emulator.url), { method: 'POST', headers, body: JSON.stringify(body) });
  return String(((await made.json()) as JsonObject)['id']);
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'nothing',
    title: 'Nothing to do',
    play: async (place) => {
      await place.apply(SHOP);
      return planned(place.plan(SHOP));
    },
  },
  { name: 'creation', title: 'First creation', play: (place) => planned(place.plan(SHOP)) },
  {
    name: 'change',
    title: 'A small change, with secrets',
    play: async (place) => {
      await place.apply(SHOP);
      return planned(place.plan(CHANGED));
    },
  },
  {
    name: 'replacement',
    title: 'Replacement of something irreplaceable',
    play: async (place) => {
      await place.apply(SHOP);
      return planned(place.plan(SHOP.replace('region: eu', 'region: us')));
    },
  },
  {
    name: 'deletions',
    title: 'More deletions than allowed',
    play: async (place) => {
      await place.apply(EDGES('a', 'b', 'c', 'd'));
      return planned(place.plan(EDGES('a'), { allowDeletes: 1 }));
    },
  },
  {
    name: 'drift',
    title: 'Drift of every type',
    play: async (place) => {
      const yaml = `${SHOP}\nagent_ingresses: { gone: { domain: gone.example.com } }`;
      await place.apply(yaml);
      change(place, 'tls_edges.db', { description: 'changed by hand' });
      place.emulator.remove(listOf('agent_ingresses.gone'), idOf(place, 'agent_ingresses.gone'));
      const { [METADATA]: marker = '' } = place.emulator.objects(listOf('failover_backends.app'))[0] ?? {};
      await create(place, '/backends/failover', { metadata: marker, backends: ['bkdhr_2abc'] });
      await create(place, '/edges/tls', { description: 'made by hand' });
      return { is: 'drift', drift: await place.drift(yaml) };
    },
  },
  {
    name: 'partial',
    title: 'An apply that failed in part',
    service: {
      faults: [
        {
          action: 'status',
          status: 422,
          body: { status_code: 422, msg: `the hostport is not allowed ${HOSTILE} \u001b[31mred` },
          match: { method: 'POST', path: '^/edges/tls' },
        },
      ],
    },
    play: (place) => reported(place.apply(SHOP)),
  },
  {
    name: 'unknown',
    title: 'A write whose outcome is unknown',
    service: {
      faults: [
        { action: 'dropAfter', match: { method: 'POST', path: '^/reserved_addrs' } },
        ...Array.from({ length: 60 }, (_, index) => ({
          action: 'status' as const,
          status: 403,
          match: { method: 'GET', path: '^/reserved_addrs', nth: index + 2 },
        })),
      ],
    },
    play: (place) => reported(place.apply(SHOP)),
  },
  {
    name: 'problems',
    title: 'A manifest with many errors',
    play: () => {
      const { text, diagnostics } = read(
        `${SHOP}tls_edgs: {}\nevent_subscriptions:\n  all: { sources: [{ type: wrong }], destination_ids: ["\${event_destinations.none.id}"] }\n` +
          `ssh_credentials:\n  ops: { publickey: abc, description: "\${var.secret}" }\n  dev: { public_key: 7 }\nagent_ingresses:\n  a: { domain: ${'x'.repeat(300)} }\n`,
      );
      return Promise.resolve({ is: 'problems', found: { diagnostics, sources: quoting('edgeform.yaml', text) } });
    },
  },
  {
    name: 'large',
    title: 'A plan of 1,000 steps',
    play: (place) => planned(place.plan(EDGES(...Array.from({ length: 1_000 }, (_, index) => `edge${index}`)))),
  },
  {
    name: 'hostile',
    title: 'Hostile names',
    play: async (place) => {
      const yaml = `tls_edges: { a: { description: "${HOSTILE}", metadata: "${HOSTILE}" } }`;
      await place.apply(yaml);
      change(place, 'tls_edges.a', { description: `${HOSTILE} \u001b[31mred` });
      return planned(place.plan(`${yaml}\nhttps_edges: { b: { description: "${HOSTILE}" } }`));
    },
  },
  {
    name: 'names',
    title: 'Adoption, a new name and release',
    play: async (place) => {
      await place.apply(EDGES('old', 'free'));
      const id = await create(place, '/edges/tls', { hostports: ['found.example.com:443'] });
      return planned(
        place.plan(
          `tls_edges:\n  new: { hostports: [old.example.com:443] }\n` +
            `  found: { hostports: [found.example.com:443], lifecycle: { adopt: ${id} } }\n` +
            `moved: [{ from: tls_edges.old, to: tls_edges.new }]\nremoved: [{ from: tls_edges.free, destroy: false }]`,
        ),
      );
    },
  },
  {
    name: 'equal',
    title: 'One change of sixty edges, and two others',
    play: async (place) => {
      const names = Array.from({ length: 60 }, (_, index) => `edge-${index + 1}`);
      const edges = (text: string) =>
        `tls_edges:\n${names.map((name) => `  ${name}: { hostports: [${name}.example.com:443], description: "${text}" }`).join('\n')}`;
      await place.apply(`${edges('old')}\nfailover_backends: { app: { backends: [bkdhr_2abc] } }`);
      return planned(place.plan(`${edges('new')}\n${SHOP.split('tls_edges:')[0] ?? ''}`));
    },
  },
  { name: 'fleet', title: 'A plan of five stacks', play: () => Promise.resolve({ is: 'fleet', fleet }) },
  {
    name: 'fleet-equal',
    title: 'A plan of a hundred stacks, of which most change in the same way',
    play: () => Promise.resolve({ is: 'fleet', fleet: equalFleet }),
  },
  {
    name: 'fleet-drift',
    title: 'One change by hand in fifteen stacks',
    play: () => Promise.resolve({ is: 'fleet', fleet: driftedStacks }),
  },
  {
    name: 'fleet-apply',
    title: 'An apply of four stacks',
    play: () => Promise.resolve({ is: 'fleet', fleet: applied }),
  },
];
