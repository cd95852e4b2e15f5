// The Markdown file of `--comment-file`: the last thing that a run has to say, short enough for a comment. Written when it ends.

import { resolve } from 'node:path';
import { onFileError } from '../../platform/file-error.ts';
import { fileDiagnostic } from '../../platform/problem.ts';
import { renderOptionsOf, type Invocation } from '../shell/invocation.ts';
import type { Listener } from '../shell/listener.ts';
import { markdownOf } from './summary-file.ts';

/** Other users may read what is published anyway. */
const FOR_ALL = 0o644;

/** Without the option, it listens and writes nothing. */
export function commentListener(run: Invocation): Listener {
  const { commentFile } = run.settings;
  if (commentFile === undefined) return { note: () => undefined, end: () => [] };
  let last: ReturnType<typeof markdownOf>;
  return {
    note: (event) => {
      last = markdownOf(event) ?? last;
    },
    end: () => {
      const part = last;
      if (part === undefined) return [];
      last = undefined;
      return onFileError(
        () => {
          const text = part(renderOptionsOf(run, run.stdout));
          run.platform.textFiles.writeAtomic(resolve(run.cwd, commentFile), `${text}\n`, FOR_ALL);
          return [];
        },
        (error) => [fileDiagnostic(error)],
      );
    },
  };
}
