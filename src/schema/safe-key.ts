// How messages tell a key of a manifest: a value may have run into it, and that may be a secret.

import { secretNameIn } from '../catalog/secrecy/secret-names.ts';

/** The key up to the first colon, equals sign or blank; one that nobody knows, up to the name of a secret, too. */
export function safeKey(key: string, isKnown = true): string {
  const [head = ''] = key.split(/[:=\s]/, 1);
  const name = (isKnown ? undefined : secretNameIn(head)) ?? head;
  return name === key ? key : `${name}…`;
}
