// Agent ingresses (§2): domains of yours that agents connect through.

import { identity, texts } from '../fields/common.ts';
import { DOMAIN } from '../fields/forms.ts';
import { defineKind } from '../kind.ts';
import { crud } from '../operations.ts';
import { documented } from '../provenance.ts';

export const kind = defineKind({
  name: 'agent_ingress',
  manifestKey: 'agent_ingresses',
  title: 'agent ingress',
  doc: 'A domain of yours that is the base of regional domains for agents.',
  source: documented('§2'),
  idPrefix: 'agin_',
  operations: crud('/agent_ingresses', 'ingresses'),
  irreplaceable: 'agents that connect through the old domain lose their connection, and its NS records change',
  loss: 'agents can no longer connect through its domain',
  fields: {
    ...identity,
    ...texts,
    domain: {
      type: 'string',
      required: true,
      write: 'create',
      unique: 'service',
      caseless: true,
      pattern: DOMAIN,
      doc: 'The domain, which you own. It cannot be changed later.',
      source: documented('§2'),
      examples: ['connect.example.com'],
    },
    ns_targets: {
      type: 'list',
      write: 'never',
      emulate: ['ns1.example.test', 'ns2.example.test'],
      order: 'kept',
      items: { type: 'string', doc: 'Name server.', source: documented('§2') },
      doc: 'Values for the NS records of the domain.',
      source: documented('§2'),
    },
    region_domains: {
      type: 'list',
      write: 'never',
      emulate: ['us.{domain}', 'eu.{domain}'],
      order: 'kept',
      items: { type: 'string', doc: 'Domain.', source: documented('§2') },
      doc: 'Regional domains under the domain; the service may add more over time.',
      source: documented('§2'),
    },
  },
});
