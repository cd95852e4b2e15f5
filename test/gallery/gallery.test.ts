// The gallery: every scenario in every format, the same each time, with links that lead somewhere, no secret and nothing live.

import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writers } from '../../src/render/formats/index.ts';
import type { View } from '../../src/render/view/view.ts';
import type { Writer } from '../../src/render/writer.ts';
import { writeGallery } from './gallery.ts';
import { SECRET } from './place.ts';
import { SCENARIOS } from './scenarios.ts';

const folders = [mkdtempSync(join(tmpdir(), 'gallery-')), mkdtempSync(join(tmpdir(), 'gallery-'))] as const;
const textOf = (file: string, folder = folders[0]) => readFileSync(join(folder, file), 'utf8');

beforeAll(async () => {
  for (const folder of folders) await writeGallery(folder);
});

/** Names of the formats that draw it, as their files say. */
const drawing = (is: View['is']) =>
  writers.filter(({ draws }: Writer) => draws?.includes(is) ?? true).map(({ name }) => name as string);

test('each scenario is there in every format that can draw it', () => {
  const files = readdirSync(folders[0]);
  const possible = (['plan', 'drift', 'report', 'problems', 'fleet'] as const).map((is) => drawing(is).sort());
  for (const { name } of SCENARIOS) {
    const drawn = files.filter((file) => file.startsWith(`${name}.`)).map((file) => file.split('.')[1]);
    expect(possible).toContainEqual(drawn.sort());
  }
});

test('it is the same each time', () => {
  const files = readdirSync(folders[0]);
  expect(readdirSync(folders[1])).toEqual(files);
  expect(files.filter((file) => textOf(file) !== textOf(file, folders[1]))).toEqual([]);
});

test('every file is linked, and every link leads somewhere', () => {
  const page = textOf('index.html');
  const links = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
  const files = readdirSync(folders[0]).filter((file) => file !== 'index.html');
  expect(new Set(links.filter((link) => !link.startsWith('#')))).toEqual(new Set(files));
  for (const anchor of links.filter((link) => link.startsWith('#')))
    expect(page).toContain(`<section id="${anchor.slice(1)}">`);
});

test('nothing that is hostile is live, and no secret is shown', () => {
  for (const file of readdirSync(folders[0])) {
    const text = textOf(file);
    expect({ file, secret: text.includes(SECRET) }).toEqual({ file, secret: false });
    expect({ file, control: /[^\P{Cc}\n\t\r]/u.test(text) && !file.includes('.gitlab.') }).toEqual({
      file,
      control: false,
    });
    if (file.endsWith('.html'))
      expect({ file, live: /<script>alert|<img src=x/.test(text) }).toEqual({ file, live: false });
  }
});
