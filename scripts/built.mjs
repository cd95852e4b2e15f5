// Builds, unless dist is what a build of these very sources would make: for tools that only need a build. It compares contents and
// not times, which a checkout does not keep.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { inputsDigest, STAMP } from './build-inputs.mjs';

const isBuilt = existsSync('dist/cli.js') && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === inputsDigest();
if (!isBuilt) {
  process.stderr.write('Building edgeform from its sources…\n');
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
}
