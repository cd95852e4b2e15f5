// A text → documents of the YAML library, within the limits on depth and size. Knows nothing of what is in them.

import { Composer, CST, Document, isScalar, Lexer, Parser } from 'yaml';
import type { ProblemText } from '../../core/diagnostic.ts';
import { MAX_FILE_BYTES } from './preflight.ts';

/** One for each sixteen bytes of the largest file: what a person or a program writes has fewer marks of any kind. */
const MAX_MARKS = MAX_FILE_BYTES / 16;
export const MAX_DEPTH = 64;

/** A document of the YAML library. */
export type Composed = Document.Parsed;

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
  // Versions of the library treat invalid base64 in `!!binary` differently. We reject the tag in any case.
  customTags: [{ tag: 'tag:yaml.org,2002:binary', resolve: (text: string) => Buffer.from(text, 'base64') }],
} as const satisfies ConstructorParameters<typeof Composer>[0];

/** Tokens that contain others. */
const LEVELS: readonly string[] = ['block-map', 'block-seq', 'flow-collection'];

/** Lexemes that cost hardly anything. */
const BLANKS: readonly (string | null)[] = ['space', 'newline', 'comment'];

/** Where a text is nested too deeply, or has more marks of one kind than the library is given. */
interface Limit {
  readonly is: 'too-deep' | 'too-large';
  readonly at: number;
}

/**
 * The documents of a text. Tokenising is iterative, so that text nested too deep is detected before the recursive composer sees
 * it and exhausts the stack. The text is then read only up to that place. Nodes keep their tokens where that is asked for.
 */
export function compose(text: string, { keepSourceTokens = false } = {}): readonly Composed[] | Limit {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const counts = new Map<string | null, number>();
  for (const lexeme of new Lexer().lex(text)) {
    const at = parser.offset;
    tokens.push(...parser.next(lexeme));
    const { stack } = parser;
    if (stack.length > MAX_DEPTH && stack.filter(({ type }) => LEVELS.includes(type)).length > MAX_DEPTH)
      return { is: 'too-deep', at };
    const type = CST.tokenType(lexeme);
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    if (count > MAX_MARKS && !BLANKS.includes(type)) return { is: 'too-large', at };
  }
  tokens.push(...parser.end());
  const composed = withoutTraces(() => [...new Composer({ ...OPTIONS, keepSourceTokens }).compose(tokens)]);
  return composed.filter((one) => one instanceof Document);
}

/** The library makes an error for each problem; a trace of its stack costs more than all else about it. */
function withoutTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export const LIMITS: Readonly<Record<Limit['is'], ProblemText>> = {
  'too-deep': {
    message: `the file is nested deeper than ${MAX_DEPTH} levels`,
    fix: 'a manifest needs far fewer levels; check for unclosed brackets',
  },
  'too-large': {
    message: `the file has more than ${MAX_MARKS} marks of one kind, such as ":" or "-", and is not read beyond this place`,
    fix: 'split the stack into several files',
  },
};

/** True when it is empty or `null`. */
export function isEmpty({ contents }: Composed): boolean {
  return contents === null || (isScalar(contents) && contents.value === null);
}
