// Event subscriptions (§2, §6): which event types go to which destinations. Limits are in characters.

import { identity, idsOf, setOf, textsInChars } from '../fields/common.ts';
import { defineKind } from '../kind.ts';
import { crud } from '../operations.ts';
import { documented, unspecified } from '../provenance.ts';

export const kind = defineKind({
  name: 'event_subscription',
  manifestKey: 'event_subscriptions',
  title: 'event subscription',
  doc: 'Sends events of the listed types to the listed destinations.',
  source: documented('§2'),
  idPrefix: 'esb_',
  operations: crud('/event_subscriptions', 'event_subscriptions'),
  loss: 'its events are no longer delivered',
  fields: {
    ...identity,
    ...textsInChars,
    sources: setOf('Event types that trigger the subscription.', {
      type: 'object',
      doc: 'One event type.',
      source: documented('§2'),
      fields: {
        type: {
          type: 'string',
          required: true,
          pattern: { regex: '^[a-z][a-z0-9_.-]*\\.v[0-9]+$', words: 'an event type: <name>.v<number>' },
          suggestions: [
            'ip_policy_created.v0',
            'ip_policy_updated.v0',
            'ip_policy_deleted.v0',
            'api_key_created.v0',
            'api_key_deleted.v0',
            'http_request_complete.v0',
            'tcp_connection_closed.v0',
          ],
          doc: 'Event type, `<name>.v<number>`. The list of types is not specified.',
          source: unspecified('§6'),
          examples: ['ip_policy_created.v0'],
        },
        uri: {
          type: 'string',
          write: 'never',
          emulate: '{uri}/sources/{type}',
          doc: 'Address of the source.',
          source: documented('§2'),
        },
      },
    }),
    destination_ids: idsOf(
      'destinations',
      { kinds: ['event_destination'], prefixes: ['ed_'] },
      {
        doc: 'Ids of the destinations that receive the events.',
        item: 'Id of an event destination.',
        example: '${event_destinations.audit.id}',
      },
    ),
  },
});
