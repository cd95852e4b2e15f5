// The values of a stack that only the service knows: its outputs, or those of one address, from the live objects. Writes
// nothing, and never gives a secret.

import { splitReference } from '../catalog/address.ts';
import { attributesOf } from '../catalog/attributes.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { hasErrors } from '../core/diagnostic.ts';
import { Failure, usageError } from '../core/failure.ts';
import { Secret } from '../core/secrets/secret.ts';
import { didYouMean } from '../core/text/closest.ts';
import type { Reference } from '../core/value.ts';
import { holdsSecret, referencesIn } from '../core/value.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { matchMasked } from '../plan/match/mask-snapshot.ts';
import type { OutputValue } from '../plan/outputs.ts';
import { displayOutput } from '../resource/placeholder.ts';
import { attribute, resolveValue } from '../resource/resolve.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import { preview } from './plan.ts';
import type { RunInput } from './run.ts';

/** What was asked for: all outputs, one of them, or values of one address (`bare` for exactly one value). */
type Asked =
  | { readonly type: 'outputs'; readonly names: readonly string[]; readonly bare: boolean }
  | { readonly type: 'values'; readonly address: string; readonly attrs: readonly string[]; readonly bare: boolean };

/**
 * The outputs of a manifest, one of them, or values of one of its addresses: `ADDRESS` for all that the service sets,
 * `ADDRESS.ATTR` for one. Fails when what was asked for by name is not known.
 */
export async function readOutputs(run: RunInput, name?: string) {
  const asked = askedFor(name, run.manifest);
  const { snapshot, problem } = await preview(run, 'no value is known');
  const sources = outputSourcesOf(run.manifest, snapshot);
  const values = asked.type === 'outputs' ? outputsOf(asked, sources) : valuesOf(asked, sources);
  const isAbsent = asked.type === 'values' && values.every((one) => one.unknown !== undefined);
  const unused: Diagnostic[] = problem === undefined ? [] : [{ ...problem, severity: 'warning' }];
  const diagnostics = [...unused, ...problemsOf(values, asked.bare || isAbsent)];
  if (hasErrors(diagnostics)) throw new Failure('error', diagnostics);
  return {
    values,
    /** True when exactly one value was asked for. */
    bare: asked.bare,
    /** What has no value, and why the journal was not used. */
    diagnostics,
  };
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
  return {
    manifest,
    live: new Map(pairs.flatMap(({ desired, live }) => (live === undefined ? [] : [[desired.address, live] as const]))),
    whyNot: (address) => {
      // An address without a pair is held back for what cannot be read, which is nobody's address yet.
      const isHeld = !pairs.some(({ desired }) => desired.address === address);
      const problem =
        diagnostics.find((one) => one.address === address) ??
        (isHeld ? diagnostics.find((one) => one.severity === 'error') : undefined);
      const unread = snapshot.unread.find(
        (one) => one.kind === manifest.resources.find((resource) => resource.address === address)?.kind,
      );
      if (problem !== undefined) return problem.message;
      const reason = unread === undefined ? '' : ` (${unread.reason})`;
      return `no live object of stack ${manifest.stack} has the address ${address}${reason}; apply creates it`;
    },
  };
}

function valuesOf(
  { address, attrs, bare }: { readonly address: string; readonly attrs: readonly string[]; readonly bare: boolean },
  sources: OutputSources,
): OutputValue[] {
  const list = attrs.map((attr) => valueOf({ address, attr }, sources));
  if (bare) return list;
  // Values of modules that the object does not have are no news when all of its values were asked for.
  const known = list.filter((one) => one.unknown === undefined);
  return known.length === 0 ? list.slice(0, 1) : known;
}

function valueOf(reference: Reference, sources: OutputSources): OutputValue {
  const name = `${reference.address}.${reference.attr}`;
  const live = sources.live.get(reference.address);
  const value = live === undefined ? undefined : attribute(live, reference.attr);
  if (value instanceof Secret) return { name, value: null, unknown: SECRET };
  return value === undefined ? { name, value: null, unknown: whyUnknown(reference, sources) } : { name, value };
}

function whyUnknown({ address, attr }: Reference, { live, whyNot }: OutputSources): string {
  return live.has(address) ? `the service returned no value for ${address}.${attr}` : whyNot(address);
}

function outputsOf(
  { names, bare }: Extract<Asked, { readonly type: 'outputs' }>,
  sources: OutputSources,
): OutputValue[] {
  return names.map((name) => {
    const value = resolveValue(sources.manifest.outputs.get(name) ?? null, sources.live);
    if (bare && holdsSecret(value)) return { name, value: null, unknown: SECRET };
    const [missing] = referencesIn(value);
    return missing === undefined
      ? { name, value: displayOutput(value) }
      : { name, value: null, unknown: whyUnknown(missing, sources) };
  });
}

function problemsOf(list: readonly OutputValue[], isError: boolean): Diagnostic[] {
  const severity = isError ? 'error' : 'warning';
  return list.flatMap(({ name, unknown }): Diagnostic[] => {
    const message = `${name} has no value to show: ${unknown ?? ''}`;
    return unknown === undefined ? [] : [{ code: 'value-unknown', severity, message }];
  });
}
