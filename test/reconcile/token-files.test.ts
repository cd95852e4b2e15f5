// Tokens that the service shows once: one private file each, nothing written over, and nothing left of what went again.

import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Recorder } from '../../src/apply/recorder.ts';
import { noRecord } from '../../src/apply/recorder.ts';
import { Failure } from '../../src/core/failure.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { FileError } from '../../src/platform/file-error.ts';
import { beginRun } from '../../src/platform/filter.ts';
import {
  discardToken,
  storedValues,
  tokenFilesOf,
  tokenFilesToKeep,
  tokenSink,
} from '../../src/reconcile/execution/token-files.ts';
import { memoryDisk } from '../journal/sample.ts';
import { planOf, stepOf } from '../render/sample.ts';
import { folder as makeFolder } from '../support/cli.ts';
import { liveOf, resultOf, snapshotOf } from './sample.ts';

const TOKEN = 'probe-token-5501';
const FILE = '/tokens/api_keys.ci.token';
const key = { address: 'api_keys.ci', kind: 'api_key' } as const;
const creation = stepOf({ id: 's1', action: 'create', ...key });
const replacement = stepOf({ id: 's1', action: 'replace', phase: 'create', ...key });
const edge = stepOf({ id: 's2', action: 'create', address: 'tls_edges.a', kind: 'tls_edge' });

let run: ReturnType<typeof beginRun>;
beforeEach(() => {
  run = beginRun();
});
afterEach(() => {
  run.end();
});

/** Files with this text in the place of the token. */
const diskWith = (text?: string) => memoryDisk(new Map(text === undefined ? [] : [[FILE, text]]));

function outcomeOf(work: () => unknown): string {
  try {
    work();
    return 'done';
  } catch (error) {
    if (error instanceof Failure) return error.diagnostics.map(({ code }) => code).join();
    throw error;
  }
}

describe('before anything is created', () => {
  test.each([
    { name: 'a plan without tokens needs no place', steps: [edge], folder: undefined, text: undefined, is: 'done' },
    {
      name: 'a token without a place stops the run',
      steps: [creation],
      folder: undefined,
      text: undefined,
      is: 'missing-setting',
    },
    { name: 'a token with a free name is fine', steps: [creation], folder: '/tokens', text: undefined, is: 'done' },
    {
      name: 'a token of a new key is written over nothing',
      steps: [creation],
      folder: '/tokens',
      text: 'old',
      is: 'token-file-taken',
    },
    {
      name: 'a token of a replacement may take the place of the old one',
      steps: [replacement],
      folder: '/tokens',
      text: 'old',
      is: 'done',
    },
    {
      name: 'a deletion of a key needs no place',
      steps: [stepOf({ id: 's1', action: 'delete', live_id: 'ak_1', ...key })],
      folder: undefined,
      text: undefined,
      is: 'done',
    },
  ])('$name', ({ steps, folder, text, is }) => {
    const { files } = diskWith(text);
    expect(outcomeOf(() => tokenSink(planOf({ steps }), { folder, files }, noRecord))).toBe(is);
  });

  test('what a replacement would write over must be a regular file', () => {
    const files = { ...diskWith('old').files, isReplaceable: () => false };
    expect(outcomeOf(() => tokenSink(planOf({ steps: [replacement] }), { folder: '/tokens', files }, noRecord))).toBe(
      'token-file-taken',
    );
  });
});

describe('a token that the service shows', () => {
  /** Stores the token of the answer, and gives what was said, noted and written. */
  async function storing(step: typeof creation, body: JsonObject, disk = diskWith()) {
    const noted: string[] = [];
    const record: Recorder = {
      ...noRecord,
      stored: (address, id) => Promise.resolve(void noted.push(`${address} ${id}`)),
    };
    const sink = tokenSink(planOf({ steps: [step] }), { folder: '/tokens', files: disk.files }, record);
    const said = await Promise.resolve()
      .then(() => sink(step, body))
      .then(
        () => '',
        (error: unknown) => String(error),
      );
    return { said, noted, disk };
  }

  test('goes to its file, and only then is noted as stored', async () => {
    const { noted, disk } = await storing(creation, { id: 'ak_1', token: TOKEN });
    expect([disk.content.get(FILE), noted]).toEqual([`${TOKEN}\n`, ['api_keys.ci ak_1']]);
  });

  test('of a replacement takes the place of the old one', async () => {
    const { disk } = await storing(replacement, { id: 'ak_2', token: TOKEN }, diskWith('old'));
    expect([disk.content.get(FILE), disk.effects]).toEqual([`${TOKEN}\n`, ['atomic']]);
  });

  test.each([
    { name: 'and is missing is told, and not noted', body: { id: 'ak_1', token: null } },
    { name: 'and is empty is told, and not noted', body: { id: 'ak_1', token: '' } },
    { name: 'and is no text is told, and not noted', body: { id: 'ak_1', token: 7 } },
  ])('$name', async ({ body }) => {
    const { said, noted, disk } = await storing(creation, body);
    expect([noted, disk.effects]).toEqual([[], []]);
    expect(said).toMatch(/no token/);
  });

  test('and cannot be written is told without it, and not noted', async () => {
    const disk = diskWith();
    disk.before = () => {
      throw new FileError(FILE, 'ENOSPC');
    };
    const { said, noted } = await storing(creation, { id: 'ak_1', token: TOKEN }, disk);
    expect(noted).toEqual([]);
    expect(said).toMatch(/not stored.*space/);
    expect(said).not.toContain(TOKEN);
  });
});

test.each([
  { name: 'a created key has a file', steps: [creation], id: 'ak_1', folder: '/tokens', files: [FILE] },
  { name: 'a key that was not created has none', steps: [creation], id: null, folder: '/tokens', files: [] },
  { name: 'an object without a token has none', steps: [edge], id: 'edgtls_1', folder: '/tokens', files: [] },
  { name: 'without a folder there is none', steps: [creation], id: 'ak_1', folder: undefined, files: [] },
])('$name', ({ steps, id, folder, files }) => {
  const results = steps.map((step) => resultOf(step.id, { live_id: id }));
  expect(tokenFilesOf(planOf({ steps }), results, { folder }).map(({ path }) => path)).toEqual(files);
});

test('files of tokens to keep are those that are there and those that may come, and no other', () => {
  const there = makeFolder({ 'old.token': 'x', 'notes.txt': 'x' });
  expect(tokenFilesToKeep(there, ['api_keys.ci'])).toEqual([
    join(there, 'old.token'),
    join(there, 'api_keys.ci.token'),
  ]);
  expect(tokenFilesToKeep(join(there, 'nowhere'), ['api_keys.ci'])).toEqual([
    join(there, 'nowhere', 'api_keys.ci.token'),
  ]);
  expect(tokenFilesToKeep(undefined, ['api_keys.ci'])).toEqual([]);
});

describe('the token of a key that was deleted again', () => {
  test('is removed', () => {
    const { files, content } = diskWith(TOKEN);
    expect([discardToken(key.address, { folder: '/tokens', files }), [...content]]).toEqual([undefined, []]);
  });

  test.each([
    {
      name: 'is told when it cannot be removed',
      error: new FileError(FILE, 'EROFS', 'removed'),
      says: /api_keys\.ci.*remove it/,
    },
    { name: 'does not hide a mistake of ours', error: new TypeError('a mistake'), says: undefined },
  ])('$name', ({ error, says }) => {
    const disk = diskWith(TOKEN);
    disk.before = () => {
      throw error;
    };
    const discard = () => discardToken(key.address, { folder: '/tokens', files: disk.files });
    if (says === undefined) expect(discard).toThrow(error);
    else expect(discard()).toMatch(says);
  });
});

describe('what proves that a token is held', () => {
  const marked = (address: string, token = 'pending') =>
    liveOf('ak_1', '', { marker: { v: 1, stack: 'shop', address, applied: { token } } });
  test.each([
    { name: 'a file of an object in doubt', live: marked('api_keys.ci'), folder: '/tokens', files: ['api_keys.ci'] },
    {
      name: 'no file of an object that is in no doubt',
      live: marked('api_keys.ci', 'digest'),
      folder: '/tokens',
      files: [],
    },
    { name: 'no file that is not there', live: marked('api_keys.other'), folder: '/tokens', files: [] },
    { name: 'no file that a marker of another kind names', live: marked('tls_edges.ci'), folder: '/tokens', files: [] },
    {
      name: 'no file that a marker names outside the folder',
      live: marked('../tokens/api_keys.ci'),
      folder: '/tokens',
      files: [],
    },
    { name: 'no file without a folder', live: marked('api_keys.ci'), folder: undefined, files: [] },
  ])('$name', ({ live, folder, files }) => {
    const found = storedValues(new Set(['ak_7']), snapshotOf([live]), { folder, files: diskWith('x').files });
    expect([[...found.ids], [...found.files]]).toEqual([['ak_7'], files]);
  });
});
