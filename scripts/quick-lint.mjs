// The rules of eslint.config.js and the types, checked in native code in a tenth of the time that ESLint and the compiler take.
// Those check them, too, in `npm run test:full`.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import migrate from '@oxlint/migrate';
import rules from '../eslint.config.js';

/** Beside the folders that its patterns name. */
const CONFIG = '.oxlintrc.json';

const config = await migrate(rules, undefined, { typeAware: true, withNursery: true });
// Stands for the rule by syntax, which is not known there.
config.plugins.push('import');
config.overrides.unshift({ files: ['**/*.ts'], rules: { 'import/no-default-export': 'error' } });
config.overrides.push({ files: ['vitest.config.ts'], rules: { 'import/no-default-export': 'off' } });
writeFileSync(CONFIG, `${JSON.stringify(config, undefined, 2)}\n`);
const oxlint = ['node_modules/oxlint/bin/oxlint', '--config', CONFIG, '--type-aware', '--type-check', '.'];
process.exitCode = spawnSync(process.execPath, oxlint, { stdio: 'inherit' }).status ?? 1;
