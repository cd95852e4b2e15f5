// `npm run gallery [FOLDER]`: every scenario of test/gallery in every output format, as files with a page that shows them.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const outfile = resolve('node_modules/.cache/gallery.mjs');
const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
const options = { bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' };
await build({ entryPoints: ['test/gallery/gallery.ts'], outfile, banner, ...options });
const { main } = await import(pathToFileURL(outfile).href);
await main(resolve(process.argv[2] ?? 'gallery'));
