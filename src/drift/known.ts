// Findings that people decided to live with, by their fingerprints: `drift --known FILE`. Pure.

import type { Diagnostic, Result } from '../core/diagnostic.ts';
import type { Drift } from './drift.ts';
import { isDrift } from './finding.ts';

/** A fingerprint, and a comment behind it. */
const LINE = /^(?:sha256:)?([0-9a-f]{64})\s*(?:#.*)?$/;

/** The fingerprints of a file: one a line; empty lines and those that begin with `#` are left out. */
export function parseKnown(file: string, text: string): Result<ReadonlySet<string>> {
  const known = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    const bare = line.trim();
    if (bare === '' || bare.startsWith('#')) continue;
    const fingerprint = LINE.exec(bare)?.[1];
    if (fingerprint === undefined) diagnostics.push(malformed(file, index + 1, line));
    else known.add(`sha256:${fingerprint}`);
  }
  return diagnostics.length > 0 ? { diagnostics } : { value: known, diagnostics };
}

function malformed(file: string, number: number, line: string): Diagnostic {
  const column = line.length - line.trimStart().length + 1;
  return {
    code: 'bad-known',
    severity: 'error',
    message: 'this line is no fingerprint of a finding',
    range: { file, line: number, column, endLine: number, endColumn: line.trimEnd().length + 1 },
    expected: 'sha256: and 64 hexadecimal digits, and perhaps a comment that begins with #',
    fix: 'copy the fingerprint from the output of drift, or put # in front of a comment',
  };
}

/** The drift with its known findings marked: they are no drift any more. */
export function withKnown(drift: Drift, known: ReadonlySet<string>): Drift {
  if (known.size === 0) return drift;
  const findings = drift.findings.map((finding) =>
    isDrift(finding) && known.has(finding.fingerprint) ? { ...finding, known: true as const } : finding,
  );
  return { ...drift, findings, drifted: findings.some(isDrift) };
}

/** Fingerprints that no finding has; a finding whose values changed has another one. */
export function unusedKnown(known: ReadonlySet<string>, drifts: readonly Drift[]): Diagnostic[] {
  const used = new Set(drifts.flatMap(({ findings }) => findings.map(({ fingerprint }) => fingerprint)));
  return [...known]
    .filter((fingerprint) => !used.has(fingerprint))
    .map((fingerprint) => ({
      code: 'unused-known',
      severity: 'warning',
      message: `no finding has the known fingerprint ${fingerprint}`,
      fix: 'remove its line: the finding is gone, or has other values and so another fingerprint',
    }));
}
