// The eight OAuth identity providers (§2), and the documented rules of four of them.

import type { Fields, ObjectField } from '../field.ts';
import type { BrokenRule } from '../kind.ts';
import { setOf, someText } from './common.ts';
import { documented, unspecified, type Provenance } from '../provenance.ts';

function textList(doc: string, example: string, source: Provenance) {
  return setOf(doc, someText('One entry.', example, source), source);
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
    scopes: textList('Scopes to ask for; needs client_id and client_secret.', 'read:user', source),
    email_addresses: textList('Users who may sign in.', 'ops@example.com', source),
    email_domains: textList('Email domains whose users may sign in.', 'example.com', source),
  } as const satisfies Fields;
}

function provider<const F extends Fields>(title: string, source: Provenance, fields: F) {
  return { type: 'object', doc: `Sign in with ${title}.`, source, fields } as const satisfies ObjectField;
}

const documentedClient = common(documented('§2'));
const unspecifiedClient = common(unspecified('§2'));

/** Exactly one of them is chosen. */
export const oauthProviders = {
  github: provider('GitHub', documented('§2'), {
    ...documentedClient,
    teams: textList('Teams whose members may sign in, as organization/team.', 'acme/ops', documented('§2')),
    organizations: textList('Organizations whose members may sign in.', 'acme', documented('§2')),
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

export const providerRules = [checkClient, checkScopes];
