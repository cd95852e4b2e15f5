// Values that the service makes itself, as public services of this shape make them (ADR-0004). Used by the emulator only.

export interface MadeFacts {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly serial: number;
  readonly createdAt: string;
  /** Base address of the service. */
  readonly base: string;
  /** Address of the object. */
  readonly uri: string;
  /** The object's own fields as text, '' when absent. */
  readonly field: (name: string) => string;
}

type Maker = (facts: MadeFacts, path: readonly string[]) => string | readonly string[];

const REGIONS = ['us', 'eu'];

/** By dotted path; list positions are left out. */
const makers: Readonly<Record<string, Maker>> = {
  id: (facts) => facts.id,
  uri: (facts) => facts.uri,
  created_at: (facts) => facts.createdAt,
  edge_id: (facts) => facts.parentId ?? '',
  addr: (facts) => `1.tcp.${facts.field('region')}.example.test:${20_000 + facts.serial}`,
  ns_targets: () => ['ns1.example.test', 'ns2.example.test'],
  region_domains: (facts) => REGIONS.map((region) => `${region}.${facts.field('domain')}`),
  owner_id: () => 'usr_emulator',
  'tls_termination.terminate_at': () => 'edge',
  'tls_termination.min_version': () => '1.2',
  'oauth.cookie_prefix': () => 'service.',
  'saml.cookie_prefix': () => 'service.',
  'oidc.cookie_prefix': () => 'service.',
  'saml.nameid_format': () => 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'saml.entity_id': (facts) => `${facts.base}/saml/${facts.id}`,
  'saml.metadata_url': (facts) => `${facts.base}/saml/${facts.id}`,
  'saml.assertion_consumer_service_url': (facts) => `${facts.base}/saml/${facts.id}/acs`,
  'saml.single_logout_url': (facts) => `${facts.base}/saml/${facts.id}/slo`,
  'saml.request_signing_certificate_pem': () => '-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----\n',
  'sources.uri': (facts, path) => `${facts.uri}/sources/${path[1] ?? ''}`,
};

/** The value of a field that the service makes, or undefined when it makes none. */
export function madeValue(path: readonly string[], facts: MadeFacts): string | readonly string[] | undefined {
  const name = path.filter((segment) => !/^\d+$/.test(segment)).join('.');
  return Object.hasOwn(makers, name) ? makers[name]?.(facts, path) : undefined;
}
