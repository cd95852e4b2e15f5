// Application sessions (§2): browser sessions that can be read and ended, never declared.

import { identity } from '../fields/common.ts';
import type { Fields } from '../field.ts';
import { defineKind } from '../kind.ts';
import { crud } from '../operations.ts';
import { documented } from '../provenance.ts';

function text(doc: string) {
  return { type: 'string', write: 'never', doc, source: documented('§2') } as const;
}

function number(doc: string) {
  return { type: 'number', write: 'never', doc, source: documented('§2') } as const;
}

function object<const F extends Fields>(doc: string, fields: F) {
  return { type: 'object', write: 'never', doc, source: documented('§2'), fields } as const;
}

const ref = { id: text('Id.'), uri: text('Address.') };

const { list, get, delete: end } = crud('/app/sessions', 'application_sessions');

export const kind = defineKind({
  name: 'application_session',
  manifestKey: 'application_sessions',
  title: 'application session',
  doc: 'A browser session authenticated at an endpoint.',
  source: documented('§2'),
  idPrefix: 'as_',
  isPrefixAssumed: true,
  unmanaged: true,
  columns: [
    { title: 'user', path: 'application_user.id' },
    { title: 'ip', path: 'browser_session.ip_address' },
    { title: 'last active', path: 'last_active' },
    { title: 'expires', path: 'expires_at' },
    { title: 'url', path: 'public_url' },
  ],
  operations: { list, get, delete: end },
  fields: {
    ...identity,
    public_url: text('URL of the hostport served by the endpoint.'),
    browser_session: object('The browser.', {
      user_agent: object('The browser’s description of itself.', {
        raw: text('Raw User-Agent header.'),
        browser_name: text('Browser name.'),
        browser_version: text('Browser version.'),
        device_type: text('Device type.'),
        os_name: text('Operating system.'),
        os_version: text('Its version.'),
      }),
      ip_address: text('IP address.'),
      location: object('Where the address is.', {
        country_code: text('ISO country code.'),
        latitude: number('Latitude.'),
        longitude: number('Longitude.'),
        lat_long_radius_km: number('Accuracy in kilometres.'),
      }),
    }),
    application_user: object('The signed-in user.', ref),
    last_active: text('Last activity.'),
    expires_at: text('Expiry.'),
    endpoint: object('The endpoint.', ref),
    edge: object('The edge; null when an agent started the endpoint.', ref),
    route: object('The route; null when an agent started the endpoint.', ref),
  },
});
