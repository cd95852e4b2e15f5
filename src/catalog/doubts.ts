// Texts that a field accepts and that were probably meant otherwise: the service would take them for something else. Pure.

import type { ProblemText } from '../core/diagnostic.ts';
import type { TextForm } from './field.ts';

/** What is said of a text in a form; undefined where nothing is doubtful. */
type Doubt = (text: string) => ProblemText | undefined;

const DOUBTS: Partial<Record<TextForm, Doubt>> = {
  /** `api` is a host, although `/api` was probably meant. */
  selector: (text) =>
    /^[\p{L}\p{N}_-]+$/u.test(text)
      ? { message: `"${text}" is read as a host`, fix: `for a path, write "/${text}"` }
      : undefined,
  /** `accounts.example.com` is a relative reference, not a URL. */
  url: (text) =>
    /^[a-z][a-z0-9+.-]*:/iu.test(text)
      ? undefined
      : { message: `"${text}" is not a URL: it has no scheme`, fix: `write "https://${text}"` },
};

/** What is doubtful about a text in this form. */
export function doubtAbout(form: TextForm | undefined, text: string): ProblemText | undefined {
  return form === undefined ? undefined : DOUBTS[form]?.(text);
}

export function mayBeDoubtful(form: TextForm | undefined): boolean {
  return form !== undefined && DOUBTS[form] !== undefined;
}
