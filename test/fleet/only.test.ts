// Which entries --only, --except and --wave let through.

import { expect, test } from 'vitest';
import { namesSelected, type Selection } from '../../src/fleet/select.ts';
import { isLike, isPathLike } from '../../src/core/text/glob.ts';

const ENTRIES = [
  { name: 'network' },
  { name: 'shop-prod', wave: 2 },
  { name: 'shop-staging', wave: 1 },
  { name: 'constructor', wave: 3 },
];
const NAMES = ENTRIES.map(({ name }) => name);

function selected(given: Partial<Selection>) {
  return namesSelected(ENTRIES, { only: [], except: [], wave: undefined, ...given });
}

test.each<[Partial<Selection>, readonly string[]]>([
  [{}, NAMES],
  [{ only: ['shop-*'] }, ['shop-prod', 'shop-staging']],
  [{ only: ['*-prod', 'network'] }, ['network', 'shop-prod']],
  [{ only: ['?etwork'] }, ['network']],
  [{ only: ['constructor'] }, ['constructor']],
  [{ except: ['shop-*'] }, ['network', 'constructor']],
  [{ except: ['*-prod', 'network'] }, ['shop-staging', 'constructor']],
  [{ only: ['shop-*'], except: ['*-prod'] }, ['shop-staging']],
  [{ only: ['network'], except: ['*'] }, []],
  [{ wave: 1 }, ['network', 'shop-staging']],
  [{ wave: 2, except: ['shop-prod'] }, []],
  [{ wave: 3, only: ['*'] }, ['constructor']],
])('%j', (given, found) => {
  expect(selected(given)).toEqual({ value: new Set(found), diagnostics: [] });
});

test('each pattern and each wave that names nothing is an error', () => {
  const only = ['netwerk', 'shop-*', 'x*', '__proto__'];
  const { value, diagnostics } = selected({ only, except: ['shop-prodd'], wave: 4 });
  expect(value).toBeUndefined();
  expect(diagnostics.map(({ message, fix }) => [message, fix])).toEqual([
    ['--only "netwerk" matches no entry of the fleet', 'did you mean "network"?'],
    ['--only "x*" matches no entry of the fleet', '`fleet list` shows the entries'],
    ['--only "__proto__" matches no entry of the fleet', '`fleet list` shows the entries'],
    ['--except "shop-prodd" matches no entry of the fleet', 'did you mean "shop-prod"?'],
    ['no entry of the fleet has wave 4', 'use 1, 2 or 3'],
  ]);
});

test('a pattern of many wildcards ends soon', () => {
  expect(isLike('a'.repeat(5_000), `${'*a'.repeat(500)}*b`)).toBe(false);
  expect(isPathLike(`${'a/'.repeat(500)}x`, `${'**/a/'.repeat(100)}y`)).toBe(false);
});
