// `node scripts/docs/typescript.mjs FILE`: runs a program in TypeScript that imports this package, as `npx tsx FILE` does where the package is
// installed.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const alias = { 'edgeform/manifest': fileURLToPath(new URL('../../dist/manifest.js', import.meta.url)) };
const options = { bundle: true, write: false, platform: 'node', format: 'esm', logLevel: 'error', alias };
const { outputFiles } = await build({ entryPoints: [process.argv[2]], ...options });
await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
