// How text is shown: colour, width and how much of it. Knows nothing of streams; who writes decides these.

import { styleText } from 'node:util';

export interface Style {
  readonly color: boolean;
  /** Columns that lines should fit into; values are never cut to reach it. */
  readonly width: number;
  /** `names`: one line a step; `changes`: field differences; `full`: also the requests and unmanaged objects. */
  readonly detail: 'names' | 'changes' | 'full';
}

export type Tone = 'good' | 'bad' | 'warn' | 'quiet' | 'strong' | 'rare';

const FORMATS = {
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  quiet: 'dim',
  strong: 'bold',
  rare: 'magenta',
} as const satisfies Readonly<Record<Tone, Parameters<typeof styleText>[0]>>;

/** The text in a colour, or as it is when the style has none. */
export function paint(style: Style, tone: Tone | undefined, text: string): string {
  if (!style.color || tone === undefined || text === '') return text;
  return styleText(FORMATS[tone], text, { validateStream: false });
}
