// What the specification does not forbid is accepted, and a null that it asks for.

import { expect, test } from 'vitest';
import { HEAD, loadTexts } from '../support/loading.ts';

const load = (text: string) => loadTexts(HEAD + text);
const edge = (fields: string) => `tls_edges: { a: { ${fields} } }`;
const sources = (type: string) => `event_subscriptions: { a: { sources: [{ type: "${type}" }] } }`;

test.each([
  ['no version where TLS passes through (§7)', edge('tls_termination: { terminate_at: upstream, min_version: null }')],
  ['no version, which the service then chooses', edge('tls_termination: { terminate_at: edge, min_version: ~ }')],
  ['an IPv6 address', edge('hostports: ["[::1]:443", "[2001:db8::10.0.0.1]:8443"]')],
  ['an event type with dots', sources('a.b.v1')],
  ['an event type with hyphens', sources('tcp-connection_closed.v12')],
])('%s', (_, text) => {
  expect(load(text).diagnostics).toEqual([]);
});

test('null is the same as leaving the field out', () => {
  const { value } = load(edge('tls_termination: { terminate_at: upstream, min_version: null }'));
  expect(value?.resources[0]?.spec).toEqual({ tls_termination: { terminate_at: 'upstream' } });
});

test.each([
  ['an address without its brackets', edge('hostports: ["::1:443"]')],
  ['an address in brackets without a port', edge('hostports: ["[::1]"]')],
  ['an event type without a version', sources('a.b')],
  ['an event type that begins with a dot', sources('.b.v1')],
  ['an event type with a space', sources('a b.v1')],
  ['a number for the version', edge('tls_termination: { min_version: 1 }')],
])('%s is refused', (_, text) => {
  expect(load(text).diagnostics.map(({ code }) => code)).toHaveLength(1);
});
