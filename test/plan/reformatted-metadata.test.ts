// Metadata that an editor or a formatter laid out in another way, with the marker in it, is neither a change nor drift.

import { expect, test } from 'vitest';
import { usePlace } from '../support/place.ts';

const place = usePlace({});

const manifest = (metadata: string) =>
  `version: 1\nstack: shop\nreserved_addrs: { db: { metadata: ${JSON.stringify(metadata)} } }\n`;

/** Applies the metadata, and lets somebody edit what is stored. */
async function edited(metadata: string, edit: (stored: string) => string): Promise<void> {
  place.write(manifest(metadata));
  expect((await place.run('apply', '--auto-approve')).code).toBe(0);
  const [stored] = place.emulator.objects('reserved_addrs');
  await fetch(`${place.emulator.url}/reserved_addrs/${String(stored?.['id'])}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${place.emulator.apiKey}`,
      'service-version': '2',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ metadata: edit(String(stored?.['metadata'])) }),
  });
  expect(place.emulator.objects('reserved_addrs')[0]?.['metadata']).not.toBe(stored?.['metadata']);
}

const pretty = (text: string) => JSON.stringify(JSON.parse(text), null, 2);

test.each([
  { name: 'a JSON object on several lines', metadata: '{"team": "web", "tags": ["a b", "c"]}', edit: pretty },
  {
    name: 'a JSON object without blanks',
    metadata: '{ "team" : "w  b" }',
    edit: (text: string) => JSON.stringify(JSON.parse(text)),
  },
  { name: 'no text', metadata: '', edit: pretty },
  { name: 'an empty object', metadata: '{}', edit: pretty },
  {
    name: 'other line breaks',
    metadata: 'owned by web\nand ops',
    edit: (text: string) => text.replaceAll('\n', '\r\n'),
  },
  {
    name: 'a blank line before the marker',
    metadata: 'owned by web',
    edit: (text: string) => text.replace('\n', ' \n\n'),
  },
])('$name', async ({ metadata, edit }) => {
  await edited(metadata, edit);
  expect((await place.run('drift')).code).toBe(0);
  expect((await place.run('plan', '--detailed-exitcode')).code).toBe(0);
  expect((await place.run('apply', '--auto-approve')).code).toBe(0);
});

test.each([
  { name: 'another value', metadata: '{"team":"web"}', edit: (text: string) => text.replace('"web"', '"ops"') },
  { name: 'a blank inside a string', metadata: '{"team":"w b"}', edit: (text: string) => text.replace('w b', 'wb') },
  { name: 'another word', metadata: 'owned by web', edit: (text: string) => text.replace('web', 'ops') },
])('$name is drift', async ({ metadata, edit }) => {
  await edited(metadata, edit);
  expect((await place.run('drift')).code).toBe(2);
});

test('a text that the manifest lays out in another way is written', async () => {
  await edited('{"team":"web"}', pretty);
  place.write(manifest('{ "team": "web" }'));
  expect((await place.run('plan', '--detailed-exitcode')).code).toBe(2);
});
