// Examples of what users write that name a kind, for help, schemas and the reference.

export const EXAMPLES = {
  address: 'tls_edges.db',
  oldAddress: 'tls_edges.old',
  releasedAddress: 'https_edges.legacy',
  reference: '${reserved_addrs.db.addr}',
  /** What `explain` takes. */
  fieldPath: 'https_edges.routes.oauth',
} as const;
