// Reserved addresses (§2): TCP addresses that the service assigns in a region.

import { identity, reportedText, texts } from '../fields/common.ts';
import { defineKind } from '../kind.ts';
import { crud } from '../operations.ts';
import { documented } from '../provenance.ts';

export const kind = defineKind({
  name: 'reserved_addr',
  manifestKey: 'reserved_addrs',
  title: 'reserved address',
  doc: 'A TCP address in one region; the service chooses host and port when it is created.',
  source: documented('§2'),
  idPrefix: 'ra_',
  operations: crud('/reserved_addrs', 'reserved_addrs'),
  irreplaceable: 'the address changes: clients that know the old host and port can no longer connect',
  loss: 'its host and port are released and cannot be restored',
  starter: {
    block: ['db:', '  region: eu', '  description: public address of the database'],
    outputs: ['db_address: "${reserved_addrs.db.addr}"'],
  },
  fields: {
    ...identity,
    ...texts,
    addr: {
      ...reportedText(
        'host:port that the service assigned.',
        '{number}.tcp.{region}.example.test:{port}',
        '1.tcp.eu.example.com:12345',
      ),
      serves: true,
      form: 'hostport',
    },
    region: {
      type: 'string',
      write: 'create',
      values: ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'],
      default: { value: 'us' },
      doc: 'Datacenter of the address. It cannot be changed later.',
      source: documented('§2'),
      examples: ['eu', 'us'],
    },
    endpoint_configuration_id: {
      type: 'string',
      write: 'update',
      response: { name: 'endpoint_configuration', shape: 'ref' },
      ref: { kinds: [], prefixes: ['ec_'] },
      doc: 'Endpoint configuration to attach. Only updates accept it, so a creation takes two requests; nothing detaches it.',
      source: documented('§4'),
      examples: ['ec_2abc'],
    },
  },
});
