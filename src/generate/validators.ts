// Compiles the schemas of manifests and plans to a file of plain code; a step of the build, because it follows from the catalogue.

import { writeFileSync } from 'node:fs';
import { kinds } from '../catalog/kinds/index.ts';
import { compileValidators } from '../schema/compile.ts';
import { manifestSchema } from '../schema/generate.ts';
import { planSchema } from '../schema/plan-schema.ts';

const text = compileValidators({ manifest: manifestSchema(kinds), plan: planSchema });
for (const path of process.argv.slice(2)) writeFileSync(path, text);
