// Failover backends (§2): ordered lists of child backends.

import { identity, texts } from '../fields/common.ts';
import { defineKind } from '../kind.ts';
import { backendTarget } from '../fields/modules.ts';
import { crud } from '../operations.ts';
import { documented } from '../provenance.ts';

export const kind = defineKind({
  name: 'failover_backend',
  manifestKey: 'failover_backends',
  title: 'failover backend',
  doc: 'Tries its child backends in order.',
  source: documented('§2'),
  idPrefix: 'bkdfo_',
  operations: crud('/backends/failover', 'backends'),
  starter: { block: ['app: { backends: [bkdhr_2abc, bkdhr_2def] }   # the ids of your backends'] },
  loss: 'objects that refer to it no longer have a backend',
  fields: {
    ...identity,
    ...texts,
    backends: {
      type: 'list',
      order: 'kept',
      alwaysSend: true,
      default: { value: [] },
      items: {
        type: 'string',
        ref: backendTarget,
        doc: 'Id of a backend.',
        source: documented('§2'),
        examples: ['bkdhr_2abc', '${failover_backends.other.id}'],
      },
      doc: 'Ids of the child backends, in the order they are tried.',
      source: documented('§2'),
    },
  },
});
