// The blocks of a document for people: what is shown, how important it is and what belongs together. How it looks is for the
// writers, and so is the escaping of what their readers would act on.

import type { TextStyle } from '../render-options.ts';
import type { Line } from '../view/values/value.ts';
import type { Problem, Sign, SourcePlace, View } from '../view/view.ts';

/** A part of a line: a sentence, a name with its id and what tells more, a sign, or our own words. */
type Span =
  | string
  | { readonly is: 'name'; readonly text: string; readonly id?: string | undefined; readonly to?: FoldOf | undefined }
  | { readonly is: 'sign'; readonly sign: Sign }
  | { readonly is: 'own'; readonly text: string; readonly tone?: TextStyle | undefined };
type FoldOf = () => BlockOf<'fold' | 'section'> | undefined;
export type Phrase = readonly Span[];

export function nameOf(text: string, id?: string, to?: FoldOf): Span {
  return { is: 'name', text, id, to };
}

/** Words without anything of unknown origin. */
export function own(text: string, tone?: TextStyle): Span {
  return { is: 'own', text, tone };
}

export function signOf({ symbol, word, tone }: Sign, phase = '') {
  return { is: 'sign', sign: { symbol, word: `${word}${phase}`, tone } } as const;
}

/**
 * What is left out last of a document that is too long. What has no rank stays: in the document, or in its section as long as
 * anything of it does. A section adds ten times its rank to what is in it.
 */
export const RANKS = { detail: 1, row: 2, note: 3, problem: 4, loss: 5 } as const;

type Format = 'text' | 'markdown' | 'html';

interface Entry {
  /** Our own word for what it is, if what is below it are facts of its own. */
  readonly lead?: string;
  readonly phrase: Phrase;
  readonly blocks?: readonly Block[];
}

interface Row {
  readonly cells: readonly (Phrase | number)[];
  /** For a row that is left out earlier or later than the others. */
  readonly rank?: number;
  /** A last cell, or lines below. */
  readonly said?: readonly string[];
}

/** One of several names that are said together. */
interface Name {
  readonly text: string;
  readonly id?: string | undefined;
  /** More about it, where there is room for a line of its own. */
  readonly meta?: Phrase;
}

/** `noun` is what its parts are, for the number of those left out. */
export type Block = {
  readonly rank?: number;
  /** The formats that draw it, for what the others show elsewhere; default all. */
  readonly only?: readonly Format[];
} & (
  | // What a document begins with, or the section about one stack.
    ({ readonly is: 'heading'; readonly of: View['is'] } & Pick<View, 'sentence' | 'at' | 'advice'>)
  | { readonly is: 'paragraph'; readonly lead?: string; readonly phrase: Phrase; readonly tone?: TextStyle }
  /** A place in the manifest, with its lines if they are known. */
  | ({ readonly is: 'place'; readonly place: SourcePlace } & Pick<Problem, 'frame'>)
  /** With a tone, a person should read it first. */
  | {
      readonly is: 'list';
      readonly title?: string;
      readonly tone?: TextStyle;
      readonly noun: string;
      /** True for a long list of what an entry is about. */
      readonly isFolded?: boolean;
      readonly entries: readonly Entry[];
    }
  | { readonly is: 'table'; readonly noun: string; readonly head: readonly Phrase[]; readonly rows: readonly Row[] }
  | {
      /** One line with more below it. */
      readonly is: 'fold';
      readonly noun: string;
      readonly phrase: Phrase;
      /** The most important of what is below, for readers to whom it is folded. */
      readonly hint: Phrase;
      /** Its steps and its place. */
      readonly meta: Phrase;
      /** What goes with it. */
      readonly inside?: readonly string[];
      /** True when the same is shown before, in the section of another stack. */
      readonly isRepeated?: boolean;
      readonly isOpen: boolean;
      /** True when something is lost, which is never folded. */
      readonly isKept: boolean;
      readonly blocks: readonly Block[];
    }
  /** What an entry is about, when that is several things; what they are comes first. */
  | { readonly is: 'names'; readonly noun: string; readonly phrase: Phrase; readonly names: readonly Name[] }
  | { readonly is: 'diff'; readonly lines: readonly Line[]; readonly isNew: boolean }
  | { readonly is: 'code'; readonly noun: string; readonly lines: readonly string[] }
  /** Without a fold it is always visible. Sections may be nested. */
  | {
      readonly is: 'section';
      readonly title: string;
      /** True when a name elsewhere may lead to it. */
      readonly isTarget?: boolean;
      /** For what a person should read first. */
      readonly tone?: TextStyle;
      readonly fold?: 'open' | 'closed';
      readonly blocks: readonly Block[];
    }
);

export type BlockOf<Is extends Block['is']> = Extract<Block, { readonly is: Is }>;

/** The blocks that a format draws. */
export function blocksFor(format: Format, blocks: readonly Block[] = []): Block[] {
  return blocks.filter(({ only }) => only?.includes(format) ?? true);
}
