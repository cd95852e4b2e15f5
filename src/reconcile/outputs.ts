// The values of a stack that only the service knows: its outputs, or those of one address, from live objects. Writes nothing,
// and never returns a secret.

import { splitReference } from '../catalog/address.ts';
import { attributesOf } from '../catalog/attributes.ts';
import { hasErrors, type Diagnostic } from '../core/diagnostic.ts';
import { Failure, usageError } from '../core/failure.ts';
import { didYouMean } from '../core/text/closest.ts';
import { Expression, holdsSecret, referencesIn, type Value } from '../core/value.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { match } from '../plan/match/match.ts';
import type { OutputValue } from '../plan/outputs.ts';
import { displayOutput } from '../resource/placeholder.ts';
import { resolveValue } from '../resource/resolve.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import { preview } from './plan.ts';
import type { RunInput } from './run.ts';

/** The requested values by name: declared outputs, or values of one address. */
interface Asked {
  readonly values: readonly (readonly [name: string, declared: Value])[];
  readonly isAddress: boolean;
  /** True for exactly one value. */
  readonly bare: boolean;
}

/**
 * The outputs of a manifest, one of them, or values of one address: `ADDRESS` for all values set by the service, `ADDRESS.ATTR`
 * for one. Fails when a value requested by name is unknown, or when a variable that it needs has no value.
 */
export async function readOutputs(run: RunInput, name?: string) {
  const { values: asked, isAddress, bare } = askedFor(name, run.manifest);
  requireValues(asked, run.manifest);
  const { snapshot, problem } = await preview(run, 'no value is known');
  const sources = outputSourcesOf(run.manifest, snapshot);
  const found = asked.map(([one, declared]) => valueOf(one, declared, bare || isAddress, sources));
  const known = found.filter(({ unknown }) => unknown === undefined);
  const isAbsent = isAddress && known.length === 0;
  // When all values of an object are requested, those of absent modules are left out.
  const values = !isAddress || bare ? found : isAbsent ? found.slice(0, 1) : known;
  const unused: Diagnostic[] = problem === undefined ? [] : [{ ...problem, severity: 'warning' }];
  const diagnostics = [...unused, ...problemsOf(values, bare || isAbsent)];
  if (hasErrors(diagnostics)) throw new Failure('error', diagnostics);
  return {
    values,
    /** True when exactly one value was requested. */
    bare,
    /** Missing values, and why the journal was not used. */
    diagnostics,
  };
}

/** Fails before any request without the name of the stack, or a variable that would be shown. A secret is not shown. */
function requireValues(asked: Asked['values'], { lacksInLinks = [], lacksInOutputs }: Manifest): void {
  const shown = asked.filter(([, declared]) => !holdsSecret(declared));
  const byVariable = new Map(shown.flatMap(([name]) => [...(lacksInOutputs?.get(name) ?? [])]).reverse());
  const lacking = [...lacksInLinks, ...byVariable.values()];
  if (lacking.length > 0) throw new Failure('invalid', lacking);
}

function askedFor(name: string | undefined, { outputs, resources }: Manifest): Asked {
  const names = [...outputs.keys()].sort();
  const declared = (list: readonly string[]) => list.map((one) => [one, outputs.get(one) ?? null] as const);
  if (name === undefined) return { values: declared(names), isAddress: false, bare: false };
  if (outputs.has(name)) return { values: declared([name]), isAddress: false, bare: true };
  const found = splitReference(name);
  const addresses = resources.map((resource) => resource.address);
  if (found === undefined || !addresses.includes(found.address)) throw unknownName(name, [...names, ...addresses]);
  const { address, attr, parsed } = found;
  const all = attributesOf(parsed.kind.fields);
  const attrs = attr === '' ? all : all.filter((one) => one === attr || one.startsWith(`${attr}.`));
  if (attrs.length === 0) throw unknownAttribute(address, attr, all);
  const values = attrs.map((one) => [`${address}.${one}`, new Expression([{ address, attr: one }])] as const);
  return { values, isAddress: true, bare: attrs.includes(attr) };
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

const SECRET: Absence = { message: 'it holds a secret, and secrets are never shown' };

/** Why a value is not known. */
type Absence = NonNullable<OutputValue['unknown']>;

interface OutputSources {
  readonly live: ReadonlyMap<string, LiveResource>;
  /** Why an address has no live object, and what to do. */
  readonly whyNot: (address: string) => Absence;
}

function outputSourcesOf(manifest: Manifest, snapshot: Snapshot): OutputSources {
  const { pairs, diagnostics, imports } = match(manifest, manifest.resources, snapshot);
  return {
    live: new Map([
      ...imports.known,
      ...pairs.flatMap(({ desired, live }) => (live === undefined ? [] : [[desired.address, live] as const])),
    ]),
    whyNot: (address) => {
      const unusable = imports.problems.find((problem) => problem.address === address);
      if (unusable !== undefined) return unusable;
      const problem = diagnostics.find((one) => one.address === address);
      const unread = snapshot.unread.find(
        (one) => one.kind === manifest.resources.find((resource) => resource.address === address)?.kind,
      );
      if (problem !== undefined) return problem;
      const reason = unread === undefined ? '' : ` (${unread.reason})`;
      const message = `no live object of stack ${manifest.stack} has the address ${address}${reason}; apply creates it`;
      return { message };
    },
  };
}

/** `hidesSecrets`: a value that contains a secret is not shown. */
function valueOf(name: string, declared: Value, hidesSecrets: boolean, { live, whyNot }: OutputSources): OutputValue {
  const value = resolveValue(declared, live);
  if (hidesSecrets && holdsSecret(value)) return { name, value: null, unknown: SECRET };
  const [missing] = referencesIn(value);
  if (missing === undefined) return { name, value: displayOutput(value) };
  const { address, attr } = missing;
  const unknown = live.has(address)
    ? { message: `the service returned no value for ${address}.${attr}` }
    : whyNot(address);
  return { name, value: null, unknown };
}

function problemsOf(list: readonly OutputValue[], isError: boolean): Diagnostic[] {
  const severity = isError ? 'error' : 'warning';
  return list.flatMap(({ name, unknown }): Diagnostic[] => {
    if (unknown === undefined) return [];
    const { message, fix } = unknown;
    const text = `${name} has no value to show: ${message}`;
    return [{ code: 'value-unknown', severity, message: text, ...(fix !== undefined && { fix }) }];
  });
}
