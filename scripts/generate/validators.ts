// Writes the validators that the sources import, which a clean clone does not have.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiledFiles } from '../../src/schema/compile.ts';

for (const [name, text] of compiledFiles()) writeFileSync(join('src/schema', name), text);
