// API keys (§2, §5): bearer tokens that are returned once, at creation.

import { identity, owner, texts } from '../fields/common.ts';
import { defineKind } from '../kind.ts';
import { crud } from '../operations.ts';
import { documented } from '../provenance.ts';

export const kind = defineKind({
  name: 'api_key',
  manifestKey: 'api_keys',
  title: 'API key',
  doc: 'A bearer token for this API. Its token is written once to a file under --token-dir and nowhere else.',
  source: documented('§2'),
  idPrefix: 'ak_',
  operations: crud('/api_keys', 'keys'),
  irreplaceable: 'the token changes: everything that uses the old one stops working',
  loss: 'its token stops working',
  authenticates: true,
  fields: {
    ...identity,
    ...texts,
    owner_id: owner,
    token: {
      type: 'string',
      write: 'never',
      read: 'once',
      sensitive: true,
      doc: 'The bearer token; only in the response to the creation, null afterwards.',
      source: documented('§5'),
    },
  },
});
