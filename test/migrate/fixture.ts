// A state as Terraform shows it, and the objects of the service that it speaks of.

import { readFileSync } from 'node:fs';

export const STATE = readFileSync(new URL('../fixtures/terraform/state.json', import.meta.url), 'utf8');

/** Clear texts of the state that must never be written anywhere. */
export const SECRETS = [
  '2ci_token-of-the-pipeline',
  'clear-text-in-the-state',
  'another-clear-text',
  'a-foreign-clear-text',
  'deployment of the office',
];

export const VARIABLES = {
  EDGEFORM_VAR_audit_aws_secret_access_key: 'clear-text-in-the-state',
  EDGEFORM_VAR_net_eu_agents_deploy_description: 'deployment of the office',
};

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample ops@example.com';
const creds = { aws_access_key_id: 'AKIAIOSFODNN7EXAMPLE', aws_secret_access_key: 'clear-text-in-the-state' };
const stream_arn = 'arn:aws:kinesis:eu-west-1:123456789012:stream/audit';

/** The objects, as `--seed` takes them. */
export const SEED = {
  keys: [{ id: 'ak_2ci', description: 'pipeline' }],
  reserved_addrs: [
    { id: 'ra_2db0', addr: '1.tcp.eu.example.com:10001', description: 'database', region: 'eu' },
    { id: 'ra_2db1', addr: '2.tcp.eu.example.com:10002', description: 'database', region: 'eu' },
  ],
  event_destinations: [
    {
      id: 'ed_2audit',
      format: 'json',
      metadata: '{"team":"ops"}',
      target: { kinesis: { auth: { creds }, stream_arn } },
    },
  ],
  event_subscriptions: [
    {
      id: 'esb_2audit',
      description: 'changes',
      sources: [{ type: 'ip_policy_created.v0' }],
      destination_ids: ['ed_2audit'],
    },
  ],
  backends: [
    { id: 'bkdfo_2app', backends: ['bkdhr_2abc', 'bkdhr_2def'] },
    { id: 'bkdfo_2all', backends: ['bkdfo_2app'] },
  ],
  ingresses: [{ id: 'agin_2this', domain: 'agents.example.com' }],
  ssh_credentials: [
    {
      id: 'sshcr_2deploy',
      acl: ['bind:*.example.com'],
      description: 'deployment of the office',
      owner_id: 'usr_2me',
      public_key: KEY,
    },
  ],
};
