// completion: real bash answers with commands, flags and values; every script has every command and flag.

import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { edgeform, folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

const cwd = folder({ 'a file.yaml': '', 'plan.json': '' });
const print = async (...args: string[]) => run(['completion', ...args], { cwd, env: {} });

let script = '';
let file = '';
beforeAll(async () => {
  script = (await print('bash')).stdout;
  file = join(folder({ script }), 'script');
});

/** What bash would offer for the words, the last of which is being typed. */
function complete(...words: string[]): string[] {
  const program = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _edgeform; printf "%s\\n" "${COMPREPLY[@]}"';
  const text = execFileSync('bash', ['-uc', program, file, 'edgeform', ...words], { cwd, encoding: 'utf8' });
  return text.split('\n').filter((line) => line !== '');
}

describe('bash', () => {
  test('commands, at the top and below', () => {
    expect(complete('pl')).toEqual(['plan']);
    expect(complete('')).toEqual(
      expect.arrayContaining(['plan', 'apply', 'output', 'sessions', 'completion', '--help']),
    );
    expect(complete('sessions', '')).toEqual(['list', 'revoke', '--help']);
    expect(complete('list', '')).not.toContain('revoke');
    expect(complete('nonsense-')).toEqual([]);
  });

  test('the flags of the command, and no others', () => {
    expect(complete('plan', '--targ')).toEqual(['--target']);
    expect(complete('validate', '--targ')).toEqual([]);
    expect(complete('sessions', 'revoke', 'as_1', '--auto')).toEqual(['--auto-approve']);
    expect(complete('sessions', 'list', '--auto')).toEqual([]);
    expect(complete('plan', '-f', 'x.yaml', '--deb')).toEqual(['--debug']);
  });

  test('the values of flags and arguments with fixed choices', () => {
    expect(complete('plan', '--color', '')).toEqual(['auto', 'always', 'never']);
    expect(complete('plan', '--detail', 'c')).toEqual(['changes']);
    expect(complete('graph', '--format', '')).toEqual(['mermaid', 'dot']);
    expect(complete('graph', '--format', '=', 'd')).toEqual(['dot']);
    expect(complete('graph', '--format', '=')).toEqual(['mermaid', 'dot']);
    expect(complete('init', '--ci', 'git')).toEqual(['github', 'gitlab']);
    expect(complete('completion', 'z')).toEqual(['zsh']);
    expect(complete('explain', 'tls')).toEqual(['tls_edges']);
    expect(complete('plan', '--concurrency', '')).toEqual([]);
  });

  test('the shell offers files where there is nothing to choose from', () => {
    expect(script).toMatch(/^complete -o default -F _edgeform edgeform$/m);
    expect(complete('plan', '-f', 'a')).toEqual([]);
    expect(complete('apply', 'pl')).toEqual([]);
  });

  test('a value that reads like a command is still a value', () => {
    expect(complete('validate', '--var', 'sessions', '')).toContain('--var-file');
    expect(complete('validate', '--var', '=', 'sessions', '')).toContain('--var-file');
  });
});

test('every script has every command and every flag of the command line', async () => {
  const collect = async (path: readonly string[]): Promise<string[]> => {
    const { stdout } = await run([...path, '--help'], { cwd, env: {} });
    const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map((found) => found[1]!);
    const below = (stdout.split('Commands:\n')[1] ?? '').matchAll(/^ {2}([a-z][\w-]*)/gm);
    const names = [...below].map((found) => found[1]!).filter((name) => name !== 'help');
    const inner = await Promise.all(names.map((name) => collect([...path, name])));
    return [...flags, ...names, ...inner.flat()];
  };
  const words = [...new Set(await collect([]))];
  expect(words.length).toBeGreaterThan(40);
  expect(words).toEqual(expect.arrayContaining(['revoke', '--auto-approve', 'emulator', '--faults']));
  const [zsh, fish] = [(await print('zsh')).stdout, (await print('fish')).stdout];
  for (const word of words) {
    expect(script, word).toMatch(new RegExp(`[' ]${word}[' ]`));
    expect(zsh, word).toMatch(new RegExp(`'${word}[':]`));
    expect(fish, word).toMatch(new RegExp(word.startsWith('--') ? `-l ${word.slice(2)} ` : `-a ${word} `));
  }
});

test('the scripts have balanced quotes, and the shells that are here accept them', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await print(shell);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const line of stdout.split('\n').filter((one) => !one.startsWith('#')))
      expect((line.replaceAll(String.raw`'\''`, '').match(/'/g) ?? []).length % 2, line).toBe(0);
    // From a file: not every shell reads a script to check from its standard input.
    const cwd = folder({ script: stdout });
    const checked = spawnSync(shell, ['-n', join(cwd, 'script')], { encoding: 'utf8' });
    if (checked.error === undefined) expect(checked.stderr).toBe('');
  }
});

test('other shells are wrong usage, and no settings are read', async () => {
  for (const args of [[], ['tcsh'], ['bash', 'zsh'], ['bash', '--nope']])
    expect((await print(...args)).code, args.join(' ')).toBe(64);
  const { code, stdout } = await edgeform(['completion', 'bash'], { cwd, env: { EDGEFORM_BASE_URL: 'not a url' } });
  expect(code).toBe(0);
  expect(stdout).toBe(script);
});
