// How text is shown: colour, width and how much of it. Knows nothing of streams; who writes decides these.

import { styleText } from 'node:util';

export interface RenderOptions {
  readonly color: boolean;
  /** Columns that lines should fit into; values are never cut to reach it. */
  readonly width: number;
  /** Where nobody reads the lines but a person; what is not said is no terminal. */
  readonly isTerminal?: boolean;
  /** `names`: one line a step; `changes`: field differences; `full`: also the requests and unmanaged objects. */
  readonly detail: 'names' | 'changes' | 'full';
  /** Name of the command that prints it; what is missing is not said. */
  readonly command?: string | undefined;
  /** Of a document for a comment; what is missing is not said. */
  readonly comment?: CommentOptions;
}

interface CommentOptions {
  /** Where it is read: the name of a forge. */
  readonly forge?: string | undefined;
  /** What the manifest is a version of. */
  readonly commit?: string | undefined;
  readonly version?: string | undefined;
  /** What prints it again. */
  readonly command?: string | undefined;
}

export type TextStyle = 'good' | 'bad' | 'warn' | 'quiet' | 'strong' | 'rare';

const ANSI_STYLES = {
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  quiet: 'dim',
  strong: 'bold',
  rare: 'magenta',
} as const satisfies Readonly<Record<TextStyle, Parameters<typeof styleText>[0]>>;

/** The text in a colour, or as it is when the style has none. */
export function paint(style: RenderOptions, tone: TextStyle | undefined, text: string): string {
  if (!style.color || tone === undefined || text === '') return text;
  return styleText(ANSI_STYLES[tone], text, { validateStream: false });
}
