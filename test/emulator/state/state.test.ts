// Objects of the emulator across restarts: the file has them all, and nothing else is taken for it.

import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadState, saveState } from '../../../src/emulator/state/state.ts';
import { FileError } from '../../../src/platform/file-error.ts';
import { folder } from '../../support/cli.ts';
import { storedOf } from '../stored.ts';

const objects = [
  storedOf('edghts_1', { hostports: ['a.example.com:443'] }),
  storedOf('edghtsrt_1', { match: '/' }, { parentId: 'edghts_1' }),
  storedOf('ak_1', {}, { once: { token: 'probe' } }),
];
const fileWith = (text: string) => join(folder({ 'state.json': text }), 'state.json');
const stateOf = (...items: unknown[]) => JSON.stringify({ version: 1, objects: items });

describe('a state file', () => {
  test('gives back what was saved', () => {
    const file = join(folder({}), 'state.json');
    saveState(file, objects);
    expect(loadState(file)).toEqual(objects);
  });

  test('is undefined while there is none, and empty when it was saved so', () => {
    const file = join(folder({}), 'state.json');
    expect(loadState(file)).toBeUndefined();
    saveState(file, []);
    expect(loadState(file)).toEqual([]);
  });

  test('is read by its owner only, because it holds tokens', () => {
    const file = join(folder({}), 'state.json');
    saveState(file, objects);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is written where its link leads', () => {
    const there = folder({ 'real.json': '' });
    const link = join(there, 'state.json');
    symlinkSync(join(there, 'real.json'), link);
    saveState(link, objects);
    expect(readFileSync(join(there, 'real.json'), 'utf8')).toContain('edghts_1');
  });

  test('that cannot be written is told as such', () => {
    expect(() => {
      saveState(join(folder({}), 'nowhere', 'state.json'), []);
    }).toThrow(FileError);
  });

  test('loses what is no text among tokens, and a parent that is none', () => {
    const file = fileWith(stateOf({ ...objects[2], parentId: 7, once: { token: 'x', other: 8 } }));
    expect(loadState(file)).toMatchObject([{ parentId: undefined, once: { token: 'x' } }]);
  });

  const { spec: _, ...incomplete } = objects[0]!;
  test.each([
    { name: 'no JSON', text: '{', says: /is not JSON/ },
    { name: 'another document', text: '{"objects":[]}', says: /not a state file/ },
    { name: 'another version', text: '{"version":2,"objects":[]}', says: /not a state file/ },
    { name: 'no list of objects', text: '{"version":1,"objects":{}}', says: /not a state file/ },
    { name: 'an item that is no object', text: stateOf('x'), says: /not an object/ },
    { name: 'an object of no known kind', text: stateOf({ ...objects[0], kind: 'colour' }), says: /no known kind/ },
    { name: 'an object without its values', text: stateOf(incomplete), says: /incomplete/ },
    { name: 'an object with a number for an id', text: stateOf({ ...objects[0], id: 1 }), says: /incomplete/ },
  ])('with $name is refused and left as it is', ({ text, says }) => {
    const file = fileWith(text);
    expect(() => loadState(file)).toThrow(says);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('is not taken from a folder', () => {
    expect(() => loadState(folder({}))).toThrow(FileError);
  });
});

test('saving again replaces everything', () => {
  const file = fileWith(stateOf(...objects));
  saveState(file, objects.slice(2));
  expect(loadState(file)).toEqual(objects.slice(2));
  writeFileSync(file, stateOf());
  expect(loadState(file)).toEqual([]);
});
