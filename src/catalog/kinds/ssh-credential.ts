// SSH credentials (§2): public keys that may start tunnels at the SSH gateway, limited by ACL rules.

import { identity, owner, setOf, texts } from '../fields/common.ts';
import { defineKind, type BrokenRule } from '../kind.ts';
import { crud } from '../operations.ts';
import { documented } from '../provenance.ts';
import { privateKeyIn } from '../public-key.ts';

export const kind = defineKind({
  name: 'ssh_credential',
  manifestKey: 'ssh_credentials',
  title: 'SSH credential',
  doc: 'A public key that authenticates to the SSH gateway.',
  source: documented('§2'),
  idPrefix: 'sshcr_',
  operations: crud('/ssh_credentials', 'ssh_credentials'),
  loss: 'tunnels that use the key can no longer start',
  fields: {
    ...identity,
    ...texts,
    public_key: {
      type: 'string',
      required: true,
      write: 'create',
      unique: 'service',
      access: 'reach',
      form: 'public-key',
      lines: 'many',
      doc: 'Public key of the SSH keypair. It cannot be changed later.',
      source: documented('§4'),
      examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample ops@example.com', '${file:keys/deploy.pub}'],
    },
    acl: {
      ...setOf('What the credential may bind; everything when empty.', {
        type: 'string',
        form: 'bind-rule',
        pattern: {
          regex: '^(?:\\*|bind:\\S+)$',
          words: '"*" or "bind:TARGET"; a target is a label KEY=VALUE, or a host with or without a port',
        },
        doc: 'One rule: `bind:TARGET`, where a domain may start with `*.` and a label may use wildcards, or `*`.',
        source: documented('§2'),
        examples: ['bind:*.example.com', 'bind:app.example.com'],
      }),
      access: 'admits',
      whenEmpty: 'everyone',
    },
    owner_id: owner,
  },
  checks: [checkPublicKey],
});

/** Rejects a private key in place of the public one (§2); the message never contains its text. */
function checkPublicKey({ public_key: key = '${…}' }: { readonly public_key?: string }): BrokenRule[] {
  const isPrivate = privateKeyIn(key) !== undefined;
  if (!isPrivate && key.trim() !== '') return [];
  return [
    {
      path: 'public_key',
      message: isPrivate
        ? 'public_key holds a private key, which must never leave your machine'
        : 'public_key is empty',
      expected: 'the public half of a keypair',
      fix: 'give the content of the public file, for example "${file:keys/deploy.pub}"',
    },
  ];
}
