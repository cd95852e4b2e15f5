// What of a drift is accepted: addresses, with or without a path inside the object; fingerprints; or all of it.

import { truncateMiddle } from '../core/bounds.ts';
import type { Diagnostic, Result } from '../core/diagnostic.ts';
import { didYouMean } from '../core/text/closest.ts';
import { parsePath } from '../core/value.ts';
import { splitReference } from '../catalog/address.ts';
import { fieldAt } from '../catalog/walk.ts';
import { isDrift, type Finding } from '../drift/finding.ts';
import type { Asked } from './wanted.ts';

interface Selecting {
  /** As the command line has it. */
  readonly words: readonly string[];
  readonly findings: readonly Finding[];
  /** Of the manifest. */
  readonly addresses: readonly string[];
}

type IsMeant = (finding: Finding, path: string | null) => boolean;

/** The fingerprint in a word, with its prefix. */
function fingerprintIn(word: string): string | undefined {
  const digits = word.replace(/^sha256:/, '');
  return digits.length === 64 && /^[0-9a-f]+$/.test(digits) ? `sha256:${digits}` : undefined;
}

/** The words as one question about each change; or a problem for each word that names nothing. */
export function selectionOf({ words, findings, addresses }: Selecting): Result<Asked['choiceOf']> {
  const diagnostics: Diagnostic[] = [];
  const tests = words.map((word) => {
    const test = testOf(word);
    const isThere = findings.some((finding) => pathsOf(finding).some((path) => test(finding, path)));
    if (!isThere && word !== 'all' && !isQuiet(word, addresses)) diagnostics.push(unknown(word, findings, addresses));
    return { test, choice: word === 'all' ? ('all' as const) : ('named' as const) };
  });
  if (diagnostics.length > 0) return { diagnostics };
  const choiceOf: Asked['choiceOf'] = (finding, path) => {
    const choices = tests.filter(({ test }) => test(finding, path)).map(({ choice }) => choice);
    return choices.includes('named') ? 'named' : choices[0];
  };
  return { value: choiceOf, diagnostics };
}

function testOf(word: string): IsMeant {
  if (word === 'all') return isDrift;
  const fingerprint = fingerprintIn(word);
  if (fingerprint !== undefined) return (finding) => finding.fingerprint === fingerprint;
  return ({ address }, path) => {
    if (address === null) return false;
    const whole = path === null ? address : `${address}.${path}`;
    return word === address || word === whole || (whole.startsWith(`${word}.`) && word.startsWith(`${address}.`));
  };
}

function pathsOf({ type, changes }: Finding): readonly (string | null)[] {
  return type === 'changed' && changes.length > 0 ? changes.map(({ path }) => path) : [null];
}

/** True for a block, or a field of a block, that has not drifted. */
function isQuiet(word: string, addresses: readonly string[]): boolean {
  const found = splitReference(word);
  if (found === undefined || !addresses.includes(found.address)) return false;
  return found.attr === '' || fieldAt(found.parsed.kind.fields, parsePath(found.attr)) !== undefined;
}

function unknown(word: string, findings: readonly Finding[], addresses: readonly string[]): Diagnostic {
  const shown = JSON.stringify(truncateMiddle(word, 300));
  const isFingerprint = fingerprintIn(word) !== undefined;
  const message = isFingerprint
    ? `--accept: no finding has the fingerprint ${shown}`
    : `--accept ${shown} is neither drift nor in the manifest`;
  const drifted = findings.flatMap((finding) => namesOf(finding));
  const fix = isFingerprint
    ? 'copy it from the output of drift: a fingerprint changes with the values of its finding'
    : (didYouMean(word, [...drifted, ...addresses]) ?? 'copy the address from the output of drift');
  return { code: 'bad-usage', severity: 'error', message, fix };
}

function namesOf(finding: Finding): string[] {
  const { address } = finding;
  if (address === null) return [];
  return [address, ...pathsOf(finding).flatMap((path) => (path === null ? [] : [`${address}.${path}`]))];
}
