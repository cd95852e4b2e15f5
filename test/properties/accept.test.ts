// A property over random worlds: whatever others change, once the manifest accepts it, a plan changes nothing but markers and what
// was left out by name; and only lines of accepted values are touched, whatever comments are around them.

import { expect, test } from 'vitest';
import { acceptDrift, type Acceptance } from '../../src/accept/accept.ts';
import { canonicalJson, type Path } from '../../src/core/json.ts';
import { knownSecrets } from '../../src/core/secrets/known.ts';
import { findMatchedDrift, type Drift } from '../../src/drift/drift.ts';
import { isDrift, type Finding } from '../../src/drift/finding.ts';
import { manifestText } from '../../src/export/manifest-text.ts';
import { loadManifest, type LoadInput, type ManifestResult } from '../../src/manifest/load.ts';
import { parseDocuments } from '../../src/manifest/text/parse.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { createDirect, planOn, snapshotOf } from '../support/in-process.ts';
import { actOutside, ownedBy } from '../support/concurrent-edits.ts';
import { must, settle } from '../support/apply-until-done.ts';
import { checkWorlds } from '../support/tally.ts';
import { STACK, worlds, type World } from '../support/worlds.ts';
import { journal as journalOf } from '../plan/sample.ts';

/** Ends what hangs, also on a machine that is busy with something else. */
const TIMEOUT = 1_800_000;

const load = (files: LoadInput['files']): ManifestResult =>
  loadManifest({ files, variables: new Map(), env: {}, readFile: () => ({ diagnostics: [] }) });

const counts = { accepted: 0, removed: 0, left: 0, comments: 0 };

test('accepted drift is no drift any more, and nothing else is touched', { timeout: TIMEOUT }, () =>
  checkWorlds('accept', worlds({ outside: true }), async (world, trail) => {
    // A text that is secret in one world may be plain in another.
    knownSecrets.clear();
    const { name, text } = written(world);
    const files = [{ name, text }];
    const { value: manifest, plain } = load(files);
    if (manifest === undefined) return 'invalid';
    const direct = createDirect(world);
    const refusal = await settle(direct, manifest, trail, false);
    if (refusal !== undefined) return trail.refuse(refusal);
    const ids = new Map(ownedBy(direct, STACK).map(({ address, stored }) => [stored.id, address]));
    const done = actOutside(direct, STACK, world.outside, [
      'change',
      'removeModule',
      'delete',
      'child',
      'note',
      'change',
    ]);
    trail.note(() => `${text}\n${done.join('\n')}`);
    const { capabilities } = direct;
    const allowLoss = manifest.resources.map(({ address }) => address);
    const options = { destroy: false, allowDeletes: 'all', allowLoss, targets: [], capabilities } as const;
    const journal = journalOf({ ids });
    const found = findMatchedDrift({
      manifest,
      snapshot: await snapshotOf(direct),
      service: 'http://service.test',
      options: { ...options, journal },
    });
    const acceptance = acceptDrift({
      found,
      manifest,
      ...plain,
      choiceOf: (finding) => (isDrift(finding) ? 'named' : undefined),
      files: [{ name, text }],
      overlays: [],
      reload: ({ files }) => load(files),
    });
    trail.note(
      () =>
        `accepted: ${namesOf(acceptance).join(' ')}, left: ${acceptance.left.map(({ message }) => message).join()}\n${JSON.stringify(found.drift.findings)}\n${JSON.stringify(found.pairs.map(({ live }) => live?.spec))}`,
    );
    const after = acceptance.files[0]?.after ?? text;
    trail.note(() => after);
    const again = load([{ name, text: after }]).value;
    if (again === undefined) throw new Error('the accepted manifest is not valid');
    const { plan } = await planOn(direct, again);
    mustBeDone(plan, acceptance, found.drift);
    count(acceptance);
    mustTouchOnly({ name, text }, after, acceptance);
    mustKeepComments(text, after);
    return 'run';
  }),
);

test('values, blocks, comments and what is left out: all of it happened', () => {
  const { accepted, removed, left, comments } = counts;
  expect(Math.min(accepted, removed, left, comments)).toBeGreaterThan(0);
});

function count({ accepted, left }: Acceptance): void {
  counts.left += left.length;
  for (const { edit } of accepted) {
    counts.accepted += 1;
    if (edit.finding.type === 'missing') counts.removed += 1;
  }
}

function namesOf({ accepted }: Acceptance): string[] {
  return accepted.map(({ edit }) => edit.path.join('.'));
}

/** Steps only for what was left out. */
function mustBeDone({ steps, blocked, diagnostics }: Plan, { left }: Acceptance, { findings }: Drift): void {
  const isLeftOut = ({ fingerprint }: Finding) => left.some((one) => one.fingerprint === fingerprint);
  // What is created again has another id.
  const follows = new Set(
    findings.filter(isLeftOut).flatMap(({ consequences = [] }) => consequences.map(({ address }) => address)),
  );
  const isLeft = (address: string, path?: string) =>
    left.some(
      (one) =>
        (one.address === address && (path === undefined || one.path === null || one.path === path)) ||
        (one.path === null && address.startsWith(`${one.address ?? ' '}.`)),
    );
  const error = diagnostics.find(({ severity }) => severity === 'error');
  must(error === undefined || left.length > 0, () => `the plan has an error: ${error?.message ?? ''}`);
  for (const { action, address, changes } of steps) {
    const isMarker = action === 'update' || action === 'adopt';
    must(isMarker || isLeft(address), () => `${action} ${address} is left to do`);
    for (const { path } of changes)
      must(isLeft(address, path) || follows.has(address), () => `${path} of ${address} is still to change`);
  }
  for (const { address, path } of blocked) must(isLeft(address), () => `${path} of ${address} is still blocked`);
}

/** All other lines than those of values that were accepted, or that begin a block around them, are there as before, in their order. */
function mustTouchOnly({ name, text: before }: WrittenWorld, after: string, { accepted }: Acceptance): void {
  const [file] = parseDocuments(name, before);
  const allowed = new Set<number>();
  const allow = (path: Path, isWhole: boolean) => {
    const key = file.keyRange(path);
    const value = file.valueRange(path);
    if (key === undefined && value === undefined) return;
    const from = (key ?? value)?.line ?? 0;
    const to = isWhole ? (value?.endLine ?? from) : from;
    for (let line = from; line <= to; line++) allowed.add(line);
    // Braces without anything between them stand on one line.
    if (name.endsWith('.json')) allowed.add(value?.endLine ?? from);
  };
  for (const { edit } of accepted) {
    allow(edit.path, true);
    for (let length = edit.path.length - 1; length > 0; length--) allow(edit.path.slice(0, length), false);
  }
  // In braces, what comes and goes at the end gives and takes a comma.
  const bare = (line: string) => line.replace(/,?\r?$/, '');
  const isBrace = (line: string) => /^\s*[}\]]?$/.test(line);
  const left = after.split('\n').map(bare);
  let at = 0;
  for (const [index, line] of before.split('\n').map(bare).entries()) {
    if (allowed.has(index + 1) || isBrace(line)) continue;
    const found = left.indexOf(line, at);
    must(found >= 0, () => `line ${index + 1} is touched: ${line}`);
    at = found + 1;
  }
}

/** A comment on a line of its own stays, whatever goes around it. */
function mustKeepComments(before: string, after: string): void {
  const commentsOf = (text: string) => text.split(/\r?\n/).filter((line) => /^ *# above \d+$/.test(line));
  const kept = new Set(commentsOf(after));
  for (const comment of commentsOf(before)) {
    counts.comments += 1;
    must(kept.has(comment), () => `a comment is lost: ${comment}`);
  }
  must(commentsOf(after).length === commentsOf(before).length, () => 'a comment is there twice');
}

interface WrittenWorld {
  readonly name: string;
  readonly text: string;
}

/** The first manifest as YAML with comments, with line breaks of either kind, or as JSON. */
function written({ first, seed }: World): WrittenWorld {
  if (seed % 4 === 3) return { name: 'world.json', text: JSON.stringify(first, null, 2) };
  const text = withComments(manifestText(first), seed);
  return { name: 'world.yaml', text: seed % 4 === 2 ? text.replaceAll('\n', '\r\n') : text };
}

/** The text with comments beside and above lines, as many and where the seed says; those that would change what it means are left out. */
function withComments(text: string, seed: number): string {
  const json = canonicalJson(parseDocuments('', text)[0].json);
  let made = text.split('\n');
  let state = seed % 65_537;
  for (let at = made.length - 2; at >= 0; at--) {
    state = (state * 75 + 74) % 65_537;
    if (state % 3 !== 0) continue;
    const line = made[at] ?? '';
    const indent = line.slice(0, line.length - line.trimStart().length);
    const changed = state % 2 === 0 ? [`${line}  # beside ${at}`] : [`${indent}# above ${at}`, line];
    const next = [...made.slice(0, at), ...changed, ...made.slice(at + 1)];
    const [file] = parseDocuments('', next.join('\n'));
    if (file.diagnostics.length === 0 && canonicalJson(file.json) === json) made = next;
  }
  return made.join('\n');
}
