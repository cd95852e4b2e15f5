// The files of a first manifest, as a command gets them written: all of them, or none.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeStarter } from '../../../src/commands/files/starter-files.ts';
import { Failure } from '../../../src/core/failure.ts';
import { folder } from '../../support/cli.ts';

const flags = {
  starterStack: 'shop',
  ci: 'gitlab',
  starterFleet: false,
  starterWaves: false,
  starterProposal: false,
  copyActions: false,
};

const git = () => Promise.resolve({ code: 'missing', stdout: '', stderr: '' } as const);
const about = { version: '1.2.3', git };

test('the paths are those that the caller sees, the manifest first', async () => {
  const cwd = folder({});
  const { files } = await writeStarter(join(cwd, 'shop'), cwd, flags, about);
  expect(files).toEqual(['shop/edgeform.yaml', 'shop/.gitlab-ci.yml', 'shop/.gitignore']);
  expect(readdirSync(join(cwd, 'shop')).sort()).toEqual(['.gitignore', '.gitlab-ci.yml', 'edgeform.yaml']);
});

test('nothing is written when one of them is there', async () => {
  const cwd = folder({ '.gitlab-ci.yml': 'mine' });
  await expect(writeStarter(cwd, cwd, flags, about)).rejects.toThrow(Failure);
  expect(readdirSync(cwd)).toEqual(['.gitlab-ci.yml']);
});
