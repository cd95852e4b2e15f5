// The three modules that sign users in (§2): oauth, saml and oidc, and the session settings they share.

import { moduleOf, reportedText, requiredText, setOf, someText, uint32 } from './common.ts';
import type { Fields } from '../field.ts';
import type { BrokenRule } from '../kind.ts';
import { oauthProviders } from './providers.ts';
import { documented, unspecified } from '../provenance.ts';

/** URL that the emulator returns for an object's SAML endpoints. */
const SAML_URL = 'https://idp.example.test/saml/{id}';

function flag(doc: string) {
  return { type: 'boolean', default: { value: false }, doc, source: documented('§2') } as const;
}

const session = {
  options_passthrough: flag('Lets HTTP OPTIONS requests pass without signing in, which CORS needs.'),
  cookie_prefix: {
    ...someText('Prefix of the session cookie; the service’s name and a period when omitted.', 'shop.'),
    default: 'service',
    emulate: 'edge.',
  },
  inactivity_timeout: uint32('Seconds without a request after which users sign in again.', 0),
  maximum_duration: uint32('Seconds after which users sign in again in any case.', 0),
} as const satisfies Fields;

const oauth = moduleOf('oauth', 'Signs users in with an OAuth provider.', {
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
  auth_check_interval: uint32('Seconds between checks that a signed-in user is still allowed.', 0),
});

function reported(doc: string, emulate: string, longest = 200) {
  return { ...reportedText(doc, emulate, 'https://idp.example.com/saml/1'), longest } as const;
}

const saml = moduleOf('saml', 'Signs users in with a SAML identity provider.', {
  ...session,
  idp_metadata: {
    ...requiredText('The identity provider’s full XML EntityDescriptor.', '${file:idp-metadata.xml}'),
    lines: 'many',
  },
  force_authn: flag('Makes the identity provider ask for credentials every time.'),
  allow_idp_initiated: {
    type: 'boolean',
    default: 'service',
    emulate: true,
    doc: 'Lets the identity provider start a login.',
    source: documented('§2'),
  },
  authorized_groups: setOf(
    'Only members of one of these groups may sign in; everyone when empty.',
    someText('Group name.', 'ops'),
  ),
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
});

const oidc = moduleOf('oidc', 'Signs users in with an OpenID Connect provider.', {
  ...session,
  issuer: requiredText('URL of the OpenID provider, the base of discovery.', 'https://accounts.example.com'),
  client_id: requiredText('Client id and audience.', 'shop'),
  client_secret: { ...requiredText('Client secret.', '${var.oidc_secret}'), sensitive: true },
  scopes: setOf('Scopes to ask for.', someText('Scope.', 'openid')),
});

/** A route has at most one of them. */
export const signInModules = { oauth, saml, oidc };

type SignIn = { readonly [name in keyof typeof signInModules]?: { readonly enabled?: boolean } };

/** A route signs users in one way only (ADR-0004). */
export function checkOneSignIn(route: SignIn): BrokenRule[] {
  const all = ['oauth', 'saml', 'oidc'] as const;
  const names = all.filter((name) => route[name] !== undefined && route[name].enabled !== false);
  const [, second] = names;
  if (second === undefined) return [];
  return [
    {
      path: second,
      message: `a route can sign users in only one way, but has ${names.join(' and ')}`,
      expected: `one of ${all.join(', ')}`,
      got: names.join(' and '),
      fix: 'keep one of them, or set `enabled: false` on the others',
    },
  ];
}
