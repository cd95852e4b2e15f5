// The command that applies a saved plan: what was given, for a shell, without values of variables.

import { expect, test } from 'vitest';
import { optionsOf, quoted } from '../../src/commands/options/again.ts';
import { readSettings } from '../../src/commands/options/settings.ts';

const settings = readSettings(
  {
    file: ['a.yaml', 'b c.yaml'],
    targets: ["tls_edges.a'b"],
    allowDeletes: '5',
    var: ['token=hunter2'],
    apiKeyFile: 'key',
    baseUrl: 'https://api.example.com/',
  },
  {},
);

test('what apply needs', () => {
  expect(optionsOf(settings)).toEqual([
    '-f a.yaml',
    "-f 'b c.yaml'",
    '--base-url https://api.example.com/',
    '--api-key-file key',
    '--var token=VALUE',
  ]);
});

test('a word for a shell', () => {
  expect(['a.yaml', '', '-x', 'a\nb', '$(x)'].map(quoted)).toEqual(['a.yaml', "''", "'-x'", "'a\\nb'", "'$(x)'"]);
});
