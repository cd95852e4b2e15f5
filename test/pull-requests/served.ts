// Commands for jobs whose lines are carried out without a process of their own.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IS_FULL } from '../support/full.ts';
import { servedScript } from '../support/served.ts';
import { runModule } from './modules.ts';
import { GITLAB_JOBS, stubs } from './runner.ts';

/**
 * A folder with commands as `stubs()` makes them, but for `edgeform`, whose lines this process carries out. So does the host of
 * modules with those of `edgeform-gitlab`, unless all worlds are tried.
 */
export async function servedStubs(): Promise<string> {
  const folder = stubs();
  const put = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  };
  put('edgeform', await servedScript(folder));
  if (IS_FULL) return folder;
  const hosted = await servedScript(folder, async (args, where) => {
    const { code, log } = await runModule(GITLAB_JOBS, { ...where, args });
    return { code, stdout: log, stderr: '' };
  });
  put('edgeform-gitlab', hosted);
  return folder;
}
