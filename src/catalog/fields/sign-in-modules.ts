// The three modules that sign users in (§2): oauth, saml and oidc, and the session settings they share.

import { enabled } from './common.ts';
import type { Fields, ObjectField } from '../field.ts';
import type { BrokenRule } from '../kind.ts';
import { oauthProviders } from './providers.ts';
import { assumed, documented, unspecified } from '../provenance.ts';

const UINT32_MAX = 4_294_967_295;

/** Where the emulator claims to serve what belongs to one object. */
const SAML_URL = 'https://idp.example.test/saml/{id}';

function seconds(doc: string) {
  return {
    type: 'integer',
    min: 0,
    max: UINT32_MAX,
    default: 'service',
    emulate: 0,
    doc,
    source: documented('§2'),
  } as const;
}

function flag(doc: string) {
  return { type: 'boolean', default: { value: false }, doc, source: documented('§2') } as const;
}

const session = {
  enabled,
  options_passthrough: flag('Lets HTTP OPTIONS requests pass without signing in, which CORS needs.'),
  cookie_prefix: {
    type: 'string',
    default: 'service',
    emulate: 'edge.',
    doc: 'Prefix of the session cookie; the service’s name and a period when omitted.',
    source: documented('§2'),
    examples: ['shop.'],
  },
  inactivity_timeout: seconds('Seconds without a request after which users sign in again.'),
  maximum_duration: seconds('Seconds after which users sign in again in any case.'),
} as const satisfies Fields;

export const oauth = {
  type: 'object',
  module: true,
  remove: 'oauth',
  doc: 'Signs users in with an OAuth provider.',
  source: documented('§2'),
  fields: {
    ...session,
    provider: {
      type: 'object',
      required: true,
      exactlyOne: true,
      fields: oauthProviders,
      doc: 'The identity provider: exactly one key with its settings.',
      source: documented('§2'),
      examples: [{ github: { organizations: ['acme'] } }],
    },
    auth_check_interval: seconds('Seconds between checks that a signed-in user is still allowed.'),
  },
} as const satisfies ObjectField;

function reported(doc: string, emulate: string, longest = 200) {
  const examples = ['https://idp.example.com/saml/1'];
  return { type: 'string', write: 'never', emulate, doc, longest, source: documented('§2'), examples } as const;
}

export const saml = {
  type: 'object',
  module: true,
  remove: 'saml',
  doc: 'Signs users in with a SAML identity provider.',
  source: documented('§2'),
  fields: {
    ...session,
    idp_metadata: {
      type: 'string',
      lines: 'many',
      required: true,
      doc: 'The identity provider’s full XML EntityDescriptor.',
      source: documented('§2'),
      examples: ['${file:idp-metadata.xml}'],
    },
    force_authn: flag('Makes the identity provider ask for credentials every time.'),
    allow_idp_initiated: {
      type: 'boolean',
      default: 'service',
      emulate: true,
      doc: 'Lets the identity provider start a login.',
      source: documented('§2'),
    },
    authorized_groups: {
      type: 'list',
      order: 'ignored',
      default: { value: [] },
      items: { type: 'string', doc: 'Group name.', source: documented('§2'), examples: ['ops'] },
      doc: 'Only members of one of these groups may sign in; everyone when empty.',
      source: documented('§2'),
    },
    nameid_format: {
      type: 'string',
      default: 'service',
      emulate: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      doc: 'Name identifier format expected in assertions; the persistent format when omitted.',
      source: unspecified('§2'),
      examples: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
    },
    entity_id: reported('Id of the service provider, to be set at the identity provider.', SAML_URL),
    assertion_consumer_service_url: reported(
      'Assertion consumer URL, to be set at the identity provider.',
      `${SAML_URL}/acs`,
    ),
    single_logout_url: reported('Single logout URL.', `${SAML_URL}/slo`),
    request_signing_certificate_pem: reported(
      'Certificate that signs requests to the identity provider.',
      '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
      4000,
    ),
    metadata_url: reported('Where the service provider’s metadata is served.', SAML_URL),
  },
} as const satisfies ObjectField;

export const oidc = {
  type: 'object',
  module: true,
  remove: 'oidc',
  doc: 'Signs users in with an OpenID Connect provider.',
  source: documented('§2'),
  fields: {
    ...session,
    issuer: {
      type: 'string',
      required: true,
      doc: 'URL of the OpenID provider, the base of discovery.',
      source: documented('§2'),
      examples: ['https://accounts.example.com'],
    },
    client_id: {
      type: 'string',
      required: true,
      doc: 'Client id and audience.',
      source: documented('§2'),
      examples: ['shop'],
    },
    client_secret: {
      type: 'string',
      required: true,
      sensitive: true,
      doc: 'Client secret.',
      source: documented('§2'),
      examples: ['${var.oidc_secret}'],
    },
    scopes: {
      type: 'list',
      order: 'ignored',
      default: { value: [] },
      items: { type: 'string', doc: 'Scope.', source: documented('§2'), examples: ['openid'] },
      doc: 'Scopes to ask for.',
      source: documented('§2'),
    },
  },
} as const satisfies ObjectField;

type Module = { readonly enabled?: boolean } | undefined;

/** A route signs users in one way only (ADR-0004). */
export function checkOneSignIn(modules: Readonly<Record<string, Module>>): BrokenRule[] {
  const names = Object.keys(modules).filter((name) => modules[name] !== undefined && modules[name].enabled !== false);
  const [, second] = names;
  if (second === undefined) return [];
  return [
    {
      path: second,
      message: `a route can sign users in only one way, but has ${names.join(' and ')}`,
      expected: `one of ${Object.keys(modules).join(', ')}`,
      got: names.join(' and '),
      fix: 'keep one of them, or set `enabled: false` on the others',
      source: assumed('ADR-0004'),
    },
  ];
}
