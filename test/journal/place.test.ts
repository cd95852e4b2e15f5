// Where journals lie by default: one folder for each service, whose name every file system takes.

import { expect, test } from 'vitest';
import { journalOf, serviceFolder } from '../../src/journal/place.ts';

const folderOf = (url: string) => serviceFolder(new URL(url));

test.each([
  ['https://api.example.com', 'api.example.com_443'],
  ['https://API.example.com:443/v1', 'api.example.com_443'],
  ['http://localhost:8080', 'localhost_8080'],
  ['http://127.0.0.1:8080', '127.0.0.1_8080'],
  ['http://127.0.0.1', '127.0.0.1_80'],
  ['http://[::1]:8080', '--1_8080'],
  ['https://bücher.example', 'xn--bcher-kva.example_443'],
  ['https://con', 'con_443'],
])('%s has the folder %s', (url, folder) => {
  expect(folderOf(url)).toBe(folder);
});

test('no folder has a sign that a file system or an archive refuses', () => {
  for (const url of ['http://[2001:db8::1%25eth0]:1', 'http://a_b.test', "http://a'b*.test"]) {
    if (URL.canParse(url)) expect(folderOf(url)).toMatch(/^[a-z0-9._-]+_\d+$/);
  }
});

test('a long name is cut, and still another one for another host', () => {
  const long = (end: string) => folderOf(`https://${'label.'.repeat(40)}${end}`);
  expect(long('one').length).toBeLessThan(140);
  expect(long('one')).not.toBe(long('two'));
});

test('the journal of a stack is below the folder of its service', () => {
  expect(journalOf(new URL('http://localhost:9/v1'), 'shop')).toBe('.edgeform/localhost_9/shop.journal.jsonl');
});
