// Agent ingresses (§2): your domains that agents connect through.

import { identity, requiredText, texts } from '../fields/common.ts';
import { FORMS } from '../fields/forms.ts';
import { defineKind } from '../kind.ts';
import { crud } from '../operations.ts';
import { documented } from '../provenance.ts';

function assigned(doc: string, item: string, emulate: readonly string[]) {
  const source = documented('§2');
  const items = { type: 'string', doc: item, source } as const;
  return { type: 'list', write: 'never', emulate, order: 'kept', items, doc, source } as const;
}

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
      ...requiredText('The domain, which you own. It cannot be changed later.', 'connect.example.com'),
      write: 'create',
      unique: 'service',
      form: 'host',
      pattern: FORMS.host,
    },
    ns_targets: assigned('Values for the NS records of the domain.', 'Name server.', [
      'ns1.example.test',
      'ns2.example.test',
    ]),
    region_domains: assigned('Regional domains under the domain; the service may add more over time.', 'Domain.', [
      'us.{domain}',
      'eu.{domain}',
    ]),
  },
});
