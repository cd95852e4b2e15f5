// The command lines of a world, and the files that they are about.

import { chanceOf } from '../support/chance.ts';
import type { Block } from '../support/document.ts';
import type { Draft, StackDraft } from './draft.ts';
import type { Role, RunAction } from './world.ts';
import { MAIN, manifestOf } from './world.ts';

/** The files of a stack in its forms. */
interface Written {
  readonly files: Record<string, Block>;
  readonly overlays: readonly string[];
}

export const ALL_DELETES = ['--allow-deletes', 'all'];

export class CommandLines {
  readonly #draft: Draft;
  readonly #seed: number;

  constructor(draft: Draft, seed: number) {
    this.#draft = draft;
    this.#seed = seed;
  }

  written(stack: StackDraft, when: 'before' | 'after'): Written {
    const forms = stack.name === MAIN ? this.#draft.forms : [];
    const overlays: Block[] = [];
    let manifest = stack[when];
    for (const [index, form] of forms.entries()) {
      const made = form(manifest, chanceOf(this.#seed + index));
      manifest = made.manifest;
      overlays.push(...made.overlays);
    }
    const names = overlays.map((_, index) => `${stack.name}.overlay${index}.yaml`);
    const laid = Object.fromEntries(names.map((name, index) => [name, overlays[index]!]));
    return { files: { [manifestOf(stack.name)]: manifest, ...laid }, overlays: names };
  }

  fleet(written: readonly (readonly [StackDraft, Written])[]): Block {
    const { variables, commands } = this.#draft;
    const entries = written.map(([{ name, wave }, { overlays }]): Block => ({
      name,
      path: manifestOf(name),
      ...(overlays.length > 0 && { overlays: [...overlays] }),
      ...(name === MAIN && variables.size > 0 && { variables: Object.fromEntries(variables) }),
      ...(commands.hasWaves && { wave }),
    }));
    return { version: 1, stacks: this.#draft.isSideFirst ? entries.reverse() : entries };
  }

  /** The options that say which manifest a command is about. */
  of(stack: StackDraft, prefix = ''): string[] {
    const { overlays } = this.written(stack, 'after');
    const variables = stack.name === MAIN ? [...this.#draft.variables] : [];
    return [
      ...['-f', `${prefix}${manifestOf(stack.name)}`],
      ...overlays.flatMap((name) => ['--overlay', `${prefix}${name}`]),
      ...variables.flatMap(([name, value]) => ['--var', `${name}=${value}`]),
    ];
  }

  inOrder(): StackDraft[] {
    const { stacks, isSideFirst } = this.#draft;
    return isSideFirst ? [...stacks].reverse() : [...stacks];
  }

  /** A command for each stack, or for each shard of the fleet. */
  runs(role: Role, command: string, optionsOf: (stack: StackDraft | undefined, part: string) => string[]): RunAction[] {
    const { isFleet, shards, act } = this.#draft.commands;
    if (!isFleet)
      return this.inOrder().map((stack) => ({
        type: 'run',
        role,
        stack: stack.name,
        args: [command, ...optionsOf(stack, ''), ...this.of(stack)],
      }));
    return Array.from({ length: shards }, (_, index) => {
      const isSaved = role === 'act' && act === 'saved';
      const shard = shards > 1 && !isSaved ? ['--shard', `${index + 1}/${shards}`] : [];
      const args = ['fleet', command, ...optionsOf(undefined, `-${index}`), ...shard];
      return { type: 'run', role, stack: undefined, args };
    });
  }

  /** What plan, apply and destroy are allowed and narrowed to. */
  consent(stack: StackDraft | undefined): string[] {
    const { targets, losses, isRecreated, isFleet } = this.#draft.commands;
    if (stack !== undefined && stack.name !== MAIN) return ALL_DELETES;
    const isNarrow = isFleet && (targets.length > 0 || isRecreated);
    return [
      ...ALL_DELETES,
      ...(isNarrow ? ['--only', MAIN] : []),
      ...targets.flatMap((address) => ['--target', address]),
      ...losses.flatMap((address) => ['--allow-loss', isFleet && !isNarrow ? `${MAIN}:${address}` : address]),
      ...(isRecreated ? ['--recreate'] : []),
    ];
  }

  /** Where the values of variables begin among the options of a manifest. */
  variableOptions(): number {
    const at = this.of(this.#draft.main).indexOf('--var');
    return at < 0 ? Infinity : at;
  }
}
