// Seeded mistakes in what a manifest may cost, in whether one with errors is used, and in the forms of values.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const COSTS = { tests: ['manifest/costs.test.ts'] };

const SIZES: readonly Mutant[] = [
  ...mistakes('manifest/values/expand.ts', { ...COSTS }, [
    ['filled texts may have any size together', 'hasRoomFor', { condition: ['MAX_TOTAL_BYTES'] }, 'false'],
    ['the size of a filled text is known once it is made', 'expandText', { condition: ['isWithinLimit'] }, 'false'],
  ]),
];

const RECOVERY: readonly Mutant[] = [
  {
    name: 'any number of errors of a text is reported',
    file: 'manifest/text/yaml.ts',
    find: { value: 'MAX_PROBLEMS' },
    to: '1e9',
    ...COSTS,
  },
  ...mistakes('manifest/text/yaml.ts', { ...COSTS }, [
    [
      'the values of a file count although no alias stands for them',
      '#read',
      { condition: ['#aliasesAround'] },
      'true',
    ],
  ]),
];

const USED: readonly Mutant[] = [
  {
    name: 'a manifest with errors is used',
    file: 'commands/shell/load.ts',
    in: 'tryLoad',
    find: { condition: ['hasErrors'] },
    to: 'false',
    tests: ['cli/reading.test.ts'],
  },
];

const FORM_TESTS = { tests: ['plan/perpetual-diff/normalised.test.ts'] };

const FORMS: readonly Mutant[] = [
  ...mistakes('resource/canonical.ts', { ...FORM_TESTS }, [
    ['texts are compared as they are written', 'canonicalText', { call: 'normalText' }, 'value'],
    ['decimals are compared in 64 bits', 'canonicalNumber', { call: 'normalNumber' }, 'value'],
  ]),
  ...mistakes('resource/placeholder.ts', { ...FORM_TESTS }, [
    ['hosts are sent as they are written', 'sentLeaf', { call: 'sentText' }, 'leaf'],
  ]),
  ...mistakes('catalog/text-limits.ts', { ...FORM_TESTS }, [
    ['a host is not checked beyond its characters', 'hasForm', { call: 'isOfForm' }, 'true'],
  ]),
  ...mistakes('plan/decide/filled-texts.ts', { tests: ['plan/filled-texts.test.ts'] }, [
    ['a value that a reference brings is not checked', 'checkFilledTexts', { call: 'hasForm' }, 'true'],
  ]),
];

/** What each problem of a text would do again. */
const LINEAR: readonly Mutant[] = [
  {
    name: 'what is open is looked for at each problem',
    file: 'manifest/text/syntax.ts',
    in: 'syntaxDiagnostics',
    find: { value: 'openers' },
    to: 'place.openers',
    tests: ['plan/linear.test.ts'],
  },
  {
    name: 'any number of marks is composed',
    file: 'manifest/text/compose.ts',
    in: 'compose',
    find: { condition: ['MAX_MARKS'] },
    to: 'false',
    ...COSTS,
  },
  {
    name: 'JSON from outside may have any depth',
    file: 'core/json.ts',
    in: 'readJson',
    find: { condition: ['isDeeper'] },
    to: 'false',
    tests: ['core/json.test.ts'],
  },
  {
    name: 'metadata of any length is parsed',
    file: 'resource/marker/marker-codec.ts',
    in: 'readMarker',
    find: { condition: ['isTooLong'] },
    to: 'false',
    tests: ['resource/marker-codec.test.ts'],
  },
  {
    name: 'suggestions compare any number of names',
    file: 'core/text/closest.ts',
    in: 'Suggestions.didYouMean',
    find: { condition: ['#left'] },
    to: 'false',
    tests: ['core/closest.test.ts'],
  },
];

const PLAIN: readonly Mutant[] = [
  ...mistakes('manifest/typed-secrets.ts', { tests: ['commands/render.test.ts'] }, [
    ['render prints a default that is secret', 'inDefaults', { body: true }, '{ return []; }'],
    ['render prints a secret of a block', 'typedSecrets', { call: 'filter' }, '[]'],
  ]),
  ...mistakes('manifest/read-files.ts', { tests: ['cli/overlays.test.ts'] }, [
    ['a file that cannot be read is left out', 'readEach', { call: 'map' }, '[]'],
    ['a command may write onto its overlay', 'readEach', { call: 'note' }, 'undefined'],
  ]),
];

const REUSE: readonly Mutant[] = [
  ...mistakes('manifest/reuse/layers.ts', { tests: ['manifest/reuse/reuse.test.ts'] }, [
    ['a map of a block replaces that of its preset', 'layOver', { condition: ['members', 'value'] }, 'true'],
    ['without drops nothing', 'withoutCuts', { condition: ['here'] }, 'false'],
    ['what is dropped hides nothing below', 'shownLayers', { condition: ['lowest'] }, 'true'],
  ]),
  ...mistakes('manifest/reuse/without.ts', { tests: ['manifest/reuse/reuse.test.ts'] }, [
    ['a path that drops nothing is accepted', 'dropsNothing', { body: true }, '{ return []; }'],
  ]),
  ...mistakes('manifest/reuse/overlays.ts', { tests: ['manifest/reuse/reuse.test.ts'] }, [
    ['an overlay with a release takes those of the manifest away', 'isListByFrom', { body: true }, '{ return false; }'],
  ]),
  ...mistakes('manifest/reuse/reuse.ts', { tests: ['manifest/reuse/reuse.test.ts'] }, [
    ['an entry that an overlay repeats is there twice', 'keptOf', { condition: ['entries'] }, 'false'],
  ]),
  ...mistakes('manifest/reuse/block.ts', { tests: ['manifest/reuse/reuse.test.ts'] }, [
    ['an overlay adds its presets to those of the manifest', 'layOnPresets', { call: 'findLastIndex' }, '0'],
  ]),
  ...mistakes('manifest/source-map.ts', { tests: ['manifest/reuse/reuse.test.ts'] }, [
    ['what an overlay drops is to be added again', 'ofAbsent', { condition: ['drop'] }, 'true'],
  ]),
  ...mistakes('manifest/values/written-in.ts', { tests: ['commands/render.test.ts'] }, [
    ['render prints a default that a sensitive field uses', 'whereWritten', { condition: ['openDefaults'] }, 'false'],
  ]),
  ...mistakes('manifest/text/quoted-file.ts', { tests: ['render/quoted-lines.test.ts'] }, [
    ['no kind says what is secret in a preset', 'secretPaths', { condition: ['PRESETS'] }, 'false'],
  ]),
  ...mistakes('fleet/load-entry.ts', { tests: ['fleet/load-entry.test.ts'] }, [
    ['an entry of a fleet takes a manifest of another stack', 'otherStack', { condition: ['wanted'] }, 'true'],
  ]),
];

export const LOADER: readonly Mutant[] = [...PLAIN, ...REUSE, ...SIZES, ...RECOVERY, ...USED, ...FORMS, ...LINEAR];
