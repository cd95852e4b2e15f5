// The view model: the content of a plan, a report, drift or problems, independent of formats. Texts are
// shortened when it is built; control characters are escaped before a writer gets it. Writers know nothing of plans.

import type { TextStyle } from '../render-options.ts';
import type { ExposureLine } from './exposures.ts';
import type { Line } from './values/value.ts';

export interface View {
  readonly is: 'plan' | 'report' | 'drift' | 'problems' | 'fleet';
  /** The summary; the first thing that a person reads. */
  readonly sentence: string;
  /** The summary without what is said of this stack alone, if that is less. */
  readonly common?: string;
  /** Undefined without a stack, as for the problems of a manifest. */
  readonly at?: { readonly stack: string; readonly service: string };
  readonly advice?: string;
  readonly problems: readonly Problem[];
  /** Problems that are counted but not shown. */
  readonly more: readonly string[];
  /** What happens to each resource, or what was found about it. */
  readonly items: readonly Item[];
  /** Who can get in afterwards, or since something was changed outside. */
  readonly exposures: readonly ExposureLine[];
  /** The number of resources or findings by the word of their sign; writers never count them again. */
  readonly totals: ReadonlyMap<string, number>;
  /** True for a plan of everything that deletes, replaces and opens nothing. */
  readonly isCalm?: boolean;
  /** Of a plan that was compared with a revision: its items in parts, by their places, and what is no longer planned. */
  readonly compared?:
    | {
        readonly rev: string;
        readonly parts: readonly {
          readonly name: PartName;
          readonly items: readonly number[];
          readonly totals: View['totals'];
        }[];
        readonly former: readonly (Sign & Pick<Item, 'address' | 'live_id'>)[];
      }
    | undefined;
  /** The result of each step of a run: what needs a person first. */
  readonly rows: readonly Row[];
  readonly lists: readonly { readonly title: string; readonly entries: readonly string[] }[];
  readonly outputs: readonly (readonly [name: string, value: string])[];
  /** The least important part: a sentence, and the objects it is about. */
  readonly rest: { readonly text: string; readonly entries: readonly string[] };
  /** Of a fleet: its stacks, most dangerous first. */
  readonly stacks?: readonly StackView[];
  /** Values for programs, such as the stack, the result and the fingerprint; control characters are not escaped. */
  readonly facts: Readonly<Record<string, string>>;
  /** The same for programs, in its own format. */
  readonly document: object;
  /** All files or resources that were checked, even without findings; computed on demand. */
  readonly subjects?: () => readonly Subject[];
}

/** A part of a plan that was compared. */
export type PartName =
  /** The manifest of the revision would not do it. */
  | 'this change'
  /** It would do it, too. */
  | 'already pending'
  /** It would do it, too, and only because of what was changed outside. */
  | 'drifted';

/** One stack of a fleet. */
export interface StackView {
  /** Its name in the fleet. */
  readonly name: string;
  readonly service: string | undefined;
  /** Undefined in a fleet without waves. */
  readonly wave?: number | undefined;
  /** What became of it, in a word or two; `by` is the stack that it waited for, and `after` the wave that did not end well. */
  readonly result: string;
  readonly by?: string;
  readonly after?: number;
  readonly tone: TextStyle;
  /** 0 when there is nothing to say; the largest for what is wrong or lost. */
  readonly danger: number;
  /** Its resources, findings, steps and problems by word, in the order of columns. */
  readonly counts: ReadonlyMap<string, number>;
  /** The same for stacks that are one section; absent for one that always has its own. */
  readonly likeness?: string;
  /** Undefined when it was not run. */
  readonly view: View | undefined;
}

interface Subject {
  readonly name: string;
  readonly place: SourcePlace;
  /** Why it was not compared: it is unclear which object is its own. */
  readonly doubt?: string | undefined;
}

/** Defaults for parts that most views lack. */
export const NOTHING = {
  problems: [],
  more: [],
  items: [],
  exposures: [],
  totals: new Map<string, number>(),
  rows: [],
  lists: [],
  outputs: [],
  rest: { text: '', entries: [] },
  facts: {},
} as const;

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The position after the last character, if known. */
  readonly end?: { readonly line: number; readonly column: number };
}

/** A source line and its marked part, in Unicode characters; the part may extend past the line's end. */
export interface Frame {
  readonly before: string;
  readonly line: string;
  readonly lead: number;
  readonly length: number;
}

type ProblemGroup = 'refused' | 'blocked' | 'error' | 'warning';

/** What a detail of a problem is, and what is put before it. */
const LEADS = {
  related: 'see also',
  expected: 'expected',
  got: 'got',
  fix: 'fix:',
  /** The flag that allows it. */
  flag: 'allow it with',
  /** The entry of the manifest that allows it, too. */
  entry: 'or write',
} as const;

interface ProblemDetail {
  readonly is: keyof typeof LEADS;
  readonly text: string;
}

export function leadOf({ is }: Pick<ProblemDetail, 'is'>): string {
  return LEADS[is];
}

/** True for text to type, which consists of code only. */
export function isCode({ is }: Pick<ProblemDetail, 'is'>): boolean {
  return is === 'flag' || is === 'entry';
}

/** Something that a person should read first. */
export interface Problem {
  readonly group: ProblemGroup;
  readonly code?: string | undefined;
  readonly text: string;
  readonly place?: SourcePlace | undefined;
  readonly frame?: Frame | undefined;
  /** The resource, for a problem without a place. */
  readonly address?: string | undefined;
  readonly addresses: readonly string[];
  readonly related: readonly Pick<Problem, 'text' | 'place' | 'frame'>[];
  readonly details: readonly ProblemDetail[];
}

/** What happens, as a word and a symbol. */
export interface Sign {
  readonly symbol: string;
  readonly word: string;
  readonly tone: TextStyle;
}

/** A step's id, and the ids of the steps it waits for. */
interface ItemStep {
  readonly id: string;
  readonly after: readonly string[];
  /** The object of a replacement that it is about: empty, or words after a blank. */
  readonly phase: string;
}

/** The object of an item in one of several stacks. */
export interface ItemObject {
  readonly stack: string;
  readonly live_id: string | undefined;
  readonly fingerprint: string | undefined;
}

/** All steps of one resource, or one finding. */
export interface Item extends Sign {
  readonly address: string;
  /** What several of its kind are called. */
  readonly plural: string;
  /** The same for items that are one entry; absent for one that is always shown alone. */
  readonly likeness?: string;
  /** In several stacks: its object in each, where a person needs them. */
  readonly objects?: readonly ItemObject[];
  /** Address of the resource that a foreign child is in. */
  readonly within?: string;
  /** In execution order; none for a finding. */
  readonly steps: readonly ItemStep[];
  readonly place?: SourcePlace | undefined;
  /** Of a plan that was compared with a revision: the part that it is in. */
  readonly part?: PartName | undefined;
  /** What rule names are made of where it is not the word. */
  readonly rule?: string;
  /** Identifies the finding; the same on every run until its values change. */
  readonly fingerprint?: string | undefined;
  readonly live_id: string | undefined;
  /** The commit that the object was last written from, where that helps. */
  readonly appliedFrom?: string | undefined;
  readonly why: string | undefined;
  /** What is lost, without the children that are deleted, too. */
  readonly loses?: string | undefined;
  /** The flags of this run without which it would be refused. */
  readonly allowedBy?: readonly string[];
  /** Names of children that are deleted with it. */
  readonly children?: readonly string[];
  /** For a finding: what apply would do about it, in words that follow its name. */
  readonly repair?: string | undefined;
  /** For a finding: how urgently it needs a person. */
  readonly weight?: Exclude<ProblemGroup, 'refused'>;
  readonly fields: readonly string[];
  /** Fields by who changed them. */
  readonly causes: readonly { readonly words: string; readonly fields: readonly string[] }[];
  /** True for a new object: all of its values are added. */
  readonly isNew: boolean;
  /** True for a preparation step, which is not counted separately from what happens to the same resource. */
  readonly isAside?: boolean;
  /** Every difference, from the left margin. */
  readonly lines: readonly Line[];
  readonly requests: readonly string[];
  /** Consequences, and how to name it. */
  readonly notes: readonly string[];
}

/** True when something is deleted, replaced or lost that a new plan cannot bring back; never for a finding. */
export function isDangerous({ loses, steps, tone }: Item): boolean {
  return loses !== undefined || (steps.length > 0 && tone === 'bad');
}

/** The result of one step of a run. */
export interface Row {
  readonly id: string;
  readonly action: Sign;
  readonly address: string;
  readonly live_id: string | undefined;
  /** The object of a replacement that it is about: empty, or words after a blank. */
  readonly phase: string;
  readonly place: SourcePlace | undefined;
  readonly status: string;
  readonly outcome: string;
  readonly tone: TextStyle;
  /** The reason, and what was done. */
  readonly said: readonly string[];
}

export function placeText({ file, line, column }: SourcePlace): string {
  return `${file}:${line}:${column}`;
}

/** The problem in one line, to be shown next to its place. The address is not repeated. */
export function headline({ address, text }: Problem): string {
  return address === undefined || text.startsWith(`${address} `) ? text : `${address}: ${text}`;
}

/** Details of a problem, for formats that show no source lines. */
export function factsOf({ related, details }: Problem): ProblemDetail[] {
  return [
    ...related.map(({ place, text }) => ({
      is: 'related' as const,
      text: place === undefined ? text : `${placeText(place)}: ${text}`,
    })),
    ...details,
  ];
}
