// Adding a kind, a command or an output format is adding one file, and adding a diagnostic is adding one row: made-up ones in
// a copy of the project work through the built binary after one `npm run generate`.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const KIND = `// A made-up kind.
import { identity, texts } from '../fields/common.ts';
import { defineKind } from '../kind.ts';
import { crud } from '../operations.ts';
import { assumed } from '../provenance.ts';

const source = assumed('ADR-0004');

export const kind = defineKind({
  name: 'ip_policy',
  manifestKey: 'ip_policies',
  title: 'IP policy',
  doc: 'A made-up kind.',
  source,
  idPrefix: 'ipp_',
  operations: crud('/ip_policies', 'ip_policies'),
  fields: {
    ...identity,
    ...texts,
    action: { type: 'string', values: ['allow', 'deny'], default: { value: 'allow' }, doc: 'What happens.', source },
  },
});
`;

const COMMAND = `// A made-up command.
import type { CommandSpec } from './shell/command.ts';

export const commands: readonly CommandSpec[] = [
  {
    position: 45,
    words: 'greet [name]',
    text: 'say hello',
    flags: { own: [{ flags: '--loud', text: 'with an exclamation mark' }] },
    help: { examples: ['greet world'], environment: [], exits: ['done'] },
    run: ({ invocation, args: [name = 'you'] }) => {
      invocation.stdout.write('hello ' + name + '\\n');
      return 'done';
    },
  },
];
`;

const FORMAT = `// A made-up output format.
import type { Writer } from '../writer.ts';

export const format = {
  name: 'shout',
  position: 70,
  isLog: false,
  draw: (view) => view.is.toUpperCase(),
} as const satisfies Writer;
`;

const CODE = `
  'made-up': {
    title: 'A made-up problem',
    explanation: 'Nothing is wrong.',
    fix: 'Nothing.',
  },
`;

const DRIVER = `
import { startEmulator } from './emulator/http/server.js';
import { execFileSync, spawn } from 'node:child_process';
const emulator = await startEmulator();
const run = (...args) => new Promise((done) => {
  const env = { PATH: process.env.PATH, EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  const child = spawn(process.execPath, ['dist/cli.js', ...args, '-f', 'new.yaml'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  child.on('close', (code) => done({ code, text }));
});
const codes = [];
for (const args of [['validate'], ['plan', '--detailed-exitcode'], ['apply', '--auto-approve'], ['plan', '--detailed-exitcode'], ['destroy', '--auto-approve']]) codes.push((await run(...args)).code);
console.log(JSON.stringify(codes));
await emulator.close();
`;

test('a made-up kind, command and format need one new file each, and a code one row', { timeout: 900_000 }, () => {
  const copy = mkdtempSync(join(tmpdir(), 'edgeform-kind-'));
  try {
    for (const name of ['src', 'scripts', 'package.json', 'tsconfig.json'])
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    // Compiled without checks, and so without the types of the platform and of packages: types are another stage of the tests,
    // and the slowest part of a build.
    const build = JSON.parse(readFileSync(join(ROOT, 'tsconfig.build.json'), 'utf8')) as { compilerOptions: object };
    const unchecked = { noCheck: true, declaration: false, noResolve: true, lib: ['es5'], types: [] };
    const compilerOptions = { ...build.compilerOptions, ...unchecked };
    writeFileSync(join(copy, 'tsconfig.build.json'), JSON.stringify({ ...build, compilerOptions }));
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    writeFileSync(join(copy, 'src/catalog/kinds/ip-policy.ts'), KIND);
    writeFileSync(join(copy, 'src/commands/greet.ts'), COMMAND);
    writeFileSync(join(copy, 'src/render/formats/shout.ts'), FORMAT);
    const codes = join(copy, 'src/core/codes.ts');
    writeFileSync(codes, readFileSync(codes, 'utf8').replace(/(\nexport const codes = [^{]*\{)/, `$1${CODE}`));
    const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
    node('scripts/generate.mjs');
    expect(() => node('scripts/run.mjs', 'scripts/generate/main.ts', '--check')).not.toThrow();
    expect(node('dist/cli.js', 'explain', 'ip_policies.action')).toContain('one of allow, deny');
    expect(node('dist/cli.js', 'greet', 'world')).toBe('hello world\n');
    expect(node('dist/cli.js', '--help')).toMatch(/drift[\s\S]*greet \[name\][\s\S]*show/);
    expect(node('dist/cli.js', 'completion', 'bash')).toContain('greet');
    expect(readFileSync(join(copy, 'docs/errors.md'), 'utf8')).toContain('A made-up problem');
    writeFileSync(
      join(copy, 'new.yaml'),
      'version: 1\nstack: new\nip_policies: { office: { action: deny, description: x } }\n',
    );
    expect(node('dist/cli.js', 'validate', '-f', 'new.yaml', '--format', 'shout')).toBe('PROBLEMS\n');
    writeFileSync(join(copy, 'dist/driver.js'), DRIVER);
    expect(JSON.parse(node('dist/driver.js'))).toEqual([0, 2, 0, 0, 0]);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
