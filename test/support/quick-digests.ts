// Digests of secrets without their slowness, for files in which it only counts that equal texts give equal digests:
// `vi.mock('node:crypto', async (original) => (await import('…/quick-digests.ts')).quick(await original()))`.

import type * as nodeCrypto from 'node:crypto';

/** The module with a quick `scryptSync`. */
export function quick(crypto: typeof nodeCrypto): object {
  const scryptSync = (text: string, salt: string, length: number) =>
    crypto.createHash('sha256').update(`${salt}\n${text}`).digest().subarray(0, length);
  return { ...crypto, scryptSync };
}
