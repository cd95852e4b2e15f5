// Examples of what users write that name a kind, for help, schemas and the reference.

export const EXAMPLES = {
  address: 'tls_edges.db',
  oldAddress: 'tls_edges.old',
  releasedAddress: 'https_edges.legacy',
  reference: '${reserved_addrs.db.addr}',
  manifestKey: 'tls_edges',
  /** What `sessions revoke` takes. */
  revoked: ['as_2abc', 'as_2abc as_2def --auto-approve'],
  /** Objects with a value that is returned only once. */
  returnedOnce: 'api_keys',
  /** What `explain` takes. */
  fieldPath: 'https_edges.routes.oauth',
} as const;
