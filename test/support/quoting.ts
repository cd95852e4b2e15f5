// A file that problems point to, as the loader hands it over.

import type { QuotedFiles } from '../../src/core/diagnostic.ts';
import { quotedFiles } from '../../src/manifest/text/quoted-file.ts';

export function quoting(name: string, text: string): QuotedFiles {
  return quotedFiles([{ name, text }]);
}
