// THE view model: what a plan, a report, drift or problems say, before any format. Every text is made visible and shortened
// where this is made, and none is escaped for a format. Writers draw this and know nothing of plans.

import type { JsonObject } from '../../core/json.ts';
import type { Change } from '../../plan/plan.ts';
import type { TextStyle } from '../render-options.ts';
import type { Line } from './values/value.ts';

export interface View {
  readonly is: 'plan' | 'report' | 'drift' | 'problems';
  /** How it stands; the first thing that a person reads. */
  readonly sentence: string;
  /** Undefined where there is no stack, as for the problems of a manifest. */
  readonly at?: { readonly stack: string; readonly service: string };
  /** What to do next. */
  readonly advice?: string;
  readonly problems: readonly Problem[];
  /** Problems that are only counted. */
  readonly more: readonly string[];
  /** What is done to each resource, or what was found of it. */
  readonly items: readonly Item[];
  /** The number of resources or findings by the word of their sign, which no writer counts again. */
  readonly totals: ReadonlyMap<string, number>;
  /** What is done to how many objects of each kind; kinds without any are left out. */
  readonly counts: readonly KindCounts[];
  /** How each step of a run ended: what needs a person first. */
  readonly rows: readonly Row[];
  readonly lists: readonly { readonly title: string; readonly entries: readonly string[] }[];
  readonly outputs: readonly (readonly [name: string, value: string])[];
  /** What is of least weight: a sentence, and the objects that it is about. */
  readonly rest: { readonly text: string; readonly entries: readonly string[] };
  /** True when somebody waits for the end, so that the first few rows are enough. */
  readonly isBrief: boolean;
  /** What programs know it by, such as the stack, its result and its fingerprint; not made visible. */
  readonly facts: Readonly<Record<string, string>>;
  /** The same for programs, in its own format. */
  readonly document: object;
  /** All files or resources that were looked at, whatever was found; made when somebody asks. */
  readonly subjects?: () => readonly Subject[];
  /** What else programs ask of a plan; made when somebody asks. */
  readonly planned?: () => Planned;
}

interface Subject {
  readonly name: string;
  readonly place: SourcePlace;
  /** Why nobody can say which object is its own, so that it was not compared. */
  readonly doubt?: string | undefined;
}

interface Planned {
  /** False when something was left out, or cannot be done. */
  readonly isComplete: boolean;
  /** Null for what is known after apply. */
  readonly outputs: JsonObject;
}

/** One value that a plan changes, in the form that plans have: with masks, and with `${…}` for what is known after apply. */
interface Difference extends Pick<Change, 'path' | 'before' | 'after' | 'cause'> {
  readonly forcesReplacement: boolean;
}

/** What most views lack. */
export const NOTHING = {
  problems: [],
  more: [],
  items: [],
  totals: new Map<string, number>(),
  counts: [],
  rows: [],
  lists: [],
  outputs: [],
  rest: { text: '', entries: [] },
  isBrief: false,
  facts: {},
} as const;

/** A place in a manifest. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Behind the last character, where that is known. */
  readonly end?: { readonly line: number; readonly column: number };
}

/** The line of a place, and the part of it that is marked, in characters of Unicode; it may end behind the line. */
interface Frame {
  readonly before: string;
  readonly line: string;
  readonly lead: number;
  readonly length: number;
}

/** What stands in the way first, each with its heading. */
const GROUPS = [
  ['refused', 'Policy violations; apply changes nothing until they are resolved'],
  ['blocked', 'Blocked, because the service has no way to do it'],
  ['error', 'Errors'],
  ['warning', 'Warnings'],
] as const;
type ProblemGroup = (typeof GROUPS)[number][0];

/** What was expected and got, or how to fix or allow it. */
interface ProblemDetail {
  readonly lead: string;
  readonly text: string;
  /** True for text to type, which is nothing but code. */
  readonly isCode: boolean;
}

/** Something that a person should read before all else. */
export interface Problem {
  readonly group: ProblemGroup;
  readonly code?: string | undefined;
  readonly text: string;
  readonly place?: SourcePlace | undefined;
  readonly frame?: Frame | undefined;
  /** What it is about when no place is known. */
  readonly address?: string | undefined;
  readonly addresses: readonly string[];
  readonly related: readonly Pick<Problem, 'text' | 'place' | 'frame'>[];
  readonly details: readonly ProblemDetail[];
}

/** What happens in one word, with its sign. */
export interface Sign {
  readonly symbol: string;
  readonly word: string;
  readonly tone: TextStyle;
}

/** The items of one kind, and how many of them somebody changed or deleted outside. */
interface KindCounts {
  readonly kind: string;
  /** By the word of their sign. */
  readonly byWord: ReadonlyMap<string, number>;
  readonly drifted: number;
}

/** A step by its id, and the ids of those it waits for. */
interface ItemStep {
  readonly id: string;
  readonly after: readonly string[];
  /** Which object of a replacement it is about: empty, or words after a blank. */
  readonly phase: string;
}

/** All steps of one resource, or one finding. */
export interface Item extends Sign {
  readonly kind: string;
  readonly address: string;
  /** In the order they run; none for a finding. */
  readonly steps: readonly ItemStep[];
  readonly place?: SourcePlace | undefined;
  /** True when somebody changed or deleted it outside. */
  readonly isDrifted: boolean;
  /** Which finding it is; the same on every run until its values change. */
  readonly fingerprint?: string | undefined;
  readonly liveId: string | undefined;
  /** Its steps and its place; '' for a finding. */
  readonly meta: string;
  readonly why: string | undefined;
  readonly loses?: string | undefined;
  /** Of a finding: what apply would do about it, in words that follow its name. */
  readonly repair?: string | undefined;
  /** Of a finding: how much it needs a person. */
  readonly weight?: Exclude<ProblemGroup, 'refused'>;
  /** Names of the fields that change. */
  readonly fields: readonly string[];
  /** Fields by who changed them. */
  readonly causes: readonly { readonly words: string; readonly fields: readonly string[] }[];
  /** True for an object where none was: all of its values are added. */
  readonly isNew: boolean;
  /** True for what only comes before what is done to the same resource, which is counted without it. */
  readonly isAside?: boolean;
  /** Every difference, from the left margin. */
  readonly lines: readonly Line[];
  /** The same for programs, of a plan; made when somebody asks. */
  readonly differences?: () => readonly Difference[];
  readonly requests: readonly string[];
  /** What follows from it, and how to name it. */
  readonly notes: readonly string[];
}

/** True where something is deleted, replaced or lost, which nobody gets back by planning again; never of a finding. */
export function isDangerous({ loses, steps, tone }: Item): boolean {
  return loses !== undefined || (steps.length > 0 && tone === 'bad');
}

/** How one step of a run ended. */
export interface Row {
  readonly id: string;
  readonly action: Sign;
  readonly address: string;
  readonly liveId: string | undefined;
  /** Which object of a replacement it is about: empty, or words after a blank. */
  readonly phase: string;
  readonly place: SourcePlace | undefined;
  /** The name of its status. */
  readonly status: string;
  readonly outcome: string;
  readonly tone: TextStyle;
  /** Why, and what was done of it. */
  readonly said: readonly string[];
}

export function placeText({ file, line, column }: SourcePlace): string {
  return `${file}:${line}:${column}`;
}

/** What is wrong, on one line, beside its place. Its address is said once. */
export function headline({ address, text }: Problem): string {
  return address === undefined || text.startsWith(`${address} `) ? text : `${address}: ${text}`;
}

/** What belongs to a problem, for formats that show no lines of files. */
export function factsOf({ related, details }: Problem): ProblemDetail[] {
  return [
    ...related.map(({ place, text }) => ({
      lead: 'see also',
      text: place === undefined ? text : `${placeText(place)}: ${text}`,
      isCode: false,
    })),
    ...details,
  ];
}

/** The groups that have problems, in their order. */
export function groupsOf(problems: readonly Problem[]) {
  return GROUPS.flatMap(([group, title]) => {
    const members = problems.filter((problem) => problem.group === group);
    return members.length === 0 ? [] : [{ group, title, members }];
  });
}
