// A world is a value: the files of its stacks, what strangers have and do, how the service behaves, a script of command lines, and
// what its mechanisms promise. The same value gives the same bytes.

import type { JsonObject } from '../../src/core/json.ts';
import type { Knobs } from '../faults/service.ts';
import type { DeedName } from '../support/concurrent-edits.ts';
import type { Block } from '../support/document.ts';

/** The stack that the mechanisms act upon, and the one beside it. */
export const MAIN = 'shop';
export const SIDE = 'side';

export interface World {
  /** Names of its two mechanisms. */
  readonly pair: readonly [string, string];
  readonly seed: number;
  readonly service: Knobs;
  readonly strangers: readonly Stranger[];
  readonly script: readonly Action[];
  readonly promises: readonly Promised[];
  /** The same with single commands in place of a fleet. */
  readonly twin?: World;
}

/** An object that is nobody's, or another stack's. */
export interface Stranger {
  readonly id: string;
  readonly kind: string;
  readonly spec: JsonObject;
  readonly parentId?: string;
  /** The manifest takes it over, so that it does not stay as it is. */
  readonly isTaken: boolean;
}

export interface FilesAction {
  readonly type: 'files';
  /** Documents, and texts of other files, by their names; undefined for a file that goes. */
  readonly files: Readonly<Record<string, Block | string | undefined>>;
  /** Whether they become a commit. */
  readonly isCommitted?: true;
}

/** Somebody does something to an object of a stack, or to all of them. */
export interface DeedAction {
  readonly type: 'deed';
  readonly stack: string;
  /** Undefined: each. */
  readonly address: string | undefined;
  /** Or a second object with the same marker, which has this id. */
  readonly deed: DeedName | 'double';
  readonly id?: string;
  readonly path: number;
  readonly variant: number;
}

/** Journals and records are lost, as on another machine. */
export interface ForgetAction {
  readonly type: 'forget';
}

/** What a command line is for; what must hold of its end depends on it. */
export type Role =
  /** The state that the world begins with. */
  | 'before'
  | 'plan'
  /** Renders what `plan` saved. */
  | 'show'
  /** What the world is about. */
  | 'act'
  /** Asks whether anything is left to do. */
  | 'again'
  | 'drift'
  /** Anything else that only reads. */
  | 'look'
  /** Changes files of the manifest; and the drift that is left. */
  | 'accept'
  | 'accepted'
  /** The drift of which every finding is known. */
  | 'known'
  /** The plan of what `export` printed, and of what `render` printed. */
  | 'exported'
  | 'rendered'
  /** Lists the stacks that nobody names. */
  | 'orphans'
  /** Somebody else's run. */
  | 'other';

export interface RunAction {
  readonly type: 'run';
  readonly role: Role;
  readonly args: readonly string[];
  /** The stack that it is for; undefined for a fleet. */
  readonly stack: string | undefined;
  readonly trouble?: Trouble;
  /** In the same folder, although it is somebody else's. */
  readonly isHere?: true;
  /** Another run at the same time on another machine, from this request on. */
  readonly beside?: { readonly args: readonly string[]; readonly from: number };
  /** The name of a file that gets what it prints. */
  readonly into?: string;
  /** Fingerprints of its findings become lines of this file. */
  readonly known?: string;
}

/** A fault at one of its writes. */
export interface Trouble {
  readonly write: number;
  readonly fault: string;
}

export type Action = FilesAction | DeedAction | ForgetAction | RunAction;

/** A promise by its name, with what it is about. */
export interface Promised {
  readonly promise: string;
  readonly stack: string;
  /** In the manifest before; it names the object from then on. */
  readonly address?: string;
  /** An id that is known before. */
  readonly id?: string;
  readonly path?: readonly string[];
  /** In the manifest after. */
  readonly addresses?: readonly string[];
  readonly kind?: string;
  readonly action?: string;
  /** What gives the object away comes after what takes it, so that nothing holds before that is done. */
  readonly isAcross?: true;
}

/** Names of files. */
export const FILES = {
  fleet: 'edgeform.fleet.yaml',
  policy: 'policies.yaml',
  known: 'known.txt',
  plans: 'plans',
  exported: 'exported.yaml',
  rendered: 'rendered.yaml',
} as const;

export function manifestOf(stack: string): string {
  return `${stack}.yaml`;
}

export function planOf(stack: string): string {
  return `${stack}.plan.json`;
}
