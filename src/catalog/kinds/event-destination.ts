// Event destinations (§2, §6): where events are delivered, once a subscription names them.

import { identity, texts } from '../fields/common.ts';
import { defineKind } from '../kind.ts';
import { crud } from '../operations.ts';
import { documented } from '../provenance.ts';
import { eventTarget } from '../fields/event-targets.ts';

export const kind = defineKind({
  name: 'event_destination',
  manifestKey: 'event_destinations',
  title: 'event destination',
  doc: 'Where events are delivered. Nothing is sent until a subscription names it.',
  source: documented('§2'),
  idPrefix: 'ed_',
  operations: crud('/event_destinations', 'event_destinations'),
  loss: 'events are no longer delivered to it',
  fields: {
    ...identity,
    ...texts,
    format: {
      type: 'string',
      form: 'caseless',
      values: ['json', 'JSON'],
      default: { value: 'json' },
      doc: 'Serialization of events; only JSON.',
      source: documented('§2'),
      examples: ['json'],
    },
    target: eventTarget,
  },
});
