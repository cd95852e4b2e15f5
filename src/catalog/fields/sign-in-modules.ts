// The three modules that sign users in (§2): oauth, saml and oidc, and the session settings they share; the eight OAuth identity
// providers, and the documented rules of four of them.

import { guardOf, withAccess, reportedText, requiredText, setOf, someText, uint32 } from './common.ts';
import type { Fields, ObjectField, Pattern, TextForm } from '../field.ts';
import { FORMS } from './forms.ts';
import type { BrokenRule } from '../kind.ts';
import { documented, unspecified, type Provenance } from '../provenance.ts';

const documentedClient = common(documented('§2'));

const unspecifiedClient = common(unspecified('§2'));

/** Exactly one of them is chosen. */
const oauthProviders = {
  github: provider('GitHub', documented('§2'), {
    ...documentedClient,
    teams: withAccess(
      'admits',
      textList('Teams whose members may sign in, as organization/team.', 'acme/ops', documented('§2')),
    ),
    organizations: withAccess('admits', textList('Organizations whose members may sign in.', 'acme', documented('§2'))),
  }),
  facebook: provider('Facebook', documented('§2'), documentedClient),
  microsoft: provider('Microsoft', documented('§2'), documentedClient),
  google: provider('Google', documented('§2'), documentedClient),
  linkedin: provider('LinkedIn', unspecified('§2'), unspecifiedClient),
  gitlab: provider('GitLab', unspecified('§2'), unspecifiedClient),
  twitch: provider('Twitch', unspecified('§2'), unspecifiedClient),
  amazon: provider('Amazon', unspecified('§2'), unspecifiedClient),
} as const satisfies Fields;

/** Providers with documented rules (§2); for the others, only the field names are shown. */
const PROVIDERS_WITH_RULES: readonly string[] = ['github', 'facebook', 'microsoft', 'google'];

interface ProviderSpec {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly scopes?: readonly string[];
}

interface RouteSpec {
  readonly oauth?: { readonly provider?: Readonly<Record<string, ProviderSpec | undefined>> };
}

export const providerRules = [checkClient, checkScopes];

/** URL that the emulator returns for an object's SAML endpoints. */
const SAML_URL = 'https://idp.example.test/saml/{id}';

function flag(doc: string) {
  return { type: 'boolean', default: { value: false }, doc, source: documented('§2') } as const;
}

const session = {
  options_passthrough: withAccess(
    'more',
    flag('Lets HTTP OPTIONS requests pass without signing in, which CORS needs.'),
  ),
  cookie_prefix: {
    access: 'neutral',
    ...someText('Prefix of the session cookie; the service’s name and a period when omitted.', 'shop.'),
    default: 'service',
    emulate: 'edge.',
  },
  inactivity_timeout: withAccess('more', uint32('Seconds without a request after which users sign in again.', 0)),
  maximum_duration: withAccess('more', uint32('Seconds after which users sign in again in any case.', 0)),
} as const satisfies Fields;

const oauth = guardOf('oauth', 'Signs users in with an OAuth provider.', {
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
  auth_check_interval: withAccess('more', uint32('Seconds between checks that a signed-in user is still allowed.', 0)),
});

function reported(doc: string, emulate: string) {
  return reportedText(doc, emulate, 'https://idp.example.com/saml/1');
}

const saml = guardOf('saml', 'Signs users in with a SAML identity provider.', {
  ...session,
  idp_metadata: {
    ...requiredText('The identity provider’s full XML EntityDescriptor.', '${file:idp-metadata.xml}'),
    lines: 'many',
    form: 'trimmed',
  },
  force_authn: withAccess('less', flag('Makes the identity provider ask for credentials every time.')),
  allow_idp_initiated: {
    type: 'boolean',
    access: 'more',
    default: 'service',
    emulate: true,
    doc: 'Lets the identity provider start a login.',
    source: documented('§2'),
  },
  authorized_groups: {
    ...setOf('Only members of one of these groups may sign in; everyone when empty.', someText('Group name.', 'ops')),
    access: 'admits',
    whenEmpty: 'everyone',
  },
  nameid_format: {
    type: 'string',
    access: 'neutral',
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
  ),
  metadata_url: reported('Where the service provider’s metadata is served.', SAML_URL),
});

const oidc = guardOf('oidc', 'Signs users in with an OpenID Connect provider.', {
  ...session,
  issuer: {
    ...requiredText('URL of the OpenID provider, the base of discovery.', 'https://accounts.example.com'),
    form: 'url',
  },
  client_id: requiredText('Client id and audience.', 'shop'),
  client_secret: { ...requiredText('Client secret.', '${var.oidc_secret}'), sensitive: true },
  scopes: withAccess('neutral', setOf('Scopes to ask for.', someText('Scope.', 'openid'))),
});

/** A route has at most one of them. */
export const signInModules = { oauth, saml, oidc };

function textList(doc: string, example: string, source: Provenance) {
  return setOf(doc, someText('One entry.', example, source), source);
}

function formedList<const F extends TextForm>(
  doc: string,
  example: string,
  { form, pattern, source }: { readonly form: F; readonly pattern: Pattern; readonly source: Provenance },
) {
  return setOf(doc, { ...someText('One entry.', example, source), form, pattern }, source);
}

function common(source: Provenance) {
  return {
    client_id: someText(
      'Client id of your own OAuth application; the service’s own one is used when omitted.',
      'Iv1.8a61f9b3a7aba766',
      source,
    ),
    client_secret: {
      ...someText('Client secret of your own OAuth application.', '${var.oauth_secret}', source),
      sensitive: true,
    },
    scopes: withAccess(
      'neutral',
      textList('Scopes to ask for; needs client_id and client_secret.', 'read:user', source),
    ),
    email_addresses: withAccess(
      'admits',
      formedList('Users who may sign in.', 'ops@example.com', { form: 'email', pattern: FORMS.email, source }),
    ),
    email_domains: withAccess(
      'admits',
      formedList('Email domains whose users may sign in.', 'example.com', {
        form: 'host',
        pattern: FORMS.host,
        source,
      }),
    ),
  } as const satisfies Fields;
}

function provider<const F extends Fields>(title: string, source: Provenance, fields: F) {
  return { type: 'object', doc: `Sign in with ${title}.`, source, fields } as const satisfies ObjectField;
}

function chosen({ oauth }: RouteSpec): { readonly path: string; readonly spec: ProviderSpec }[] {
  return PROVIDERS_WITH_RULES.flatMap((name) => {
    const spec = oauth?.provider?.[name];
    return spec === undefined ? [] : [{ path: `oauth.provider.${name}`, spec }];
  });
}

/** client_id needs client_secret (§7). */
function checkClient(route: RouteSpec): BrokenRule[] {
  return chosen(route)
    .filter(({ spec }) => spec.client_id !== undefined && spec.client_secret === undefined)
    .map(({ path }) => ({
      path: `${path}.client_id`,
      message: 'client_id is given without client_secret',
      expected: 'both client_id and client_secret, or neither',
      got: 'client_id alone',
      fix: 'add `client_secret: "${var.NAME}"`, or remove client_id to use the service’s own application',
    }));
}

/** Scopes need both (§7). */
function checkScopes(route: RouteSpec): BrokenRule[] {
  return chosen(route)
    .filter(({ spec }) => (spec.scopes?.length ?? 0) > 0)
    .filter(({ spec }) => spec.client_id === undefined || spec.client_secret === undefined)
    .map(({ path }) => ({
      path: `${path}.scopes`,
      message: 'scopes are given without your own OAuth application',
      expected: 'client_id and client_secret beside scopes',
      fix: 'add client_id and client_secret, or remove scopes',
    }));
}
