// How text is shown: colour, width and level of detail. Knows nothing of streams; the caller decides.

import { styleText } from 'node:util';

/** What a forge checked out. Both paths are absolute, without links, and have slashes. */
export interface Checkout {
  readonly root: string;
  /** The working directory, which is inside the root. */
  readonly folder: string;
}

export interface RenderOptions {
  readonly color: boolean;
  /** Columns that lines should fit into; values are never cut for it. */
  readonly width: number;
  /** True when a person reads the lines on a terminal; default false. */
  readonly isTerminal?: boolean;
  /** `names`: one line per step; `changes`: field differences; `full`: also the requests and unmanaged objects. */
  readonly detail: 'names' | 'changes' | 'full';
  /** Name of the running command; left out if missing. */
  readonly command?: string | undefined;
  /** For what a forge reads; absent where no forge runs the program, or in a folder outside of its checkout. */
  readonly checkout?: Checkout | undefined;
  /** The footer of a document for a comment; what is missing is left out. */
  readonly comment?: { readonly commit?: string | undefined; readonly version?: string | undefined };
}

/** What a text means to a reader; each format draws it in its own way. */
export type TextStyle =
  /** It ended well, or is new. */
  | 'good'
  /** It failed, or something is lost. */
  | 'bad'
  /** It changes, or a person should look. */
  | 'warn'
  /** It can be skipped. */
  | 'quiet'
  /** It is read first. */
  | 'strong'
  /** It is unusual: only the owner of an object changes. */
  | 'rare';

const ANSI_STYLES = {
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  quiet: 'dim',
  strong: 'bold',
  rare: 'magenta',
} as const satisfies Readonly<Record<TextStyle, Parameters<typeof styleText>[0]>>;

/** The text in a colour, or unchanged when the style has none. */
export function paint(style: RenderOptions, tone: TextStyle | undefined, text: string): string {
  if (!style.color || tone === undefined || text === '') return text;
  return styleText(ANSI_STYLES[tone], text, { validateStream: false });
}
