// Checks references: the address exists, has the attribute, and is of an accepted kind.

import { append } from '../../core/append.ts';
import { groupBy } from '../../core/group.ts';
import { lazy } from '../../core/lazy.ts';
import type { Path } from '../../core/json.ts';
import type { Diagnostic, ProblemText } from '../../core/diagnostic.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { alternatives, didYouMean, Suggestions } from '../../core/text/closest.ts';
import { eachLeaf, Expression, referencesIn, type Reference, type Value } from '../../core/value.ts';
import { addressAt, IMPORTS, parseAddress } from '../../catalog/address.ts';
import { attributesOf } from '../../catalog/attributes.ts';
import { ID } from '../../catalog/fields/common.ts';
import type { Field, RefTarget } from '../../catalog/field.ts';
import { idForm, isId, idRulesOf, knownIdPrefixes } from '../../catalog/id.ts';
import type { Kind } from '../../catalog/kind.ts';
import { keysOf, referencesTo } from '../../catalog/lookup.ts';
import { hasForm } from '../../catalog/text-limits.ts';
import { fieldAt } from '../../catalog/walk.ts';
import { expressionFor } from '../../schema/fix-unknown.ts';
import { ofAbsent, type SourceMap } from '../source-map.ts';
import type { StackInput, Located } from '../resources.ts';
import type { UnknownValues } from '../unknown-values.ts';

/** Every problem with references between resources and in outputs. */
export function checkReferences({
  resources,
  addresses,
  outputs,
  importedKinds,
  sourceMap,
  unknownValues,
}: StackInput): Diagnostic[] {
  const kindOf = (address: string) => importedKinds.get(address) ?? parseAddress(address)?.kind;
  const known = new Set(addresses);
  const likely = { addresses: new Suggestions(known), imports: new Suggestions(importedKinds.keys()) };
  const byKind = lazy(() => groupBy(known, (address) => parseAddress(address)?.kind.name));
  const addressesOf = (kind: string) => byKind().get(kind) ?? [];
  const scope: ReferenceScope = { known, addressesOf, importedKinds, likely, kindOf, sourceMap, unknownValues };
  return [
    ...resources.flatMap((one) => checkResource(one, scope)),
    ...[...outputs].flatMap(([name, value]) => checkOutput(value, ['outputs', name], scope)),
  ];
}

function checkOutput(value: Value, path: Path, scope: ReferenceScope): Diagnostic[] {
  const problems = referencesIn(value).flatMap((reference) => checkTarget(reference, path, scope));
  const isMixed = value instanceof Expression && value.parts.length > 1;
  return problems.length > 0 || !isMixed ? problems : checkForm(value, undefined, path, scope);
}

interface ReferenceScope {
  readonly known: ReadonlySet<string>;
  /** The known addresses of a kind. */
  readonly addressesOf: (kind: string) => readonly string[];
  readonly importedKinds: StackInput['importedKinds'];
  readonly likely: Readonly<Record<'addresses' | 'imports', Suggestions>>;
  /** The kind of an address, or of an import as far as it is known. */
  readonly kindOf: (address: string) => Kind | undefined;
  readonly sourceMap: SourceMap;
  readonly unknownValues: UnknownValues;
}

function checkResource({ resource, path, kind }: Located, scope: ReferenceScope): Diagnostic[] {
  const { sourceMap } = scope;
  const found: Diagnostic[] = [];
  eachLeaf(resource.spec, (leaf, inner) => {
    if (typeof leaf === 'number' || typeof leaf === 'boolean') return;
    const field = fieldAt(kind.fields, inner);
    const target = field?.type === 'string' ? field.ref : undefined;
    if (!(leaf instanceof Expression)) {
      if (target !== undefined) append(found, checkLiteral(leaf, target, [...path, ...inner], scope));
      return;
    }
    const at = [...path, ...inner];
    const problems = leaf.references().flatMap((reference) => checkTarget(reference, at, scope));
    append(found, problems);
    // Only the address of an existing object has a kind to check.
    if (problems.length > 0) return;
    if (target === undefined) {
      append(found, checkForm(leaf, field, at, scope));
      return;
    }
    const only = leaf.parts.length === 1 ? leaf.references()[0] : undefined;
    if (only !== undefined) append(found, checkKind(only, target, at, scope));
    else if (leaf.references().length > 0) found.push(notOneId(at, sourceMap));
  });
  return found;
}

function checkTarget({ address, attr }: Reference, path: Path, scope: ReferenceScope): Diagnostic[] {
  const { known, importedKinds, sourceMap, unknownValues } = scope;
  const kind = scope.kindOf(address);
  const isImport = address.startsWith(`${IMPORTS}.`);
  const isThere = (isImport ? importedKinds : known).has(address) || unknownValues.mayHave(address.split('.'));
  if (!isThere || (kind === undefined && !isImport)) {
    const words = isImport ? unknownImport(address, scope) : unknownAddress(address, scope);
    return [ofAbsent(sourceMap.error('unknown-reference', path, words), sourceMap.dropOf(address.split('.')))];
  }
  // An import that is wrong itself.
  if (kind === undefined) return [];
  const attributes = attributesOf(kind.fields);
  if (attributes.includes(attr)) return [];
  return [
    sourceMap.error('unknown-reference', path, {
      message: `${address} has no value "${attr}" that can be referred to`,
      expected: `one of ${attributes.join(', ')}`,
      fix: didYouMean(attr, attributes) ?? 'use one of these values, or use a variable in both places',
    }),
  ];
}

function unknownImport(address: string, { likely }: ReferenceScope): ProblemText {
  const fix = `declare it: imports: { ${address.split('.')[1] ?? ''}: { stack: STACK, address: ADDRESS } }`;
  return { message: `there is no import ${address}`, fix: likely.imports.didYouMean(address) ?? fix };
}

function unknownAddress(address: string, { likely }: ReferenceScope): ProblemText {
  const fix = likely.addresses.didYouMean(address) ?? 'add the resource, or give a literal id';
  return { message: `no resource has the address ${address}`, fix };
}

function checkKind({ address, attr }: Reference, target: RefTarget, path: Path, scope: ReferenceScope): Diagnostic[] {
  const kind = scope.kindOf(address);
  if (kind === undefined || (attr === ID && target.kinds.includes(kind.name))) return [];
  return [
    scope.sourceMap.error('wrong-reference', path, {
      message: `${path.findLast((part) => !/^\d+$/.test(part)) ?? ''} does not take ${address}.${attr}`,
      expected: [
        ...referencesTo(target.kinds),
        ...target.prefixes.map((prefix) => `an id${prefix && ` that starts with ${prefix}`}`),
      ].join(', or '),
      fix: fixOfReference(target, path, scope).join(),
    }),
  ];
}

/** An id must be the whole value; it cannot have text around it. */
function notOneId(path: Path, places: SourceMap): Diagnostic {
  const fix = 'use the reference alone, without text around it';
  return places.error('wrong-reference', path, {
    message: 'this field takes one id, not a text that contains one',
    fix,
  });
}

function checkLiteral(leaf: Value, target: RefTarget, path: Path, scope: ReferenceScope): Diagnostic[] {
  const id = leaf instanceof Secret ? leaf.reveal() : leaf;
  const rules = idRulesOf(target);
  if (typeof id !== 'string') return [];
  if (rules.some((rule) => isId(rule, id))) return doubtAboutId(id, target, path, scope);
  const got = leaf instanceof Secret ? 'the sensitive value' : JSON.stringify(id);
  const meant = leaf instanceof Secret ? undefined : (expressionFor(id) ?? referenceNamed(id, target, scope));
  return [
    scope.sourceMap.error('wrong-reference', path, {
      message: `${got} is not an id that this field takes`,
      expected: idForm({ ...rules[0], idPrefix: rules.map(({ idPrefix }) => idPrefix).join(' or ') }),
      fix:
        meant === undefined
          ? ['give the literal id', ...fixOfReference(target, path, scope)].join(', or ')
          : `did you mean "${meant}"?`,
    }),
  ];
}

/** An id is accepted by its form; one with a prefix that belongs to another kind was probably mistaken for it. */
function doubtAboutId(id: string, target: RefTarget, path: Path, { sourceMap }: ReferenceScope): Diagnostic[] {
  const own = idRulesOf(target).map(({ idPrefix }) => idPrefix);
  const prefix = /^[a-z]+_/.exec(id)?.[0] ?? '';
  if (own.some((start) => id.startsWith(start)) || !knownIdPrefixes().has(prefix)) return [];
  return [
    sourceMap.warning('doubtful-value', path, {
      message: `ids that begin with ${prefix} are of another kind`,
      expected: `an id that begins with ${alternatives(own)}`,
      fix: 'check that the id belongs here',
    }),
  ];
}

/** The reference to the resource of a kind that the field takes, when the text is its name: `audit` for `event_destinations.audit`. */
function referenceNamed(name: string, { kinds }: RefTarget, { known }: ReferenceScope): string | undefined {
  const addresses = keysOf(kinds).map((key) => `${key}.${name}`);
  const [found, ...others] = addresses.filter((address) => known.has(address));
  return found === undefined || others.length > 0 ? undefined : `\${${found}.${ID}}`;
}

const MAX_SHOWN = 3;

/** What to refer to: resources of the manifest that fit, or their kinds while there is none; nothing if no kind of ours fits. */
function fixOfReference({ kinds }: RefTarget, path: Path, { addressesOf }: ReferenceScope): string[] {
  if (kinds.length === 0) return [];
  const own = addressAt(path);
  const fitting = kinds
    .flatMap((kind) => addressesOf(kind).slice(0, MAX_SHOWN + 1))
    .filter((address) => address !== own);
  const shown = fitting.slice(0, MAX_SHOWN).map((address) => `"\${${address}.${ID}}"`);
  if (shown.length === 0) return [`add a resource under ${alternatives(keysOf(kinds))}, and refer to it`];
  return [`refer to ${alternatives(shown)}`];
}

/** Reports text with references that can never match its field's form, such as an id where a hostport belongs. */
function checkForm(leaf: Expression, field: Field | undefined, path: Path, scope: ReferenceScope): Diagnostic[] {
  const { kindOf, sourceMap: places } = scope;
  const references = leaf.references();
  const values = references.map(({ address, attr }) => fieldAt(kindOf(address)?.fields ?? {}, attr.split('.')));
  const list = references.find((_, index) => values[index]?.type === 'list');
  if (list !== undefined) {
    const message = `${list.address}.${list.attr} is a list, and cannot be part of a text`;
    return [places.error('wrong-reference', path, { message, fix: 'give it an output of its own' })];
  }
  const [first] = references;
  const samples = values.flatMap((value) => value?.examples?.[0] ?? []).filter((sample) => typeof sample === 'string');
  if (field?.type !== 'string' || first === undefined || samples.length < references.length) return [];
  const text = sampleText(leaf, samples);
  if (hasForm(field, text)) return [];
  return [
    places.error('wrong-reference', path, {
      message: `the value of ${first.address}.${first.attr} does not have the form that this field takes`,
      expected: field.pattern?.words ?? `one of ${(field.values ?? []).join(', ')}`,
      ...(!leaf.isSecret && { got: `for example ${JSON.stringify(text)}` }),
      fix: 'refer to another value, or correct the text around the reference',
    }),
  ];
}

/** The text with an example in place of each reference. */
function sampleText(expression: Expression, samples: readonly string[]): string {
  const left = [...samples];
  return expression.written(
    (secret) => secret.reveal(),
    () => left.shift() ?? '',
  );
}
