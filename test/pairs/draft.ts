// A world in the making: what the mechanisms add themselves to. Documents are plain until the end, when their forms are laid over them.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import { makeId } from '../../src/emulator/ids.ts';
import { addObject } from '../support/add-objects.ts';
import type { Chance } from '../support/chance.ts';
import type { DeedName } from '../support/concurrent-edits.ts';
import type { Knobs } from '../faults/service.ts';
import type { Block, Declared } from '../support/document.ts';
import { objectsOf, sectionOf, SECRETS } from '../support/document.ts';
import { applyEdits, type EditName } from '../support/edits.ts';
import type { DeedAction, Promised, Stranger } from './world.ts';
import { MAIN, SIDE } from './world.ts';

/** The manifest of a stack before and after, which end up in one file, or in several. */
export interface StackDraft {
  readonly name: string;
  before: Block;
  after: Block;
  wave: number;
}

/** Says the same in other files: gives the manifest, and overlays to lay over it. */
export type Form = (doc: Block, chance: Chance) => { readonly manifest: Block; readonly overlays: readonly Block[] };

/** How the runs of a world are made. */
export interface Commands {
  isFleet: boolean;
  hasWaves: boolean;
  shards: number;
  /** Which command carries things out. */
  act: 'apply' | 'saved' | 'destroy';
  /** A fault at one write of it, and whether the command is then run again until it is done. */
  trouble: { write: number; fault: string } | undefined;
  /** Options of plan, apply and destroy. */
  readonly options: string[];
  /** Options of commands that know policies. */
  readonly policies: string[];
  /** Options of plan alone. */
  readonly planOptions: string[];
  targets: string[];
  losses: string[];
  isRecreated: boolean;
  isCommitted: boolean;
  /** Another run between plan and act, or beside it. */
  second: Second | undefined;
  /** Looks before the act, and after it. */
  readonly early: Look[];
  readonly late: Look[];
}

/** Another writer with the manifest of before: when, and whether it shares the folder with its journals. */
export interface Second {
  readonly when: 'between' | 'beside' | 'after';
  readonly isHere: boolean;
}

/** A look at the end or before the act: what is asked for. */
export type Look = 'drift' | 'accept' | 'known' | 'export' | 'render' | 'orphans';

/** What an object is before: the stack that has it, and its address. */
export interface Origin {
  readonly stack: string;
  readonly address: string;
}

/** Edits that are mechanisms of their own here. */
export const EDITS_OF_MECHANISMS: readonly EditName[] = [
  'moveChild',
  'renameMoved',
  'rename',
  'release',
  'lifecycle',
  'secret',
  'addObject',
];

/** Objects of strangers begin with this number. */
const FIRST_STRANGER = 900;

export class Draft {
  readonly chance: Chance;
  readonly stacks: StackDraft[];
  readonly deeds: DeedAction[] = [];
  readonly strangers: Stranger[] = [];
  readonly promises: Promised[] = [];
  readonly condemned: Origin[] = [];
  readonly forms: Form[] = [];
  readonly variables = new Map<string, string>();
  readonly otherFiles: Record<string, string> = {};
  service: Knobs = {};
  isJournalLost = false;
  /** The order in which single commands are run. */
  isSideFirst = false;
  readonly commands: Commands = {
    isFleet: false,
    hasWaves: false,
    shards: 1,
    act: 'apply',
    trouble: undefined,
    options: [],
    policies: [],
    planOptions: [],
    targets: [],
    losses: [],
    isRecreated: false,
    isCommitted: false,
    second: undefined,
    early: [],
    late: [],
  };
  /** The kind of the object that both mechanisms should act upon. */
  readonly kind: Kind;
  /** Addresses of the object that the mechanisms act upon, before and after; undefined once it is gone. */
  focus: { before: string; after: string | undefined };
  /** Where an address of the manifest after comes from, when that is another address, or nothing. */
  readonly #origins = new Map<string, Origin | undefined>();
  #names = 0;

  constructor(chance: Chance, { before, kind, focus }: { before: Block; kind: Kind; focus: string }) {
    this.chance = chance;
    this.kind = kind;
    this.stacks = [{ name: MAIN, before, after: structuredClone(before), wave: 1 }];
    this.focus = { before: focus, after: focus };
  }

  get main(): StackDraft {
    return this.stacks[0]!;
  }

  /** The stack beside, made when the first mechanism asks for it. */
  get side(): StackDraft {
    const known = this.stacks[1];
    if (known !== undefined) return known;
    const before = emptyDocument(SIDE);
    addObject(before, { kind: this.chance(99), parent: 0, variant: 4 + this.chance(4), fields: [], lifecycle: 1 });
    // Most often it has a change of its own.
    const recipes = [{ op: this.chance(999), at: 0, other: 0, path: this.chance(9_999), variant: this.chance(11) }];
    const after = this.seldom(3) ? structuredClone(before) : applyEdits(before, recipes, EDITS_OF_MECHANISMS).second;
    const made = { name: SIDE, before, after, wave: 1 };
    this.stacks.push(made);
    return made;
  }

  /** One of so many. */
  one<T>(list: readonly T[]): T | undefined {
    return list[this.chance(list.length)];
  }

  /** True in one of so many worlds. */
  seldom(often: number): boolean {
    return this.chance(often) === 0;
  }

  newName(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  /** An object of the manifest after: mostly the one of the focus, if it fits. */
  pick(fits: (declared: Declared) => boolean = () => true): Declared | undefined {
    const found = objectsOf(this.main.after).filter(fits);
    const focus = found.find(({ address }) => address === this.focus.after);
    return focus !== undefined && !this.seldom(4) ? focus : this.one(found);
  }

  /** An object that is there before, under whatever address. */
  pickKept(fits: (declared: Declared) => boolean = () => true): Declared | undefined {
    return this.pick((one) => this.origin(one.address) !== undefined && fits(one));
  }

  /** What an object of the manifest after is before. */
  origin(address: string): Origin | undefined {
    if (this.#origins.has(address)) return this.#origins.get(address);
    return this.inBefore({ stack: MAIN, address }) && { stack: MAIN, address };
  }

  setOrigin(address: string, origin: Origin | undefined): void {
    this.#origins.set(address, origin);
  }

  inBefore({ stack, address }: Origin): Declared | undefined {
    const doc = this.stacks.find(({ name }) => name === stack)?.before;
    return doc && objectsOf(doc).find((one) => one.address === address);
  }

  inAfter(address: string): Declared | undefined {
    return objectsOf(this.main.after).find((one) => one.address === address);
  }

  /** Something that fits, added to both documents if there is nothing yet. */
  need(fits: (kind: Kind) => boolean): Declared | undefined {
    const found = this.pickKept(({ kind }) => fits(kind));
    if (found !== undefined) return found;
    const kind = this.one(managedKinds.filter(fits));
    return kind && this.grow(kind);
  }

  /** A new object in both documents. */
  grow(kind: Kind): Declared | undefined {
    const { before, after } = this.main;
    const recipe = { kind: managedKinds.indexOf(kind), parent: 0, variant: this.chance(8), fields: [], lifecycle: 1 };
    const made = addObject(before, recipe);
    if (made === undefined) return undefined;
    const parent = made.parent && this.inAfter(made.parent.address);
    if (made.parent !== undefined && parent === undefined) {
      const whole = structuredClone(made.parent.block);
      const section = sectionOf(after, made.parent.kind);
      if (section[made.parent.name] !== undefined) return undefined;
      section[made.parent.name] = whole;
      return this.inAfter(made.address);
    }
    const section = sectionOf(parent?.block ?? after, kind);
    if (section[made.name] !== undefined) return undefined;
    section[made.name] = structuredClone(made.block);
    return this.inAfter(made.address);
  }

  /** The object of an address of the manifest after has another one from now on, or is gone. */
  follow(from: string, to: string | undefined): void {
    if (to !== undefined) this.#origins.set(to, this.origin(from));
    this.#origins.delete(from);
    if (this.focus.after === from) this.focus.after = to;
  }

  lifecycle(block: Block, more: JsonObject): void {
    const lifecycle = isObject(block['lifecycle']) ? block['lifecycle'] : {};
    block['lifecycle'] = { ...lifecycle, ...more };
  }

  addTo(doc: Block, key: 'moved' | 'removed', entry: Json): void {
    const list = doc[key];
    doc[key] = [...(Array.isArray(list) ? (list as Json[]) : []), entry];
  }

  /** Somebody's object, with an id that is known from the beginning. */
  stranger(kind: Kind, spec: JsonObject, isTaken: boolean, parentId?: string): string {
    const id = makeId(kind.idPrefix, FIRST_STRANGER + this.strangers.length);
    this.strangers.push({ id, kind: kind.name, spec, isTaken, ...(parentId !== undefined && { parentId }) });
    return id;
  }

  deed(deed: DeedName, origin: Partial<Origin>, { path = this.chance(9_999), variant = this.chance(11) } = {}): void {
    const { stack = MAIN, address } = origin;
    this.deeds.push({ type: 'deed', stack, address, deed, path, variant });
  }

  /** Somebody makes a second object with the same marker; gives its id. */
  twin({ stack, address }: Origin, kind: Kind): string {
    const id = makeId(kind.idPrefix, FIRST_STRANGER + 50);
    this.deeds.push({ type: 'deed', stack, address, deed: 'double', path: 0, variant: 0, id });
    return id;
  }

  /** The object of an address of the manifest after is to go, or to be another one. */
  condemn(address: string): void {
    const origin = this.origin(address);
    if (origin !== undefined) this.condemned.push(origin);
  }

  promise(promise: string, about: Omit<Promised, 'promise' | 'stack'> & { readonly stack?: string } = {}): void {
    this.promises.push({ stack: MAIN, ...about, promise });
  }
}

export function emptyDocument(stack: string): Block {
  const secrets = Array.from({ length: SECRETS }, (_, index) => [`secret${index}`, { sensitive: true }]);
  return { version: 1, stack, variables: Object.fromEntries(secrets) as Block };
}
