// `plan --base REV` in repositories of git: in this process, but where only another environment or folder tells.

import { existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { edgeform } from '../support/cli.ts';
import { run } from '../support/host.ts';
import { usePlace } from '../support/place.ts';
import { commit, git, GIT_ENV, put, startRepository } from '../support/repository.ts';

const manifest = (...blocks: string[]) => `version: 1\nstack: shop\n${blocks.join('')}`;
const ADDRS = 'reserved_addrs:\n';
const addr = (name: string, description = name) => `  ${name}: { description: "${description}" }\n`;
const two = (a: string, b: string) => manifest(ADDRS, addr('a', a), addr('b', b));

const place = usePlace();
const inPlace = (...args: string[]) => run(args, { cwd: place.cwd, env: { ...GIT_ENV, ...place.env } });
const plan = (...args: string[]) => inPlace('plan', ...args);
const apply = (...args: string[]) => inPlace('apply', '--auto-approve', ...args);

interface PlanDocument {
  readonly fingerprint: string;
  readonly base: {
    readonly status: string;
    readonly commit: string;
    readonly manifest_digest: string | null;
    readonly no_longer_planned: readonly { readonly action: string; readonly address: string }[];
  };
  readonly steps: readonly { readonly action: string; readonly address: string; readonly origin?: string }[];
  readonly diagnostics: readonly { readonly code: string; readonly message: string; readonly fix?: string }[];
}

/** What a plan says of its base: the origin of each step, by its address. */
async function compared(...args: string[]) {
  const { code, stdout, stderr } = await plan('--format', 'json', ...args);
  expect(code, stderr + stdout).toBe(0);
  const { base, steps, diagnostics, fingerprint } = JSON.parse(stdout) as PlanDocument;
  const nameOf = ({ action, address }: { action: string; address: string }) => `${action} ${address.split('.')[1]}`;
  return {
    base,
    fingerprint,
    status: base.status,
    origins: Object.fromEntries(steps.map((step) => [nameOf(step), step.origin])),
    gone: base.no_longer_planned.map(nameOf),
    problems: diagnostics,
  };
}

const THIS = 'this-change';
const PENDING = 'already-pending';
const [first, HEAD] = [
  ['a', 'b'],
  ['--base', 'HEAD'],
] as const;

describe('each step is of this change, or was pending already', () => {
  beforeEach(async () => {
    startRepository(place.cwd, { 'edgeform.yaml': two(...first) });
    await apply();
  });

  test('a change, what was merged and not applied, and what is no longer planned', async () => {
    commit(place.cwd, { 'edgeform.yaml': `${two('merged', 'b')}${addr('c')}${addr('d')}` });
    put(place.cwd, { 'edgeform.yaml': `${two('merged', 'mine')}${addr('c')}${addr('e')}` });
    const { origins, gone, base, fingerprint } = await compared(...HEAD);
    expect(origins).toEqual({ 'update a': PENDING, 'update b': THIS, 'create c': PENDING, 'create e': THIS });
    expect(gone).toEqual(['create d']);
    expect(base).toMatchObject({ rev: 'HEAD', commit: git(place.cwd, 'rev-parse', 'HEAD') });
    const without = JSON.parse((await plan('--format', 'json')).stdout) as PlanDocument;
    expect(without.fingerprint).toBe(fingerprint);
    expect([without.base, base.manifest_digest]).toEqual([undefined, expect.stringMatching(/^sha256:/)]);
  });

  test('another change of the same object is this change; the same one and a shared reason is not', async () => {
    commit(place.cwd, { 'edgeform.yaml': two('merged', 'merged') });
    put(place.cwd, { 'edgeform.yaml': two('mine', 'merged') });
    expect((await compared(...HEAD)).origins).toEqual({ 'update a': THIS, 'update b': PENDING });
  });

  test('what was changed outside is pending, and shown apart', async () => {
    const [live] = place.emulator.objects('reserved_addrs').filter((one) => one['description'] === 'a');
    await fetch(`${place.emulator.url}/reserved_addrs/${String(live?.['id'])}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${place.emulator.apiKey}`,
        'service-version': '2',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ description: 'by hand' }),
    });
    put(place.cwd, { 'edgeform.yaml': two('a', 'mine') });
    expect((await compared(...HEAD)).origins).toEqual({ 'update a': PENDING, 'update b': THIS });
    const { stdout } = await plan(...HEAD);
    expect(stdout).toContain('This change: 1 to update. Drifted: 1 to update.');
    expect(stdout.indexOf('Changed outside: 1 to update')).toBeGreaterThan(stdout.indexOf('reserved_addrs.b'));
  });

  test('without a difference there is nothing of this change, and a merged change that is taken back is named', async () => {
    commit(place.cwd, { 'edgeform.yaml': two('merged', 'b') });
    expect((await plan(...HEAD)).stdout).toContain('This change: nothing. Already pending: 1 to update.');
    put(place.cwd, { 'edgeform.yaml': two('a', 'b') });
    const { stdout } = await plan(...HEAD);
    expect(stdout).toContain('Live state matches the manifest. This change: nothing. No longer planned: 1 to update.');
    expect(stdout).toMatch(/No longer planned; HEAD would do it:\n+\s+~ update reserved_addrs\.a/);
  });

  test('it sends no request more, and the plan is applied like any other', async () => {
    commit(place.cwd, { 'edgeform.yaml': two('merged', 'b') });
    put(place.cwd, { 'edgeform.yaml': two('merged', 'mine') });
    const asked = async (...args: string[]) => {
      const before = place.emulator.requests.length;
      await plan(...args);
      return place.emulator.requests
        .slice(before)
        .map(({ method, path }) => `${method} ${path}`)
        .sort();
    };
    expect(await asked(...HEAD, '--out', 'p.json')).toEqual(await asked());
    expect((await inPlace('show', 'p.json')).stdout).toContain(
      'This change: 1 to update. Already pending: 1 to update.',
    );
    const applied = await apply('p.json');
    expect([applied.code, applied.stdout]).toEqual([0, expect.not.stringContaining('This change')]);
    expect((await plan('--detailed-exitcode')).code).toBe(0);
  });

  test('a comment begins with what the change causes; the rest is folded below', async () => {
    commit(place.cwd, { 'edgeform.yaml': two('merged', 'b') });
    put(place.cwd, { 'edgeform.yaml': two('merged', 'mine') });
    const { stdout } = await plan(...HEAD, '--format', 'markdown');
    expect(stdout).toMatch(/### \S*shop\S*: This change: 1 to update\.\n\nAlready pending: 1 to update\./);
    const [own = '', pending = ''] = stdout.split(
      /<details>\n<summary><b>Already pending: 1 to update<\/b><\/summary>/,
    );
    expect([own, pending]).toEqual([expect.stringContaining('mine'), expect.stringContaining('merged')]);
    expect(own).not.toContain('merged');
    const { stdout: page } = await plan(...HEAD, '--format', 'html');
    expect(page).toMatch(
      /This change: 1 to update<[\s\S]*<details open="">[\s\S]*mine[\s\S]*Already pending: 1 to update<[\s\S]*<details><[\s\S]*merged/,
    );
  });

  test('targets are those of both, as far as the revision has them', async () => {
    commit(place.cwd, { 'edgeform.yaml': two('merged', 'merged') });
    put(place.cwd, { 'edgeform.yaml': `${two('merged', 'merged')}${addr('c')}` });
    expect((await compared(...HEAD, '--target', 'reserved_addrs.a')).origins).toEqual({ 'update a': PENDING });
    expect((await compared(...HEAD, '--target', 'reserved_addrs.c')).origins).toEqual({ 'create c': THIS });
  });
});

describe('the files are those of the revision', () => {
  const WITH_ALL = manifest(
    'variables: { v: { default: one } }\n',
    ADDRS,
    '  a: { description: "${var.v}" }\n',
    '  b: { description: "${file:note.txt}" }\n',
    '  c: { description: c }\n',
  );
  const files = {
    'in/m.yaml': WITH_ALL,
    'in/note.txt': 'noted',
    'vars.yaml': 'v: two\n',
    'over.yaml': 'stack: shop\noutputs: {}\n',
  };
  const OPTIONS = ['-f', 'in', '--var-file', 'vars.yaml', '--overlay', 'over.yaml', '--base', 'HEAD'];

  test.each<{ name: string; edit: Readonly<Record<string, string | undefined>>; own: readonly string[] }>([
    { name: 'nothing', edit: {}, own: [] },
    { name: 'a file of variables', edit: { 'vars.yaml': 'v: three\n' }, own: ['create a'] },
    { name: 'a file that is filled in', edit: { 'in/note.txt': 'other' }, own: ['create b'] },
    {
      name: 'an overlay',
      edit: { 'over.yaml': 'stack: shop\nreserved_addrs: { c: { description: other } }\n' },
      own: ['create c'],
    },
    { name: 'a manifest file more', edit: { 'in/n.yaml': `${ADDRS}${addr('d')}` }, own: ['create d'] },
    { name: 'a renamed file', edit: { 'in/m.yaml': undefined, 'in/o.yaml': WITH_ALL }, own: [] },
  ])('$name', async ({ edit, own }) => {
    startRepository(place.cwd, files);
    put(place.cwd, edit);
    const { origins, status } = await compared(...OPTIONS);
    expect(status).toBe('compared');
    expect(Object.keys(origins).filter((step) => origins[step] === THIS)).toEqual(own);
  });

  test('a secret that differs is this change, although both plans only say that it changes', async () => {
    const oidc = '{ issuer: "https://a.test", client_id: c, client_secret: "${file:secret.txt}" }';
    const text = manifest(
      'https_edges:\n  web:\n    hostports: ["a.example.com:443"]\n    routes:\n',
      `      all: { match: /, match_type: path_prefix, oidc: ${oidc} }\n`,
    );
    startRepository(place.cwd, { 'edgeform.yaml': text, 'secret.txt': 'first-secret' });
    expect((await apply()).code).toBe(0);
    commit(place.cwd, { 'secret.txt': 'merged-secret' });
    expect(Object.values((await compared(...HEAD)).origins)).toEqual([PENDING]);
    put(place.cwd, { 'secret.txt': 'other-secret' });
    expect(Object.values((await compared(...HEAD)).origins)).toEqual([THIS]);
    expect((await plan(...HEAD, '--detail', 'full')).stdout).not.toMatch(/(?:merged|other)-secret/);
  });

  test('without a manifest there, everything is this change', async () => {
    startRepository(place.cwd, { 'readme.md': 'x' });
    put(place.cwd, files);
    const { status, origins } = await compared(...OPTIONS);
    expect([status, [...new Set(Object.values(origins))]]).toEqual(['no-manifest', [THIS]]);
  });

  test('values in files that git does not track are those of now; so are those of a stream', async () => {
    const { 'vars.yaml': text, 'in/note.txt': note, ...tracked } = files;
    startRepository(place.cwd, tracked);
    put(place.cwd, { 'vars.yaml': text, 'in/note.txt': note });
    expect(Object.values((await compared(...OPTIONS)).origins)).toEqual([PENDING, PENDING, PENDING]);
  });

  test('links inside the repository are followed', async () => {
    put(place.cwd, files);
    symlinkSync('../in/m.yaml', join(place.cwd, 'in/n.yaml'));
    put(place.cwd, { 'in/m.yaml': undefined, 'real/m.yaml': WITH_ALL, 'in/x': '' });
    symlinkSync('../in', join(place.cwd, 'real/in'));
    symlinkSync('real/in', join(place.cwd, 'linked'));
    put(place.cwd, { 'in/n.yaml': undefined, 'in/m.yaml': WITH_ALL });
    startRepository(place.cwd, {});
    put(place.cwd, { 'in/note.txt': 'other' });
    const { origins } = await compared('-f', 'linked', '--base', 'HEAD');
    expect(origins).toEqual({ 'create a': PENDING, 'create b': THIS, 'create c': PENDING });
  });
});

describe('what is wrong at the revision is a warning', () => {
  const LACKING = manifest('variables: { level: {} }\n', ADDRS, '  a: { description: "${var.level}" }\n');
  const NOW = two(...first);

  test.each<{ name: string; then: Readonly<Record<string, string>>; args?: readonly string[]; says: RegExp }>([
    {
      name: 'a manifest that is wrong',
      then: { 'edgeform.yaml': 'version: 1\nstack: [\n' },
      says: /cannot be planned \(edgeform\.yaml:2:8\): /,
    },
    {
      name: 'a variable without a value',
      then: { 'edgeform.yaml': LACKING },
      says: /\(edgeform\.yaml:5:\d+\): .*level/,
    },
    {
      name: 'a file in Git LFS',
      then: { 'edgeform.yaml': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n' },
      says: /is kept in Git LFS there/,
    },
    {
      name: 'a file outside the folder of the manifest',
      then: { 'm/m.yaml': manifest(ADDRS, '  a: { description: "${file:../../x}" }\n') },
      args: ['-f', 'm'],
      says: /outside the manifest/,
    },
  ])('$name', async ({ then, args = [], says }) => {
    startRepository(place.cwd, then);
    put(place.cwd, { 'edgeform.yaml': NOW, ...(args.length > 0 && { 'm/m.yaml': NOW }) });
    const { status, origins, problems } = await compared(...HEAD, ...args);
    expect([status, origins]).toEqual(['unreadable', { 'create a': undefined, 'create b': undefined }]);
    expect(problems).toEqual([
      expect.objectContaining({
        code: 'base-unreadable',
        severity: 'warning',
        message: expect.stringMatching(says),
        fix: expect.stringMatching(/\w/),
      }),
    ]);
    expect((await plan(...HEAD, ...args, '--out', 'p.json')).code).toBe(0);
    expect((await apply(...args, 'p.json')).code).toBe(0);
  });

  test('links out of the repository are not followed', async () => {
    const outside = mkdtempSync(join(tmpdir(), 't-'));
    writeFileSync(join(outside, 'm.yaml'), NOW);
    put(place.cwd, { 'm/note.txt': 'x' });
    symlinkSync(join(outside, 'm.yaml'), join(place.cwd, 'm/m.yaml'));
    startRepository(place.cwd, {});
    put(place.cwd, { 'm/m.yaml': undefined });
    put(place.cwd, { 'm/m.yaml': NOW });
    const { status, problems } = await compared(...HEAD, '-f', 'm');
    expect([status, problems[0]?.message]).toEqual(['unreadable', expect.stringMatching(/outside|cannot be read/)]);
  });
});

describe('a revision that is none', () => {
  beforeEach(() => {
    startRepository(place.cwd, { 'edgeform.yaml': two(...first) });
  });

  test.each([
    ['an unknown name', 'nothing', /git does not know the revision "nothing"[\s\S]*git fetch origin nothing/],
    ['an option', '--output=evil', /git does not know the revision "--output=evil"/],
    ['a file of a commit', 'HEAD:edgeform.yaml', /git does not know the revision/],
    ['nothing', '', /git does not know the revision/],
  ])('%s fails before any request', async (_, rev, says) => {
    const { code, stderr, stdout } = await plan(`--base=${rev}`);
    expect([code, `${stdout}${stderr}`]).toEqual([4, expect.stringMatching(says)]);
    expect([place.emulator.requests, existsSync(join(place.cwd, 'evil'))]).toEqual([[], false]);
  });

  test('a stream has no revision', async () => {
    for (const args of [
      ['-f', '-'],
      ['--overlay', '-'],
      ['-f', '/dev/stdin'],
    ]) {
      const { code, stderr } = await plan(...HEAD, ...args);
      expect([code, stderr]).toEqual([64, expect.stringContaining(`--base cannot be combined with ${args.join(' ')}`)]);
    }
    expect(place.emulator.requests).toEqual([]);
  });

  test('a shallow clone lacks it until it is fetched', async () => {
    const base = git(place.cwd, 'rev-parse', 'HEAD');
    commit(place.cwd, { 'edgeform.yaml': two('a', 'mine') });
    const origin = place.cwd;
    place.cwd = join(mkdtempSync(join(tmpdir(), 't-')), 'clone');
    git(origin, 'clone', '--quiet', '--depth=1', `file://${origin}`, place.cwd);
    const { code, stderr } = await plan('--base', base);
    expect([code, stderr]).toEqual([4, expect.stringContaining(`git fetch origin ${base}`)]);
    git(place.cwd, 'fetch', '--quiet', '--depth=1', 'origin', base);
    expect((await compared('--base', base)).origins).toEqual({ 'create a': PENDING, 'create b': THIS });
  });

  test('nothing that the repository configures is run', async () => {
    const marks = ['filter', 'textconv', 'hook', 'monitor'].map((name) => join(place.cwd, `ran-${name}`));
    const [filter = '', textconv = '', hook = '', monitor = ''] = marks.map((path) => `touch ${path}; cat`);
    put(place.cwd, { '.gitattributes': '*.yaml filter=f diff=d\n' });
    git(place.cwd, 'config', 'diff.d.textconv', textconv);
    git(place.cwd, 'config', 'diff.external', textconv);
    commit(place.cwd);
    git(place.cwd, 'config', 'filter.f.clean', filter);
    git(place.cwd, 'config', 'filter.f.smudge', filter);
    git(place.cwd, 'config', 'core.fsmonitor', monitor);
    for (const name of ['post-checkout', 'post-index-change', 'reference-transaction'])
      writeFileSync(join(place.cwd, '.git/hooks', name), `#!/bin/sh\n${hook}\n`, { mode: 0o755 });
    put(place.cwd, { 'edgeform.yaml': two('a', 'mine') });
    expect((await compared(...HEAD)).status).toBe('compared');
    expect(marks.filter((path) => existsSync(path))).toEqual([]);
    expect(readFileSync(join(place.cwd, 'edgeform.yaml'), 'utf8')).toContain('mine');
  });
});

describe('what a pull request brings along', () => {
  const SECRET = 'a-secret-that-was-plain';

  test('what this change calls secret is in no document, although the base shows it', async () => {
    const used = `${ADDRS}  a: { description: "\${var.tok}" }\n`;
    startRepository(place.cwd, { 'edgeform.yaml': manifest('variables: { tok: { default: none } }\n', used) });
    put(place.cwd, { 'edgeform.yaml': manifest('variables: { tok: { sensitive: true } }\n') });
    const env = { ...GIT_ENV, ...place.env, EDGEFORM_VAR_tok: SECRET };
    const { code, stdout, stderr } = await edgeform(['plan', '--base', 'HEAD', '--format', 'json', '--out', 'p.json'], {
      cwd: place.cwd,
      env,
    });
    expect(code, stderr).toBe(0);
    const saved = readFileSync(join(place.cwd, 'p.json'), 'utf8');
    for (const text of [stdout, saved, stderr]) expect(text).not.toContain(SECRET);
    const { base } = JSON.parse(stdout) as PlanDocument;
    expect(base.no_longer_planned).toEqual([
      { action: 'create', address: 'reserved_addrs.a', kind: 'reserved_addr', live_id: null },
    ]);
  });

  test('files that look like a repository are none, and nothing that they name is run', async () => {
    startRepository(place.cwd, { 'edgeform.yaml': two(...first) });
    const inner = join(place.cwd, 'inner');
    const trap = join(place.cwd, 'trapped');
    const config = `[core]\nbare = false\nworktree = .\n[filter "x"]\nclean = touch ${trap}; cat\n`;
    put(place.cwd, {
      'inner/HEAD': 'ref: refs/heads/main\n',
      'inner/objects/keep': '',
      'inner/refs/keep': '',
      'inner/config': config,
      'inner/.gitattributes': '*.yaml filter=x\n',
      'inner/edgeform.yaml': two('a', 'mine'),
      'inner/edgeform.fleet.yaml': 'version: 1\nstacks: [{ name: a, path: edgeform.yaml }]\n',
    });
    const env = { ...GIT_ENV, ...place.env };
    for (const args of [
      ['plan', '--base', 'HEAD'],
      ['fleet', 'list', '--changed-since', 'HEAD'],
    ]) {
      const { code, stderr } = await edgeform(args, { cwd: inner, env });
      expect([code, stderr]).toEqual([4, expect.stringContaining('not a checkout of git')]);
    }
    expect(existsSync(trap)).toBe(false);
  });
});
