// Every option that takes a path to write: files are replaced or added to; links and devices are written through where nothing is
// read back, and else refused, like pipes. What was lost is in the exit code and in the report.

import { spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { FileError } from '../../src/platform/file-error.ts';
import type { Files } from '../../src/platform/files.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { CLI, edgeform, folder } from '../support/cli.ts';
import { run as runIn } from '../support/host.ts';
import { usePlace } from '../support/place.ts';
import { FOLDER, ODD_PLACES } from '../support/special-paths.ts';

const MANIFEST = 'version: 1\nstack: shop\nreserved_addrs: { a: {}, b: {} }\n';
const FULL = '/dev/full';

const place = usePlace({ 'edgeform.yaml': MANIFEST });

const at = (name: string) => join(place.cwd, name);
const textOf = (name: string) => readFileSync(at(name), 'utf8');
const run = (...args: string[]) => edgeform(args, place);
const { run: here } = place;
const { writes } = place;

/** The exit code of the program in a shell, with redirections. */
async function inShell(args: readonly string[], redirections: string, before = ''): Promise<unknown> {
  const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`);
  const script = `${before} ${words.join(' ')} ${redirections}`;
  const child = spawn('bash', ['--norc', '-c', script], {
    cwd: place.cwd,
    env: { PATH: process.env['PATH'] ?? '', ...place.env },
  });
  return new Promise((done) => child.once('close', done));
}

interface Writer {
  readonly option: string;
  readonly args: (path: string) => string[];
}

const SAVED: Writer = { option: 'plan --out', args: (path) => ['plan', '--out', path] };

/** Those whose output nobody of us reads back. */
const TOLD: readonly Writer[] = [
  { option: 'plan --summary-file', args: (path) => ['plan', '--summary-file', path] },
  { option: 'validate --summary-file', args: (path) => ['validate', '--summary-file', path] },
  { option: 'drift --summary-file', args: (path) => ['drift', '--summary-file', path] },
  { option: 'apply --summary-file', args: (path) => ['apply', '--auto-approve', '--summary-file', path] },
  { option: 'apply --events', args: (path) => ['apply', '--auto-approve', '--events', path] },
];

describe.each([SAVED, ...TOLD])('$option', ({ args }) => {
  test.each([...ODD_PLACES, FOLDER])('refuses $name, which stays as it is', async ({ make }) => {
    const path = make(place.cwd);
    const before = existsSync(path) ? lstatSync(path).mode : undefined;
    const { code, stderr } = await here(...args(path));
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([74, expect.stringContaining(path)]);
    expect(stderr).not.toContain('made a mistake');
    if (before !== undefined) expect(lstatSync(path).mode).toBe(before);
    expect(readdirSync(place.cwd).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe.each(TOLD)('$option', ({ args }) => {
  test.each([
    ['to a file', 'file'],
    ['to nothing', 'new'],
  ])('writes through a link %s, which stays', async (_, target) => {
    mkdirSync(at('real'));
    writeFileSync(at('real/file'), '');
    symlinkSync(`real/${target}`, at('link'));
    expect((await here(...args(at('link')))).code).toBe(0);
    expect([lstatSync(at('link')).isSymbolicLink(), textOf('link').length > 0]).toEqual([true, true]);
    expect(readdirSync(at('real')).sort()).toEqual([...new Set(['file', target])]);
  });

  test('writes through devices', async () => {
    expect((await here(...args('/dev/null'))).code).toBe(0);
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test.skipIf(!existsSync(FULL))('says in its document and by exit code 74 that the disk is full', async () => {
    const { code, stdout, stderr } = await here(...args(FULL), '--format', 'json');
    expect([code, stderr]).toEqual([74, expect.stringContaining('there is no space left (ENOSPC)')]);
    const document = JSON.parse(stdout) as { exit_code?: number; diagnostics: { code: string }[] };
    expect(document.diagnostics).toMatchObject([{ code: 'output-failed' }]);
    if (document.exit_code !== undefined) expect(document.exit_code).toBe(74);
    expect(lstatSync(FULL).isCharacterDevice()).toBe(true);
  });
});

describe('plan --out, which apply reads back', () => {
  const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/ptmx', FULL].filter((path) => existsSync(path));

  test.each(DEVICES)('refuses %s, which keeps nothing, in its document, too', async (path) => {
    for (const format of ['text', 'json']) {
      const { code, stdout, stderr } = await here('plan', '--out', path, '--format', format);
      expect([code, stderr]).toEqual([74, expect.stringContaining('it is not a regular file')]);
      expect(stderr).not.toContain('edgeform apply');
      if (format === 'json') expect(JSON.parse(stdout)).toMatchObject({ diagnostics: [{ code: 'output-failed' }] });
    }
    expect(lstatSync(path).isCharacterDevice()).toBe(true);
  });

  test.each(['file', 'new'])('follows no link, here to %s', async (target) => {
    mkdirSync(at('real'));
    writeFileSync(at('real/file'), 'as it was');
    symlinkSync(`real/${target}`, at('link'));
    const { code, stderr } = await here('plan', '--out', 'link');
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([74, expect.stringContaining('it is a symbolic link')]);
    expect([lstatSync(at('link')).isSymbolicLink(), textOf('real/file')]).toEqual([true, 'as it was']);
    expect(readdirSync(at('real'))).toEqual(['file']);
  });

  test('replaces a file of other rights by one for its owner only', async () => {
    writeFileSync(at('p.json'), 'old', { mode: 0o644 });
    const { code, stderr } = await here('plan', '--out', 'p.json');
    expect([code, stderr]).toEqual([0, expect.stringContaining('edgeform apply p.json')]);
    expect((statSync(at('p.json')).mode & 0o777).toString(8)).toBe('600');
  });
});

test('a plan that could not be saved is shown, and what is shown can be used', async () => {
  const { code, stdout } = await here('plan', '--format', 'json', '--out', FULL);
  writeFileSync(at('shown.json'), stdout);
  expect([code, (await here('apply', '--auto-approve', 'shown.json')).code]).toEqual([74, 0]);
});

describe('what is worse than lost output keeps its exit code', () => {
  test('a failed step', async () => {
    await place.restart({
      faults: [
        { match: { method: 'POST', nth: 2 }, action: 'status', status: 400, body: { status_code: 400, msg: 'no' } },
      ],
    });
    const args = ['--auto-approve', '--concurrency', '1', '--format', 'json', '--events', FULL, '--summary-file', FULL];
    const { code, stdout } = await here('apply', ...args);
    const report = JSON.parse(stdout) as { exit_code: number; result: string; diagnostics: { code: string }[] };
    expect([code, report.exit_code, report.result]).toEqual([3, 3, 'partial']);
    expect(report.diagnostics.filter((one) => one.code === 'output-failed')).toHaveLength(2);
  });

  test('an invalid manifest, whose summary cannot be written either', async () => {
    writeFileSync(at('edgeform.yaml'), 'stack: [');
    const { code, stdout } = await here('plan', '--format', 'json', '--summary-file', FULL);
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({ exit_code: 4 });
    expect(stdout).toContain('output-failed');
  });

  test('a service that cannot be read, with a full standard output', async () => {
    expect(
      await inShell(['plan', '--base-url', 'http://127.0.0.1:9', '--deadline', '1', '--format', 'json'], `> ${FULL}`),
    ).toBe(1);
  });
});

describe('a pipe whose reader is gone', () => {
  const GONE = ['2> err >&8', 'exec 8> >(:); wait $!;'] as const;
  const CUT = [
    ['graph'],
    ['graph', '--format', 'dot'],
    ['completion', 'bash'],
    ['schema'],
    ['export', '--all'],
    ['output', 'address'],
    ['plan', '--format', 'json'],
  ];

  test.each(CUT.map((args) => ({ args })))('cuts $args, which says so', async ({ args }) => {
    writeFileSync(at('edgeform.yaml'), `${MANIFEST}outputs: { address: always }\n`);
    expect(await inShell(args, ...GONE)).toBe(74);
    expect(textOf('err')).toContain('standard output could not be written completely');
  });

  test.each(['plan', 'explain', 'export --help', 'plan --format json --help'])('is no matter to %s', async (line) => {
    expect(await inShell(line.split(' '), ...GONE)).toBe(0);
    expect(textOf('err')).toBe('');
  });
});

test('events that lead nowhere stop a run before its first write', async () => {
  expect((await here('apply', '--auto-approve', '--events', at('none/events'))).code).toBe(74);
  expect(writes()).toEqual([]);
});

describe('the journal and tokens are files of our own', () => {
  test.each([...ODD_PLACES, FOLDER])('a journal is never written to $name', async ({ make }) => {
    const path = make(place.cwd);
    const { code } = await here('apply', '--auto-approve', '--journal', path);
    expect([4, 74]).toContain(code);
    expect(writes()).toEqual([]);
  });

  test('a journal through a link is refused, and the link stays', async () => {
    writeFileSync(at('real'), '');
    symlinkSync('real', at('link'));
    symlinkSync('none', at('dangling'));
    for (const name of ['link', 'dangling']) {
      const { code } = await here('apply', '--auto-approve', '--journal', name);
      expect([[1, 74].includes(code ?? 0), lstatSync(at(name)).isSymbolicLink()]).toEqual([true, true]);
    }
    expect(writes()).toEqual([]);
  });

  test('--token-dir is no link, and the words say so', async () => {
    writeFileSync(at('edgeform.yaml'), 'version: 1\nstack: shop\napi_keys: { a: {} }\n');
    mkdirSync(at('real'));
    symlinkSync('real', at('link'));
    const { code, stderr } = await here('apply', '--auto-approve', '--token-dir', 'link');
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([74, expect.stringContaining('it is a symbolic link')]);
    expect([writes(), readdirSync(at('real'))]).toEqual([[], []]);
  });

  test.each(['/proc/tokens', '/proc/self/tokens/of/mine', '/dev/null', '/dev/null/tokens', '/sys/tokens'])(
    '--token-dir %s is refused, and nothing waits',
    async (path) => {
      writeFileSync(at('edgeform.yaml'), 'version: 1\nstack: shop\napi_keys: { a: {} }\n');
      const { code, stderr } = await run('apply', '--auto-approve', '--token-dir', path);
      expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([74, expect.stringContaining(path)]);
      expect(writes()).toEqual([]);
    },
  );
});

test.each(ODD_PLACES.filter(({ name }) => name !== 'a file as a folder'))(
  'a token that takes the place of another is not lost on $name',
  async ({ make }) => {
    const keys = (more: string) => `version: 1\nstack: shop\napi_keys: { a: { ${more} } }\n`;
    const again = () => here('apply', '--auto-approve', '--token-dir', 'tokens', '--allow-loss', 'api_keys.a');
    writeFileSync(at('edgeform.yaml'), keys('owner_id: usr_1'));
    expect((await again()).code).toBe(0);
    rmSync(at('tokens/api_keys.a.token'));
    renameSync(make(place.cwd), at('tokens/api_keys.a.token'));
    writeFileSync(at('edgeform.yaml'), keys('owner_id: usr_2'));
    place.emulator.requests.length = 0;
    expect(await again()).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/not\s+a\s+regular\s+file\s+that\s+can\s+be\s+overwritten/),
    });
    expect(writes()).toEqual([]);
  },
);

describe('init', () => {
  test.each(['/proc/new', '/proc/self/new/project', '/dev/null/new'])(
    '%s is refused, and nothing waits',
    async (path) => {
      const { code, stderr } = await run('init', path);
      // What lies near the folder of the test is named from there.
      const name = path.replace(/^\/(dev|proc)\//, '');
      expect([[4, 74].includes(code ?? 0), stderr]).toEqual([true, expect.stringContaining(name)]);
    },
  );
});

test('the state of the emulator is replaced through a link, which stays', async () => {
  symlinkSync('real.json', at('state'));
  const service = await startEmulator({ stateFile: at('state') });
  place.env['EDGEFORM_BASE_URL'] = service.url;
  place.env['EDGEFORM_API_KEY'] = service.apiKey;
  expect((await here('apply', '--auto-approve')).code).toBe(0);
  await service.close();
  expect([lstatSync(at('state')).isSymbolicLink(), textOf('real.json').includes('reserved_addr')]).toEqual([
    true,
    true,
  ]);
});

describe('a disk that is full under the journal', () => {
  /** Files that fail from the n-th write on. */
  const failingFrom = (first: number): { readonly files: Files; readonly count: () => number } => {
    let count = 0;
    const guard = <Args extends readonly [string, ...unknown[]], T>(work: (...args: Args) => T) => {
      return (...args: Args): T => {
        count += 1;
        if (count >= first) throw new FileError(args[0], 'ENOSPC');
        return work(...args);
      };
    };
    const files: Files = {
      ...nodeFiles,
      writeAtomic: guard(nodeFiles.writeAtomic),
      openAppender: (path) => {
        const { append, close } = nodeFiles.openAppender(path);
        return { append: async (text) => guard((_: string) => append(text))(path), close };
      },
      createExclusive: guard(nodeFiles.createExclusive),
      prepareDirectory: guard(nodeFiles.prepareDirectory),
    };
    return { files, count: () => count };
  };

  test('at every point: the exit code is never 0, it is that of the document, and the document says why', async () => {
    const all = failingFrom(Infinity);
    expect((await runIn(['apply', '--auto-approve'], { ...place, ports: { files: all.files } })).code).toBe(0);
    for (let point = 1; point <= all.count(); point++) {
      await place.restart();
      place.cwd = folder({ 'edgeform.yaml': MANIFEST });
      const { files } = failingFrom(point);
      const args = ['apply', '--auto-approve', '--format', 'json', '--concurrency', '1'];
      const { code, stdout } = await runIn(args, { ...place, ports: { files } });
      const { exit_code, diagnostics } = JSON.parse(stdout) as {
        exit_code: number;
        diagnostics: { code: string; message: string }[];
      };
      const said = diagnostics.filter((one) => one.code === 'output-failed');
      expect([[74, 3, 1].includes(code ?? 0), exit_code, said.length], `point ${point}`).toEqual([true, code, 1]);
      expect(said[0]?.message, `point ${point}`).toMatch(/\.edgeform.*there is no space left \(ENOSPC\)/);
      if (writes().length === 0) expect(code).not.toBe(3);
    }
  });
});
