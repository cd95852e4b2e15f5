// Seeded mistakes in how secrets are compared, hidden, digested and carried over (ADR 0009, 0018), and in who may see them.

import { mistakes } from './mistakes.ts';
import type { Edit } from './mutation.ts';
import type { Mutant } from './mutants.ts';

const PLANS = { tests: ['plan/secrets.test.ts'] };

const HIDDEN: readonly Mutant[] = [
  {
    name: 'a key from outside is code of the comparing library',
    file: 'core/equal.ts',
    in: 'sameEntries',
    find: { call: 'deepEqual' },
    to: 'deepEqual(a, b)',
    tests: ['resource/diff.test.ts'],
  },
  {
    name: 'a secret is never equal to what the service shows',
    file: 'resource/diff.ts',
    in: 'equal',
    find: { call: 'sameEntries' },
    to: 'false',
    ...PLANS,
  },
  ...mistakes('plan/match/conceal.ts', { tests: ['plan/match/conceal.test.ts'] }, [
    ['the live side of a secret is shown', 'concealed', { condition: ['isValueObject'] }, 'false'],
    ['what repeats a secret elsewhere is shown', 'conceal', { condition: ['repeatsSecret'] }, 'true'],
    ['items beside a secret are shown', 'concealed', { condition: ['holdsSecret'] }, 'true'],
    ['keys beside a secret are shown', 'concealed', { condition: ['own', 'field'] }, 'false'],
  ]),
  {
    name: 'a place that must be shown may hold a secret',
    file: 'catalog/secrecy/secrecy.ts',
    in: 'whyNeverSecret',
    find: { body: true },
    to: '{ return undefined; }',
    tests: ['properties/secrets.test.ts'],
  },
  ...mistakes('core/secrets/secret.ts', { tests: ['core/secret.test.ts'] }, [
    ['a secret is itself as text', 'Secret.toString', { body: true }, '{ return this.#value; }'],
    ['a secret is itself as JSON', 'Secret.toJSON', { body: true }, '{ return this.#value; }'],
  ]),
];

const DIGESTS: readonly Mutant[] = [
  {
    name: 'digests of secrets are as quick to guess as others',
    file: 'resource/digests.ts',
    in: 'fieldDigest',
    find: { call: 'digestOfValue' },
    to: "digestOfValue($0, 'plain', $2)",
    ...PLANS,
  },
  {
    name: 'digests of secrets have no salt',
    file: 'core/digest.ts',
    in: 'secretDigest',
    find: { call: 'scryptSync' },
    to: "scryptSync($0, '', $2, $3)",
    ...PLANS,
  },
  {
    name: 'a finding about one secret is that about the next',
    file: 'drift/finding.ts',
    in: 'secretDigests',
    find: { condition: ['sensitive'] },
    to: 'true',
    ...PLANS,
  },
];

const RENEWED: readonly Mutant[] = [
  {
    name: 'a value that becomes secret leaves its marker as it was',
    file: 'resource/digests.ts',
    in: 'tellsOtherSecrets',
    find: { body: true },
    to: '{ return false; }',
    ...PLANS,
  },
  {
    name: 'an ignored value that becomes secret leaves its marker as it was',
    file: 'plan/decide/outdated-digests.ts',
    in: 'outdatedFields',
    find: { value: 'ignored' },
    to: '[]',
    ...PLANS,
  },
];

const CARRIED: readonly Mutant[] = [
  {
    name: 'an ignored secret is the live one',
    file: 'resource/carry.ts',
    in: 'withOwnSecrets',
    find: { body: true },
    to: '{ return live; }',
    ...PLANS,
  },
  {
    name: 'nobody knows which secrets a live object must have',
    file: 'resource/required-secrets.ts',
    in: 'requiredSecrets',
    find: { body: true },
    to: '{ return []; }',
    tests: ['plan/masked-modules.test.ts', 'export/hostile.test.ts'],
  },
];

const IGNORED_SECRETS: readonly Mutant[] = [
  ...mistakes('resource/diff.ts', { tests: ['plan/ignored-secrets.test.ts'] }, [
    ['an ignored secret is a difference', 'compare', { condition: ['isIgnored'] }, 'false'],
    ['what is not shown of an ignored secret is as it was', 'noteIgnoredSecret', { condition: ['isHidden'] }, 'false'],
  ]),
  ...mistakes('plan/decide/requests.ts', { tests: ['plan/ignored-secrets.test.ts'] }, [
    ['an ignored secret that the manifest lacks is removed', 'lackingSecrets', { body: true }, '{ return []; }'],
  ]),
  ...mistakes('plan/decide/changes.ts', { tests: ['plan/ignored-secrets.test.ts'] }, [
    ['no plan says that an ignored secret is sent', 'notesOf', { condition: ['secrets'] }, 'true'],
    ['an ignored secret that is proven to be there is told', 'unsentSecrets', { value: 'isProven' }, 'false'],
  ]),
  ...mistakes('plan/decide/update.ts', { tests: ['plan/ignored-secrets.test.ts'] }, [
    ['a marker says that an ignored secret was applied', 'unsentFields', { value: 'kept' }, '[]'],
  ]),
];

const MASKED: readonly Mutant[] = [
  {
    name: 'a mask is taken for the secret',
    file: 'resource/receive.ts',
    in: 'isMask',
    find: { body: true },
    to: "{ return text === ''; }",
    ...PLANS,
  },
  {
    name: 'an empty secret is one',
    file: 'manifest/rules/rules.ts',
    in: 'withoutEmpty',
    find: { body: true },
    to: '{ return spec; }',
    tests: ['manifest/rules/rules.test.ts'],
  },
  {
    name: 'an empty token is stored',
    file: 'reconcile/execution/token-files.ts',
    in: 'store',
    find: { operand: ['value', ''] },
    tests: ['reconcile/token-files.test.ts'],
  },
  {
    name: 'a secret that is not shown is sent for another reason, and not named',
    file: 'plan/decide/changes.ts',
    in: 'changesOf',
    find: { condition: ['writeOnlyChanged'] },
    to: 'diff.differences.length === 0',
    ...PLANS,
  },
  {
    name: 'a secret that is not shown is another one whenever its module is sent',
    file: 'plan/decide/cause.ts',
    in: 'areApplied',
    find: { value: 'likely' },
    to: '[diff.given]',
    ...PLANS,
  },
];

const READ = { tests: ['core/secrets/known.test.ts'] };

const READINGS: readonly Mutant[] = [
  { name: 'as JSON', find: { call: 'stringify' } },
  { name: 'in base64', find: { value: 'text' } },
].map(({ name, find }): Mutant => ({
  name: `a secret ${name} is not looked for`,
  file: 'core/secrets/known.ts',
  in: 'readingsOf',
  find,
  to: "''",
  ...READ,
}));

const WRITTEN: readonly Mutant[] = [
  ...READINGS,
  {
    name: 'a secret percent-encoded is not looked for',
    file: 'core/secrets/percent.ts',
    in: 'percentDecoded',
    find: { body: true },
    to: '{ return undefined; }',
    ...READ,
  },
  {
    name: 'a secret that begins inside the beginning of another one is overlooked',
    file: 'core/secrets/text-search.ts',
    in: '#childFor',
    find: { value: 'ending' },
    to: 'ROOT',
    ...READ,
  },
  {
    name: 'a short secret is looked for in any text',
    file: 'core/secrets/known.ts',
    find: { value: 'SHORTEST' },
    to: '4',
    ...READ,
  },
  {
    name: 'a line of a secret is not looked for',
    file: 'core/secrets/known.ts',
    in: 'longLinesOf',
    find: { body: true },
    to: '{ return []; }',
    ...READ,
  },
  {
    name: 'a short line of a secret is looked for',
    file: 'core/secrets/known.ts',
    find: { value: 'SHORTEST_LINE' },
    to: '15',
    ...READ,
  },
  {
    name: 'a secret of an object of others is not looked for',
    file: 'core/secrets/secret.ts',
    in: 'Secret.#register',
    find: { call: 'add' },
    to: 'undefined',
    tests: ['resource/known-secrets.test.ts', 'export/command.test.ts'],
  },
  {
    name: 'what a state calls sensitive in another resource is no secret',
    file: 'migrate/import.ts',
    in: 'registerText',
    find: { call: 'add' },
    to: 'undefined',
    tests: ['migrate/import.test.ts'],
  },
];

const SEEN_BY: readonly Mutant[] = [
  {
    name: 'a proxy sees what goes to this machine',
    file: 'service/http/undici-exchange.ts',
    in: 'createExchange',
    find: { operand: ['isLoopback'] },
    tests: ['service/undici-exchange.test.ts', 'cli/proxy.test.ts'],
  },
  {
    name: 'values of a variable that are not used are no secret',
    file: 'manifest/values/variables.ts',
    in: 'keep',
    find: { call: 'add' },
    to: 'undefined',
    tests: ['resource/known-secrets.test.ts'],
  },
  {
    name: 'what the service shows and nobody reads is no secret',
    file: 'resource/receive.ts',
    find: { call: 'add' },
    to: 'undefined',
    tests: ['resource/known-secrets.test.ts'],
  },
  {
    name: 'a password of a proxy is no secret',
    file: 'service/settings.ts',
    in: 'keepUserinfo',
    find: { call: 'add' },
    to: 'undefined',
    tests: ['cli/settings.test.ts'],
  },
  {
    name: 'credentials of the environment are no secrets before they are used',
    file: 'commands/shell/output-filter.ts',
    find: { call: 'registerCredentials' },
    to: 'undefined',
    tests: ['cli/settings.test.ts'],
  },
  {
    name: 'a variable whose secrecy is not known is no secret',
    file: 'manifest/values/variables.ts',
    in: 'isSurelyPlain',
    find: { body: true },
    to: '{ return sensitive !== true; }',
    tests: ['resource/known-secrets.test.ts'],
  },
];

const BROKEN = { file: 'manifest/text/broken-secrets.ts' } as const;
const PARSED = { file: 'manifest/text/quoted-file.ts' } as const;

const QUOTED_MISTAKES: readonly (Edit & { readonly name: string })[] = [
  {
    ...BROKEN,
    in: 'secretsInBrokenText',
    find: { condition: ['open', 'hasBegun'] },
    to: 'false',
    name: 'below its name',
  },
  { ...BROKEN, in: 'foundIn', find: { value: 'secret' }, to: 'undefined', name: 'behind its name' },
  { ...BROKEN, in: 'secretsInBrokenText', find: { value: 'names' }, to: 'SECRET_NAMES', name: 'that is a default' },
  { ...PARSED, in: 'secretsAt', find: { value: 'isSensitive' }, to: 'false', name: 'in its place' },
  {
    ...PARSED,
    in: 'isSensitiveVariable',
    find: { body: true },
    to: '{ return false; }',
    name: 'that is a default in its place',
  },
  { file: 'render/view/quote.ts', in: 'quoteFrom', find: { call: 'spansIn' }, to: '[]', name: 'that is known' },
];

const QUOTED = QUOTED_MISTAKES.map((row): Mutant => ({
  ...row,
  name: `a frame shows a secret ${row.name}`,
  tests: ['render/quoted-lines.test.ts'],
}));

const SHAPES: readonly Mutant[] = [
  {
    name: 'an object may lack what it cannot be without',
    file: 'resource/receive.ts',
    in: 'requireShown',
    find: { body: true },
    to: '{}',
    tests: ['service/shapes.test.ts'],
  },
  {
    name: 'a list may leave out the metadata of every object',
    file: 'service/read.ts',
    in: 'confirmUnmarked',
    find: { body: true },
    to: '{ return 0; }',
    tests: ['service/shapes.test.ts'],
  },
  {
    name: 'a list may be there twice',
    file: 'core/json-text.ts',
    in: 'repeatedList',
    find: { body: true },
    to: '{ return undefined; }',
    tests: ['service/http/body.test.ts'],
  },
  {
    name: 'a reference to a secret without a value is taken for a secret',
    file: 'resource/resolve.ts',
    in: 'resolveExpression',
    find: { condition: ['references'] },
    to: 'false',
    tests: ['policy/judge.test.ts'],
  },
];

export const SECRET_RULES: readonly Mutant[] = [
  ...HIDDEN,
  ...DIGESTS,
  ...RENEWED,
  ...CARRIED,
  ...IGNORED_SECRETS,
  ...MASKED,
  ...WRITTEN,
  ...SEEN_BY,
  ...QUOTED,
  ...SHAPES,
];
