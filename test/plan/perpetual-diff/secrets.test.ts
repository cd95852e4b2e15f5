// Secrets that the service masks, and secrets that it answers as they are.

import { describe } from 'vitest';
import type { Json, JsonObject } from '../../../src/core/json.ts';
import type { Body } from '../../support/answers.ts';
import { trap } from '../../support/usual-answers.ts';

describe('secrets that the service masks', () => {
  const creds = (key: Json | undefined) => ({
    target: {
      firehose: null,
      kinesis: {
        auth: {
          role: null,
          creds: { aws_access_key_id: 'AKIA1', ...(key !== undefined && { aws_secret_access_key: key }) },
        },
        stream_arn: 'arn:stream',
      },
      cloudwatch_logs: null,
      s3: null,
      datadog: null,
    },
  });
  const given = (key: string, id = 'AKIA1') => ({
    target: {
      kinesis: { auth: { creds: { aws_access_key_id: id, aws_secret_access_key: key } }, stream_arn: 'arn:stream' },
    },
  });
  const path = 'target.kinesis.auth.creds.aws_secret_access_key';
  const masks = { null: null, empty: '', missing: undefined, stars: '****', 'one star': '*' };

  for (const [name, mask] of Object.entries(masks)) {
    trap(`a secret access key that comes back as ${name}`, {
      of: 'event_destinations',
      spec: given('first'),
      shapes: { masked: creds(mask) },
      but: {
        'the manifest has another': { wanted: given('second'), seen: [`update ${path}: config`] },
        'somebody changed the key id': {
          shape: JSON.parse(JSON.stringify(creds(mask)).replace('AKIA1', 'AKIA2')) as Body,
          seen: ['update target.kinesis.auth.creds.aws_access_key_id: drift'],
        },
        'the manifest has another key id': {
          wanted: given('first', 'AKIA2'),
          seen: ['update target.kinesis.auth.creds.aws_access_key_id: config'],
        },
      },
    });

    trap(`an API key of Datadog that comes back as ${name}`, {
      of: 'event_destinations',
      spec: { target: { datadog: { api_key: 'first', ddsite: 'eu' } } },
      shapes: {
        masked: {
          target: {
            kinesis: null,
            datadog: { ...(mask !== undefined && { api_key: mask }), ddsite: 'eu', ddtags: '', service: '' },
          },
        },
      },
      but: {
        'the manifest has another': {
          wanted: { target: { datadog: { api_key: 'second', ddsite: 'eu' } } },
          seen: ['update target.datadog.api_key: config'],
        },
        'the manifest has none any more': {
          wanted: { target: { datadog: { ddsite: 'eu' } } },
          seen: ['update target.datadog.api_key: config'],
        },
      },
    });
  }

  trap('the token of an API key', {
    of: 'api_keys',
    spec: { description: 'deploy' },
    shapes: {
      null: { description: 'deploy', token: null },
      absent: { description: 'deploy', token: undefined },
      empty: { description: 'deploy', token: '' },
    },
    but: { 'another description': { shape: { description: 'x', token: null }, seen: ['update description: drift'] } },
  });
});

describe('secrets that come back as they are', () => {
  trap('a webhook without a secret', {
    of: 'routes',
    spec: { webhook_verification: { provider: 'sns' } },
    shapes: {
      empty: { webhook_verification: { enabled: true, provider: 'sns', secret: '' } },
      null: { webhook_verification: { enabled: true, provider: 'sns', secret: null } },
      absent: { webhook_verification: { enabled: true, provider: 'sns' } },
    },
    but: {
      'somebody set one': {
        shape: { webhook_verification: { enabled: true, provider: 'sns', secret: 'first' } },
        seen: ['update webhook_verification.secret: drift'],
      },
    },
  });

  const NONE = {
    facebook: null,
    microsoft: null,
    google: null,
    linkedin: null,
    gitlab: null,
    twitch: null,
    amazon: null,
  };
  const oauth = (github: JsonObject, more: JsonObject = {}) => ({
    oauth: {
      enabled: true,
      options_passthrough: false,
      cookie_prefix: 'edge.',
      inactivity_timeout: 0,
      maximum_duration: 0,
      auth_check_interval: 0,
      provider: { ...NONE, github },
      ...more,
    },
  });
  trap('an OAuth provider among seven that are null, with what the service fills in', {
    of: 'routes',
    spec: { oauth: { provider: { github: { organizations: ['acme'] } } } },
    shapes: {
      'lists empty, texts empty': oauth({
        client_id: '',
        client_secret: '',
        scopes: [],
        email_addresses: [],
        email_domains: [],
        teams: [],
        organizations: ['acme'],
      }),
      'lists null, texts null': oauth({
        client_id: null,
        client_secret: null,
        scopes: null,
        email_addresses: null,
        email_domains: null,
        teams: null,
        organizations: ['acme'],
      }),
      'only what was given': { oauth: { provider: { github: { organizations: ['acme'] } } } },
      'another cookie prefix': oauth({ organizations: ['acme'] }, { cookie_prefix: 'other.', maximum_duration: 3600 }),
    },
    but: {
      'another organization': {
        shape: oauth({ organizations: ['other'] }),
        seen: ['update oauth.provider.github.organizations: drift'],
      },
      'another provider': {
        shape: {
          oauth: { enabled: true, provider: { ...NONE, github: null, gitlab: { email_domains: ['x.example'] } } },
        },
        seen: ['update oauth.provider.github: drift', 'update oauth.provider.gitlab: drift'],
      },
      'the manifest asks for a cookie prefix': {
        wanted: { oauth: { cookie_prefix: 'shop.', provider: { github: { organizations: ['acme'] } } } },
        seen: ['update oauth.cookie_prefix: config'],
      },
      'somebody lets OPTIONS pass': {
        shape: oauth({ organizations: ['acme'] }, { options_passthrough: true }),
        seen: ['update oauth.options_passthrough: drift'],
      },
    },
  });

  const OIDC = { issuer: 'https://accounts.example.com', client_id: 'shop', client_secret: 'first' };
  const oidc = (more: JsonObject) => ({
    oidc: {
      enabled: true,
      options_passthrough: false,
      cookie_prefix: '',
      inactivity_timeout: 0,
      maximum_duration: 0,
      ...OIDC,
      scopes: [],
      ...more,
    },
  });
  trap('an OIDC client secret, and a cookie prefix that is empty', {
    of: 'routes',
    spec: { oidc: OIDC },
    shapes: {
      'as it is': oidc({}),
      'scopes null': oidc({ scopes: null }),
      'prefix null': oidc({ cookie_prefix: null }),
    },
    but: {
      'changed in the manifest': {
        wanted: { oidc: { ...OIDC, client_secret: 'second' } },
        seen: ['update oidc.client_secret: config'],
      },
      'changed outside': { shape: oidc({ client_secret: 'second' }), seen: ['update oidc.client_secret: drift'] },
      'scopes outside': { shape: oidc({ scopes: ['openid'] }), seen: ['update oidc.scopes: drift'] },
    },
  });

  const saml = (more: JsonObject) => ({
    saml: {
      enabled: true,
      options_passthrough: false,
      cookie_prefix: '',
      inactivity_timeout: 0,
      maximum_duration: 0,
      idp_metadata_url: '',
      idp_metadata: '<EntityDescriptor/>\n',
      force_authn: false,
      allow_idp_initiated: true,
      authorized_groups: [],
      entity_id: 'https://idp.example.test/saml/edghtsrt_1',
      assertion_consumer_service_url: 'https://idp.example.test/saml/edghtsrt_1/acs',
      single_logout_url: 'https://idp.example.test/saml/edghtsrt_1/slo',
      request_signing_certificate_pem: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
      metadata_url: 'https://idp.example.test/saml/edghtsrt_1',
      nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      ...more,
    },
  });
  trap('SAML with addresses, switches and a format of the service', {
    of: 'routes',
    spec: { saml: { idp_metadata: '<EntityDescriptor/>\n' } },
    shapes: {
      'as recorded': saml({}),
      'groups null': saml({ authorized_groups: null }),
      'no start by the provider': saml({ allow_idp_initiated: false }),
      'other addresses': saml({
        entity_id: 'https://other.example.test/',
        metadata_url: 'https://other.example.test/',
      }),
    },
    but: {
      'other metadata of the provider': {
        shape: saml({ idp_metadata: '<EntityDescriptor />' }),
        seen: ['update saml.idp_metadata: drift'],
      },
      'a switch that the manifest gives': {
        wanted: { saml: { idp_metadata: '<EntityDescriptor/>\n', allow_idp_initiated: false } },
        seen: ['update saml.allow_idp_initiated: config'],
      },
      'groups outside': { shape: saml({ authorized_groups: ['ops'] }), seen: ['update saml.authorized_groups: drift'] },
    },
  });
});
