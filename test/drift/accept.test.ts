// Which findings count beside those that entries of the ignore file accept, by fingerprint or by place.

import { expect, test } from 'vitest';
import { acceptFindings, type IgnoreRule } from '../../src/drift/accept.ts';
import type { DriftResult } from '../../src/drift/drift.ts';
import { drifted } from '../render/drift-sample.ts';
import { planOf } from '../render/sample.ts';

const result: DriftResult = { drift: drifted.drift, plan: planOf({}) };
const ALL = drifted.drift.findings.map(({ fingerprint }) => fingerprint);

const rule = (more: Partial<IgnoreRule>): IgnoreRule => ({ reason: 'known', expires: '2031-01-01', ...more });
const without = (fingerprint: string) => ALL.filter((one) => one !== fingerprint);

test.each<{ name: string; rules: IgnoreRule[]; kept: string[]; ignored: string[]; codes?: string[] }>([
  { name: 'no entry', rules: [], kept: ALL, ignored: [] },
  {
    name: 'a fingerprint',
    rules: [rule({ fingerprint: 'sha256:02' })],
    kept: without('sha256:02'),
    ignored: ['sha256:02'],
  },
  {
    name: 'the id of an unmanaged object',
    rules: [rule({ address: 'ak_7' })],
    kept: without('sha256:04'),
    ignored: ['sha256:04'],
  },
  { name: 'one of two fields', rules: [rule({ address: 'tls_edges.db', path: 'mutual_tls' })], kept: ALL, ignored: [] },
  {
    name: 'every field, each by an entry of its own',
    rules: ['mutual_tls', 'description'].map((path) => rule({ address: 'tls_edges.db', path })),
    kept: without('sha256:01'),
    ignored: ['sha256:01'],
  },
  {
    name: 'nothing that was found',
    rules: [rule({ address: 'tls_edges.none' })],
    kept: ALL,
    ignored: [],
    codes: ['ignore-unused'],
  },
])('$name', ({ rules, kept, ignored, codes = [] }) => {
  const found = acceptFindings(result, rules);
  expect(found.drift.findings.map(({ fingerprint }) => fingerprint)).toEqual(kept);
  expect(found.ignored.map(({ finding }) => finding.fingerprint)).toEqual(ignored);
  expect(found.diagnostics.map(({ code }) => code)).toEqual(codes);
});

test('the reasons of several entries are told together, and the first day on which one expires', () => {
  const rules = [rule({ fingerprint: 'sha256:02' }), rule({ address: 'failover_backends.app', reason: 'other' })];
  const [{ ignore } = {}] = acceptFindings(result, [
    ...rules,
    rule({ address: 'ak_7', expires: '2030-01-01' }),
  ]).ignored;
  expect(ignore).toEqual({ reason: 'known; other', expires: '2031-01-01' });
});

test('nothing drifted once all is accepted', () => {
  const rules = ALL.map((fingerprint) => rule({ fingerprint }));
  expect(acceptFindings(result, rules).drift).toMatchObject({ findings: [], drifted: false });
});

test('warnings of the plan are told that change what findings mean', () => {
  const warnings = (['broken-marker', 'api-refused'] as const).map((code) => {
    return { code, severity: 'warning', message: code, address: null } as const;
  });
  const { diagnostics } = acceptFindings({ ...result, plan: planOf({ diagnostics: warnings }) }, []);
  expect(diagnostics).toEqual([{ code: 'broken-marker', severity: 'warning', message: 'broken-marker' }]);
});
