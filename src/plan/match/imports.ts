// Finds the objects that a manifest imports: by the marker of another stack, or by id. Never guesses, and changes nothing.

import { kindByName } from '../../catalog/lookup.ts';
import { rangeText, type Diagnostic, type SourceRange } from '../../core/diagnostic.ts';
import { compareText, type Json } from '../../core/json.ts';
import { pluralOf } from '../../core/text/text.ts';
import type { DesiredResource, Import, Manifest } from '../../manifest/manifest.ts';
import { originsOf } from '../../resource/marker/moves.ts';
import { ownershipIn, scopeOfStack, type OwnershipStatus } from '../../resource/marker/ownership.ts';
import { replacedAmong } from '../../resource/marker/succession.ts';
import { displayOutput } from '../../resource/placeholder.ts';
import { attributesByAddress } from '../../resource/references.ts';
import { attribute, type KnownObjects } from '../../resource/resolve.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import type { Plan, PolicyViolation } from '../plan.ts';

/** Why an import cannot be used; its message does not begin with the address. */
interface ImportProblem extends Diagnostic {
  readonly address: string;
  readonly range: SourceRange;
}

export interface ImportsFound {
  /** Live objects by `imports.NAME`. */
  readonly known: KnownObjects;
  readonly problems: readonly ImportProblem[];
}

/** The imported objects; one that cannot be used is a problem and not known. */
export function importsIn(
  manifest: Pick<Manifest, 'stack' | 'imports' | 'moved' | 'transfers' | 'resources' | 'outputs'>,
  snapshot: Snapshot,
): ImportsFound {
  const { imports, resources } = manifest;
  if (imports.length === 0) return { known: new Map(), problems: [] };
  const byId = new Map(snapshot.resources.map((live) => [live.id, live]));
  const statusIn = (of: string) => ownershipIn(scopeOfStack(of), byId).of;
  const ownAddress = addressIn(resources, ownershipIn(manifest, byId).of);
  const wanted = attributesByAddress(manifest);
  const known = new Map<string, LiveResource>();
  const problems = imports.flatMap((imported): ImportProblem[] => {
    const found = candidatesFor(imported, snapshot.resources, statusIn);
    const [live] = found;
    const problem =
      live === undefined
        ? missing(imported, snapshot)
        : found.length > 1
          ? ambiguousImport(imported, found)
          : (ownObject(live, ownAddress(live)) ?? withoutValue(live, wanted.get(imported.address) ?? []));
    const { address, range } = imported;
    if (problem !== undefined) return [{ ...problem, severity: 'error', address, range: range() }];
    if (live !== undefined) known.set(imported.address, live);
    return [];
  });
  return { known, problems };
}

/** What an import may mean. Its own stack decides what a marker in a wrong place, or of a replaced object, means. */
function candidatesFor({ from, kind }: Import, resources: readonly LiveResource[], statusIn: StatusIn): LiveResource[] {
  if ('id' in from) return resources.filter((live) => live.id === from.id && live.kind === kind);
  const statusOf = statusIn(from.stack);
  const own = resources.filter((live) => live.marker?.address === from.address && statusOf(live).is === 'ours');
  const replaced = replacedAmong(own, originsOf([]));
  return own.filter(({ id }) => !replaced.has(id));
}

type StatusIn = (stack: string) => (live: LiveResource) => OwnershipStatus;

type Problem = Pick<Diagnostic, 'code' | 'message' | 'fix'>;

function missing({ from, kind: name }: Import, { unread }: Snapshot): Problem {
  const { title } = kindByName(name);
  if ('id' in from) {
    const message = `the service has no ${title} with the id ${from.id}`;
    return { code: 'import-missing', message, fix: 'correct the id, or remove the import' };
  }
  const message = `no ${title} carries the marker of ${from.address} of stack ${from.stack}`;
  const fix = unread.some(({ kind }) => kind === name)
    ? `${pluralOf(title)} cannot be listed, so import it by its id`
    : `apply stack ${from.stack} first, or correct the stack or the address`;
  return { code: 'import-missing', message, fix };
}

function ambiguousImport({ from }: Import, found: readonly LiveResource[]): Problem {
  const ids = found.map(({ id }) => id).sort();
  const what = 'id' in from ? from.id : `${from.address} of stack ${from.stack}`;
  const message = `${what} exists ${found.length} times (${ids.join(', ')}), and edgeform does not guess which one is meant`;
  return {
    code: 'import-doubled',
    message,
    fix: 'apply that stack, which says how to solve it, or import one by its id',
  };
}

/** The address of an object in the importing stack, which owns it or names it by its id. */
function addressIn(resources: readonly DesiredResource[], statusOf: (live: LiveResource) => OwnershipStatus) {
  return (live: LiveResource): string | undefined => {
    const status = statusOf(live);
    if (status.is === 'ours') return status.marker.address;
    if (status.is === 'transferred') return status.to;
    return resources.find(({ lifecycle: { pin } }) => pin?.id === live.id)?.address;
  };
}

/** A plain reference is ordered with the steps of the stack; an import is not. */
function ownObject({ id }: LiveResource, address: string | undefined): Problem | undefined {
  if (address === undefined) return undefined;
  const message = `${id} belongs to this stack (${address})`;
  return { code: 'import-own', message, fix: `refer to it directly: \${${address}.ATTR}` };
}

function withoutValue(live: LiveResource, attrs: readonly string[]): Problem | undefined {
  const lacking = attrs.find((attr) => attribute(live, attr) === undefined);
  if (lacking === undefined) return undefined;
  const message = `the service returned no value for ${lacking} of ${live.id}`;
  return { code: 'import-missing', message, fix: 'use another of its values' };
}

interface Allowed {
  readonly destroy: boolean;
  readonly pendingImports?: ReadonlySet<string>;
}

/** The problems that stop a plan: none of objects that another stack is about to create, and none when all is destroyed. */
export function unusableImports({ problems }: ImportsFound, { destroy, pendingImports }: Allowed) {
  const isPending = ({ code, address }: ImportProblem) =>
    code === 'import-missing' && pendingImports?.has(address) === true;
  return destroy ? [] : problems.filter((one) => !isPending(one));
}

/** The policy: everything that is imported can be read. */
export function importViolations(input: {
  readonly imports: ImportsFound;
  readonly options: Allowed;
}): PolicyViolation[] {
  return unusableImports(input.imports, input.options).map(({ code: rule, address, message, fix, range }) => ({
    rule,
    message: `${address}: ${message}`,
    ...(fix !== undefined && { fix }),
    addresses: [address],
    flag: null,
    source: rangeText(range),
  }));
}

/** The imports of a plan: the object of each, and the values that the manifest uses; null where they are known after apply. */
export function plannedImports(manifest: Manifest, known: KnownObjects): Pick<Plan, 'imports'> {
  if (manifest.imports.length === 0) return {};
  const wanted = attributesByAddress(manifest);
  const imports = manifest.imports.map(({ name, kind, from, address }) => {
    const live = known.get(address);
    const values = (wanted.get(address) ?? []).map((attr) => [attr, valueOf(live, attr)] as const);
    return {
      name,
      kind,
      ...('stack' in from && from),
      live_id: live?.id ?? null,
      values: Object.fromEntries(values.sort(([a], [b]) => compareText(a, b))),
    };
  });
  return { imports: imports.sort((a, b) => compareText(a.name, b.name)) };
}

function valueOf(live: LiveResource | undefined, attr: string): Json {
  const value = live === undefined ? undefined : attribute(live, attr);
  return value === undefined ? null : displayOutput(value);
}
