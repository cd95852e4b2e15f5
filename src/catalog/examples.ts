// Examples of user input that name a kind, for help, schemas and the reference.

export const EXAMPLES = {
  address: 'tls_edges.db',
  oldAddress: 'tls_edges.old',
  transfer: { stack: 'acme', address: 'tls_edges.db' },
  releasedAddress: 'https_edges.legacy',
  reference: '${reserved_addrs.db.addr}',
  imports: { db: { stack: 'network', address: 'reserved_addrs.db' }, legacy: { kind: 'reserved_addr', id: 'ra_2abc' } },
  presets: {
    guarded: { lifecycle: { prevent_destroy: true } },
    signin: { oauth: { provider: { github: { client_id: 'abc', teams: ['acme/ops'] } } } },
  },
  presetPath: 'oauth.provider.github.teams',
  manifestKey: 'tls_edges',
  revoked: ['as_2abc', 'as_2abc as_2def --auto-approve'],
  returnedOnce: 'api_keys',
  fieldPath: 'https_edges.routes.oauth',
} as const;
