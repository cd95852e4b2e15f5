// Digests of secrets without their slowness, for files in which it only counts that equal texts give equal digests. A setup file
// of the tests that vitest.config.ts names, which have processes of their own: nothing there has made a slow digest before.

import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const quick = (text: string, salt: string, length: number) =>
  crypto.createHash('sha256').update(`${salt}\n${text}`).digest().subarray(0, length);

Object.assign(crypto, { scryptSync: quick });
syncBuiltinESMExports();
