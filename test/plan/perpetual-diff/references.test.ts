// References to other objects in every shape that an answer may give them.

import { describe } from 'vitest';
import { API, ref, trap } from '../../support/usual-answers.ts';

describe('references', () => {
  const policy = (id: string) => ref('ip_policies', id);
  trap('IP policies as one Ref or as a list', {
    of: 'tls_edges',
    spec: { ip_restriction: { ip_policy_ids: ['ipp_1'] } },
    shapes: {
      'one Ref': { ip_restriction: { enabled: true, ip_policies: policy('ipp_1') } },
      'a list': { ip_restriction: { enabled: true, ip_policies: [policy('ipp_1')] } },
      'Refs without an address': { ip_restriction: { enabled: true, ip_policies: [{ id: 'ipp_1', uri: '' }] } },
    },
    but: {
      'another policy, as one Ref': {
        shape: { ip_restriction: { enabled: true, ip_policies: policy('ipp_2') } },
        seen: ['update ip_restriction.ip_policy_ids: drift'],
      },
      'a policy more': {
        shape: { ip_restriction: { enabled: true, ip_policies: [policy('ipp_1'), policy('ipp_2')] } },
        seen: ['update ip_restriction.ip_policy_ids: drift'],
      },
      'the last policy is gone: null': {
        shape: { ip_restriction: { enabled: true, ip_policies: null } },
        seen: ['update ip_restriction.ip_policy_ids: drift'],
      },
    },
  });

  trap('several certificate authorities', {
    of: 'https_edges',
    spec: { mutual_tls: { certificate_authority_ids: ['ca_2', 'ca_1'] } },
    shapes: {
      'another order': {
        mutual_tls: {
          enabled: true,
          certificate_authorities: [ref('certificate_authorities', 'ca_1'), ref('certificate_authorities', 'ca_2')],
        },
      },
    },
    but: {
      'one left': {
        shape: { mutual_tls: { enabled: true, certificate_authorities: ref('certificate_authorities', 'ca_1') } },
        seen: ['update mutual_tls.certificate_authority_ids: drift'],
      },
    },
  });

  trap('no IP policies and no certificate authorities', {
    of: 'tls_edges',
    spec: { ip_restriction: { ip_policy_ids: [] }, mutual_tls: {} },
    shapes: {
      null: {
        ip_restriction: { enabled: true, ip_policies: null },
        mutual_tls: { enabled: true, certificate_authorities: null },
      },
      empty: {
        ip_restriction: { enabled: true, ip_policies: [] },
        mutual_tls: { enabled: true, certificate_authorities: [] },
      },
      absent: { ip_restriction: { enabled: true }, mutual_tls: { enabled: true } },
    },
    but: {
      'somebody added an authority': {
        shape: {
          ip_restriction: { enabled: true, ip_policies: [] },
          mutual_tls: { enabled: true, certificate_authorities: [ref('certificate_authorities', 'ca_1')] },
        },
        seen: ['update mutual_tls.certificate_authority_ids: drift'],
      },
    },
  });

  trap('a backend whose address is of another kind', {
    of: 'tls_edges',
    spec: { backend: { backend_id: 'bkdhr_1' } },
    shapes: {
      'a Ref': { backend: { enabled: true, backend: { id: 'bkdhr_1', uri: `${API}/backends/http_response/bkdhr_1` } } },
      'a Ref with more in it': { backend: { enabled: true, backend: { id: 'bkdhr_1', uri: null, kind: 'http' } } },
    },
    but: {
      'another backend': {
        shape: { backend: { enabled: true, backend: ref('backends/weighted', 'bkdwd_1') } },
        seen: ['update backend.backend_id: drift'],
      },
      'no backend any more': {
        shape: { backend: { enabled: true, backend: null } },
        seen: ['update backend.backend_id: drift'],
      },
    },
  });

  trap('an endpoint configuration', {
    of: 'reserved_addrs',
    spec: { endpoint_configuration_id: 'ec_1' },
    shapes: { 'a Ref': { endpoint_configuration: ref('endpoint_configurations', 'ec_1') } },
    but: {
      detached: { shape: { endpoint_configuration: null }, seen: ['update endpoint_configuration_id: drift'] },
      'another one': {
        shape: { endpoint_configuration: ref('endpoint_configurations', 'ec_2') },
        seen: ['update endpoint_configuration_id: drift'],
      },
    },
  });
});
