// output: values that only the service knows, of the stack's live objects. Its client has no way to write.

import type { Diagnostic } from '../core/diagnostic.ts';
import { hasErrors } from '../core/diagnostic.ts';
import type { Json } from '../core/json.ts';
import { Secret } from '../core/secrets/secret.ts';
import { didYouMean } from '../core/text/closest.ts';
import type { Reference } from '../core/value.ts';
import { holdsSecret, referencesIn } from '../core/value.ts';
import { splitReference } from '../catalog/address.ts';
import { attributesOf } from '../catalog/attributes.ts';
import type { Kind } from '../catalog/kind.ts';
import { kindByName } from '../catalog/lookup.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import { Failure, usageError } from '../core/failure.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { displayOutput } from '../resource/placeholder.ts';
import { attribute, resolveValue } from '../resource/resolve.ts';
import { matchMasked } from '../plan/match/mask-snapshot.ts';
import type { OutputValue } from '../render/outputs.ts';
import { FORMAT_KEY, outputJson, outputText } from '../render/outputs.ts';
import { preview } from '../reconcile/plan.ts';
import type { Invocation } from './shell/invocation.ts';
import { prepare } from './shell/load.ts';
import { sayProblems } from './shell/problems.ts';
import type { CommandSpec } from './shell/command.ts';
import { FLAGS } from './options/flags.ts';
import { EXAMPLES } from '../catalog/examples.ts';

/** What was asked for: all outputs, one of them, or values of one address (`bare` for exactly one value). */
type Asked =
  | { readonly type: 'outputs'; readonly names: readonly string[]; readonly bare: boolean }
  | { readonly type: 'values'; readonly address: string; readonly attrs: readonly string[]; readonly bare: boolean };

interface OutputFlags {
  readonly json?: boolean;
}

/** Prints outputs, or the values of one address; fails when what was asked for by name is not known. */
async function output(name: string | undefined, { json }: OutputFlags, invocation: Invocation): Promise<RunOutcome> {
  const { run } = await prepare(invocation, () => undefined);
  const { manifest } = run;
  const asked = askedFor(name, manifest);
  const { snapshot, problem } = await preview(run, 'no value is known');
  const world = outputSourcesOf(manifest, snapshot);
  const list = asked.type === 'outputs' ? outputsOf(asked, world) : valuesOf(asked, world);
  const isAbsent = asked.type === 'values' && list.every((one) => one.unknown !== undefined);
  const unused: Diagnostic[] = problem === undefined ? [] : [{ ...problem, severity: 'warning' }];
  const problems = [...unused, ...problemsOf(list, asked.bare || isAbsent)];
  if (hasErrors(problems)) throw new Failure('error', problems);
  sayProblems(problems, invocation);
  show(list, { bare: asked.bare, asJson: json === true || invocation.settings.format === 'json' }, invocation);
  return 'done';
}

interface Showing {
  readonly bare: boolean;
  readonly asJson: boolean;
}

function show(list: readonly OutputValue[], { bare, asJson }: Showing, { stdout, stderr }: Invocation): void {
  const [only] = list;
  if (asJson) {
    if (list.some(({ name }) => name === FORMAT_KEY))
      stderr.write(`warning: the output "${FORMAT_KEY}" is not in the document, which has its own "${FORMAT_KEY}"\n`);
    stdout.write(`${outputJson(list)}\n`);
  } else if (bare && only !== undefined) stdout.write(`${bareText(only.value, stdout.isTty)}\n`);
  else if (list.length === 0) stderr.write('The manifest has no outputs.\n');
  else stdout.write(`${outputText(list)}\n`);
}

/** A value for another program, byte for byte; for a terminal, without what a terminal would act on. */
function bareText(value: Json, isTty: boolean): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return isTty ? text.replace(/[^\P{C}\n\t]/gu, '\u{fffd}') : text;
}

function askedFor(name: string | undefined, manifest: Manifest): Asked {
  const names = [...manifest.outputs.keys()].sort();
  if (name === undefined) return { type: 'outputs', names, bare: false };
  if (manifest.outputs.has(name)) return { type: 'outputs', names: [name], bare: true };
  const found = splitReference(name);
  const addresses = manifest.resources.map((resource) => resource.address);
  if (found === undefined || !addresses.includes(found.address)) throw unknownName(name, [...names, ...addresses]);
  const { address, attr, parsed } = found;
  const all = attributesOf(parsed.kind.fields);
  const attrs = attr === '' ? all : all.filter((one) => one === attr || one.startsWith(`${attr}.`));
  if (attrs.length > 0) return { type: 'values', address, attrs, bare: attrs.includes(attr) };
  throw unknownAttribute(address, attr, all);
}

function unknownName(name: string, known: readonly string[]): Failure {
  const list = known.length === 0 ? 'the manifest has neither outputs nor resources' : `known: ${known.join(', ')}`;
  return usageError(
    `${JSON.stringify(name)} is neither an output nor an address of the manifest`,
    didYouMean(name, known) ?? didYouMean(splitReference(name)?.address ?? name, known) ?? list,
  );
}

function unknownAttribute(address: string, attr: string, all: readonly string[]): Failure {
  return usageError(
    `${address} has no computed value ${JSON.stringify(attr)}`,
    didYouMean(attr, all) ?? `computed values: ${all.join(', ')}`,
  );
}

const SECRET = 'it holds a secret, and secrets are never shown';

interface OutputSources {
  readonly manifest: Manifest;
  readonly live: ReadonlyMap<string, LiveResource>;
  /** Why an address has no live object. */
  readonly whyNot: (address: string) => string;
}

function outputSourcesOf(manifest: Manifest, snapshot: Snapshot): OutputSources {
  const { pairs, diagnostics } = matchMasked(manifest, snapshot).matched;
  const kinds = new Map<string, Kind>(manifest.resources.map(({ address, kind }) => [address, kindByName(kind)]));
  return {
    manifest,
    live: new Map(pairs.flatMap(({ desired, live }) => (live === undefined ? [] : [[desired.address, live] as const]))),
    whyNot: (address) => {
      // An address without a pair is held back for what cannot be read, which is nobody's address yet.
      const isHeld = !pairs.some(({ desired }) => desired.address === address);
      const problem =
        diagnostics.find((one) => one.address === address) ??
        (isHeld ? diagnostics.find((one) => one.severity === 'error') : undefined);
      const unread = snapshot.unread.find((one) => one.kind === kinds.get(address)?.name);
      if (problem !== undefined) return problem.message;
      const reason = unread === undefined ? '' : ` (${unread.reason})`;
      return `no live object of stack ${manifest.stack} has the address ${address}${reason}; apply creates it`;
    },
  };
}

function valuesOf(
  { address, attrs, bare }: { readonly address: string; readonly attrs: readonly string[]; readonly bare: boolean },
  world: OutputSources,
): OutputValue[] {
  const list = attrs.map((attr) => valueOf({ address, attr }, world));
  if (bare) return list;
  // Values of modules that the object does not have are no news when all of its values were asked for.
  const known = list.filter((one) => one.unknown === undefined);
  return known.length === 0 ? list.slice(0, 1) : known;
}

function valueOf(reference: Reference, world: OutputSources): OutputValue {
  const name = `${reference.address}.${reference.attr}`;
  const live = world.live.get(reference.address);
  const value = live === undefined ? undefined : attribute(live, reference.attr);
  if (value instanceof Secret) return { name, value: null, unknown: SECRET };
  return value === undefined ? { name, value: null, unknown: whyUnknown(reference, world) } : { name, value };
}

function whyUnknown({ address, attr }: Reference, { live, whyNot }: OutputSources): string {
  return live.has(address) ? `the service returned no value for ${address}.${attr}` : whyNot(address);
}

function outputsOf({ names, bare }: Extract<Asked, { readonly type: 'outputs' }>, world: OutputSources): OutputValue[] {
  return names.map((name) => {
    const value = resolveValue(world.manifest.outputs.get(name) ?? null, world.live);
    if (bare && holdsSecret(value)) return { name, value: null, unknown: SECRET };
    const [missing] = referencesIn(value);
    return missing === undefined
      ? { name, value: displayOutput(value) }
      : { name, value: null, unknown: whyUnknown(missing, world) };
  });
}

function problemsOf(list: readonly OutputValue[], isError: boolean): Diagnostic[] {
  const severity = isError ? 'error' : 'warning';
  return list.flatMap(({ name, unknown }): Diagnostic[] => {
    const message = `${name} has no value to show: ${unknown ?? ''}`;
    return unknown === undefined ? [] : [{ code: 'value-unknown', severity, message }];
  });
}

export const commands: readonly CommandSpec<OutputFlags>[] = [
  {
    position: 110,
    words: 'output [name]',
    text: 'print outputs and computed values (ADDRESS[.ATTR]); never writes',
    isDocument: true,
    flags: {
      own: [{ flags: '--json', text: 'the same as --format json' }, FLAGS.journalRead],
      manifest: FLAGS.manifest,
      output: FLAGS.textOrJson,
      service: FLAGS.service,
      hidden: [FLAGS.settle],
    },
    help: { examples: ['output', `output ${EXAMPLES.reference.slice(2, -1)}`, 'output --json'] },
    run: ({ invocation, args: [name], flags }) => output(name, flags, invocation),
  },
];
