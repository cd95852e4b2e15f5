// Puts the program and the library entry, with the packages they use, into a few files of dist: reading hundreds of modules took
// most of the time of a short command. Names stay readable, and maps lead back to the sources.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

rmSync('dist/chunks', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: ['src/cli.ts', 'src/index.ts'],
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.18',
  // Packages in CommonJS ask for modules of the platform only: all others are in the bundle.
  banner: { js: 'const require = process.getBuiltinModule;' },
  legalComments: 'none',
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licenses());

/** The licence of each package of which something is in the bundle. */
function licenses() {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  const packages = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  return [...packages]
    .sort()
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
      if (file === undefined) throw new Error(`${name} has no licence file`);
      return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
