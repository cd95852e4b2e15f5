// Names in the environment that nothing reads: which of them are told, and that their values never are.

import { expect, test } from 'vitest';
import { mistypedNames } from '../../src/commands/options/mistyped-names.ts';

const VALUE = 'the-value-of-the-name';

test.each<readonly [name: string, fix: string | undefined]>([
  ['EDGEFORM_APIKEY', 'did you mean EDGEFORM_API_KEY?'],
  ['EDGEFORM_CAPABILITES', 'did you mean EDGEFORM_CAPABILITIES?'],
  ['EDGEFORM_VAR_OAUTH_SECRET', 'did you mean EDGEFORM_VAR_oauth_secret?'],
  ['EDGEFORM_VAR_oauth_secert', 'did you mean EDGEFORM_VAR_oauth_secret?'],
  ['EDGEFORM_VAR_oauth_secret', undefined],
  ['EDGEFORM_VAR_of_another_stack', undefined],
  // The variable that is near has a value of its own, so the name is that of another stack.
  ['EDGEFORM_VAR_region2', undefined],
  ['EDGEFORM_MY_OWN', undefined],
  ['EDGEFORM_CHROMIUM', undefined],
  ['edgeform_api_key', undefined],
])('%s: %s', (name, fix) => {
  const found = mistypedNames({ [name]: VALUE, EDGEFORM_VAR_region: 'eu', PATH: '/bin' }, ['oauth_secret', 'region']);
  expect(found.map((problem) => problem.fix)).toEqual(fix === undefined ? [] : [fix]);
  expect(JSON.stringify(found)).not.toContain(VALUE);
});

test('a name that no shell can set is not proposed', () => {
  const [found, ...others] = mistypedNames({ EDGEFORM_VAR_db_pass: VALUE }, ['db-pass']);
  expect(others).toEqual([]);
  expect(found?.fix).toBe(
    'for db-pass, use --var-file FILE, or rename it in the manifest: no shell sets a name with a hyphen',
  );
});
