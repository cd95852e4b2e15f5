// Copies the documents to `pages`, where the site is built from.
import { cpSync, readdirSync, rmSync } from 'node:fs';

rmSync('pages', { recursive: true, force: true });
for (const name of readdirSync('..')) if (name !== 'site') cpSync(`../${name}`, `pages/${name}`, { recursive: true });
