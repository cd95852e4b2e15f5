// Commands for jobs, of which `edgeform` has its lines carried out by this process.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { servedScript } from '../support/served.ts';
import { stubs } from './runner.ts';

/** A folder with commands as `stubs()` makes them, but for `edgeform`. */
export async function servedStubs(): Promise<string> {
  const folder = stubs();
  writeFileSync(join(folder, 'edgeform'), `#!/bin/bash\n${await servedScript(folder)}\n`, { mode: 0o755 });
  return folder;
}
