// Writes the manifest of all tenants: `npx tsx manifest.ts > edgeform.yaml`.

import { formatManifest, type HttpsEdge, type HttpsEdgeRoute, type Manifest } from 'edgeform/manifest';

interface Tenant {
  readonly name: string;
  /** GitHub teams whose members may see the administration. */
  readonly admins: readonly string[];
  /** Tenants that pay have a domain of their own. */
  readonly domain?: string;
}

const tenants: readonly Tenant[] = [
  { name: 'acme', admins: ['acme/ops', 'acme/support'], domain: 'shop.acme.example' },
  { name: 'globex', admins: ['globex/admins'] },
  { name: 'initech', admins: ['initech/it'], domain: 'www.initech.example' },
];

const backend = { backend_id: '${failover_backends.app.id}' };

function adminRoute({ admins }: Tenant): HttpsEdgeRoute {
  return {
    match_type: 'path_prefix',
    match: '/admin',
    backend,
    oauth: {
      maximum_duration: 8 * 60 * 60,
      provider: { github: { client_id: 'abc', client_secret: '${var.github_secret}', teams: admins } },
    },
  };
}

function edgeOf(tenant: Tenant): HttpsEdge {
  const { name, domain } = tenant;
  return {
    description: `Tenant ${name}`,
    hostports: [`${name}.shop.example.com:443`, ...(domain === undefined ? [] : [`${domain}:443`])],
    routes: { shop: { match_type: 'path_prefix', match: '/', backend, compression: {} }, admin: adminRoute(tenant) },
  };
}

const manifest: Manifest = {
  version: 1,
  stack: 'tenants',
  variables: { github_secret: { sensitive: true, description: 'secret of the OAuth app' } },
  failover_backends: { app: { backends: ['bkdhr_2abc', 'bkdhr_2def'] } },
  https_edges: Object.fromEntries(tenants.map((tenant) => [tenant.name, edgeOf(tenant)])),
  outputs: { backend: '${failover_backends.app.id}' },
};

console.log('# yaml-language-server: $schema=../../schemas/manifest.schema.json');
console.log('# Written by manifest.ts: change that, and run it again.');
process.stdout.write(formatManifest(manifest));
