// The script of a world: files, deeds and command lines, in the order in which they happen.

import { chanceOf } from '../support/chance.ts';
import type { Block } from '../support/document.ts';
import type { Draft, Look, StackDraft } from './draft.ts';
import type { Action, FilesAction, Promised, Role, RunAction, World } from './world.ts';
import { FILES, MAIN, manifestOf, planOf } from './world.ts';

/** The world that a draft has become. */
export function worldOf(draft: Draft, pair: readonly [string, string], seed: number): World {
  const { service, strangers, promises } = draft;
  const isCondemned = ({ stack, address = '' }: Promised) =>
    draft.commands.act === 'destroy' ||
    draft.condemned.some((one) => one.stack === stack && `${address}.`.startsWith(`${one.address}.`));
  const kept = promises.filter((one) => one.promise !== 'kept' || !isCondemned(one));
  const world = { pair, seed, service, strangers, promises: kept, script: new Script(draft, seed).actions() };
  const { targets, isRecreated, second, trouble } = draft.commands;
  const isNarrow = targets.length > 0 || isRecreated || second !== undefined || trouble !== undefined;
  if (isNarrow || !promises.some((one) => one.promise === LIKE_SINGLE)) return world;
  draft.commands.isFleet = false;
  return { ...world, twin: { ...world, script: new Script(draft, seed).actions() } };
}

/** The files of a stack in its forms. */
interface Written {
  readonly files: Record<string, Block>;
  readonly overlays: readonly string[];
}

/** What a fleet promises where it has neither waves nor shards. */
const LIKE_SINGLE = 'like single commands';
const ALL_DELETES = ['--allow-deletes', 'all'];
const TOKENS = ['--token-dir', 'tokens'];
const JSON_OUT = ['--format', 'json', '--detail', 'full'];
const SETTLE = ['--settle', '6'];
/** Where the second writer has its manifest. */
const SECOND = 'second-';

class Script {
  readonly #draft: Draft;
  readonly #seed: number;

  constructor(draft: Draft, seed: number) {
    this.#draft = draft;
    this.#seed = seed;
  }

  actions(): Action[] {
    const { commands, deeds, isJournalLost } = this.#draft;
    return [
      this.#files('before'),
      ...this.#before(),
      ...(isJournalLost ? [{ type: 'forget' } as const] : []),
      this.#files('after'),
      ...deeds,
      ...commands.early.flatMap((look) => this.#look(look)),
      ...this.#plan(),
      ...this.#second(),
      ...this.#act(),
      ...this.#again(),
      ...this.#late(),
      ...commands.late.flatMap((look) => this.#look(look)),
    ];
  }

  #files(when: 'before' | 'after'): FilesAction {
    const { stacks, commands, otherFiles } = this.#draft;
    const written = stacks.map((stack) => [stack, this.#written(stack, when)] as const);
    const second = commands.second === undefined ? {} : this.#written(this.#draft.main, 'before').files;
    return {
      type: 'files',
      files: {
        ...Object.assign({}, ...written.map(([, { files }]) => files)),
        ...Object.fromEntries(Object.entries(second).map(([name, doc]) => [`${SECOND}${name}`, doc])),
        ...(commands.isFleet && { [FILES.fleet]: this.#fleet(written) }),
        ...otherFiles,
      },
      ...(commands.isCommitted && when === 'before' && { isCommitted: true }),
    };
  }

  #written(stack: StackDraft, when: 'before' | 'after'): Written {
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

  #fleet(written: readonly (readonly [StackDraft, Written])[]): Block {
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
  #of(stack: StackDraft, prefix = ''): string[] {
    const { overlays } = this.#written(stack, 'after');
    const variables = stack.name === MAIN ? [...this.#draft.variables] : [];
    return [
      ...['-f', `${prefix}${manifestOf(stack.name)}`],
      ...overlays.flatMap((name) => ['--overlay', `${prefix}${name}`]),
      ...variables.flatMap(([name, value]) => ['--var', `${name}=${value}`]),
    ];
  }

  #inOrder(): StackDraft[] {
    const { stacks, isSideFirst } = this.#draft;
    return isSideFirst ? [...stacks].reverse() : [...stacks];
  }

  /** A command for each stack, or for each shard of the fleet. */
  #runs(
    role: Role,
    command: string,
    optionsOf: (stack: StackDraft | undefined, part: string) => string[],
  ): RunAction[] {
    const { isFleet, shards, act } = this.#draft.commands;
    if (!isFleet)
      return this.#inOrder().map((stack) => ({
        type: 'run',
        role,
        stack: stack.name,
        args: [command, ...optionsOf(stack, ''), ...this.#of(stack)],
      }));
    return Array.from({ length: shards }, (_, index) => {
      const isSaved = role === 'act' && act === 'saved';
      const shard = shards > 1 && !isSaved ? ['--shard', `${index + 1}/${shards}`] : [];
      const args = ['fleet', command, ...optionsOf(undefined, `-${index}`), ...shard];
      return { type: 'run', role, stack: undefined, args };
    });
  }

  #before(): RunAction[] {
    return this.#runs('before', 'apply', () => [...JSON_OUT, '--auto-approve', ...ALL_DELETES, ...TOKENS]);
  }

  /** What plan, apply and destroy are allowed and narrowed to. */
  #consent(stack: StackDraft | undefined): string[] {
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

  #plan(): RunAction[] {
    const { policies, planOptions, isFleet, act } = this.#draft.commands;
    if (act === 'destroy') return [];
    const runs = this.#runs('plan', 'plan', (stack, part) => [
      ...JSON_OUT,
      ...this.#consent(stack),
      ...policies,
      ...planOptions,
      ...TOKENS,
      ...['--out', stack === undefined ? `${FILES.plans}${part}` : planOf(stack.name)],
    ]);
    if (isFleet) return runs;
    return runs.flatMap((run) => [
      run,
      ...showing(planOf(run.stack ?? '')),
      ...(planOptions.length > 0 ? [asMarkdown(run)] : []),
    ]);
  }

  #second(): RunAction[] {
    return this.#draft.commands.second?.when === 'between' ? [this.#otherRun()] : [];
  }

  /** An old branch is applied once more. */
  #late(): RunAction[] {
    return this.#draft.commands.second?.when === 'after' ? [this.#otherRun()] : [];
  }

  #otherRun(): RunAction {
    const isHere = this.#draft.commands.second?.isHere === true;
    return { type: 'run', role: 'other', stack: MAIN, args: this.#secondRun(), ...(isHere && { isHere }) };
  }

  #secondRun(): string[] {
    const options = [...JSON_OUT, '--auto-approve', ...ALL_DELETES, ...TOKENS, ...SETTLE];
    return ['apply', ...options, ...this.#of(this.#draft.main, SECOND)];
  }

  #act(): RunAction[] {
    const { act, trouble, second, policies } = this.#draft.commands;
    const common = [...JSON_OUT, '--auto-approve', ...policies, ...TOKENS, ...SETTLE];
    const runs = this.#runs('act', act === 'destroy' ? 'destroy' : 'apply', (stack, part) => {
      if (act === 'destroy') return [...common, ...this.#consentToDestroy()];
      if (act === 'apply') return [...common, ...this.#consent(stack)];
      return [stack === undefined ? `${FILES.plans}${part}` : planOf(stack.name), ...common, ...ALL_DELETES];
    });
    const first = runs.findIndex(({ stack }) => stack === MAIN || stack === undefined);
    return runs.flatMap((run, index): RunAction[] => {
      if (index !== first) return [run];
      const beside = second?.when === 'beside' && { beside: { args: this.#secondRun(), from: this.#draft.chance(12) } };
      if (trouble === undefined) return [{ ...run, ...beside }];
      return [{ ...run, ...beside, trouble }, run, run];
    });
  }

  #consentToDestroy(): string[] {
    return this.#draft.commands.isRecreated ? ['--deleted-outside'] : [];
  }

  #again(): RunAction[] {
    const { act, policies, second } = this.#draft.commands;
    if (second !== undefined && second.when !== 'after') return [];
    const consent = (stack: StackDraft | undefined) => (act === 'destroy' ? [] : this.#consent(stack));
    const drift = act === 'destroy' ? [] : this.#runs('drift', 'drift', () => ['--format', 'json', ...TOKENS]);
    return [
      ...this.#runs('again', 'plan', (stack) => [...JSON_OUT, ...consent(stack), ...policies, ...TOKENS]),
      ...drift,
    ];
  }

  /** The plain manifest, and its plan, which is that of the manifest. */
  #render(): RunAction[] {
    const of = this.#of(this.#draft.main);
    const common = ['plan', ...JSON_OUT, ...ALL_DELETES, ...TOKENS];
    const values = [...this.#draft.variables].flatMap(([name, value]) => ['--var', `${name}=${value}`]);
    const files = of.slice(0, this.#variableOptions());
    return [
      { type: 'run', role: 'look', stack: MAIN, args: ['render', ...files], into: FILES.rendered },
      { type: 'run', role: 'look', stack: MAIN, args: [...common, ...of] },
      { type: 'run', role: 'rendered', stack: MAIN, args: [...common, '-f', FILES.rendered, ...values] },
    ];
  }

  /** Where the values of variables begin among the options of a manifest. */
  #variableOptions(): number {
    const at = this.#of(this.#draft.main).indexOf('--var');
    return at < 0 ? Infinity : at;
  }

  #look(look: Look): RunAction[] {
    const { policies } = this.#draft.commands;
    switch (look) {
      case 'drift':
        return this.#runs('look', 'drift', () => ['--format', 'json', ...TOKENS, ...policies]);
      case 'known': {
        const first = this.#runs('look', 'drift', () => ['--format', 'json', ...TOKENS]);
        return [
          ...first.map((run): RunAction => ({ ...run, known: FILES.known })),
          ...this.#runs('known', 'drift', () => ['--format', 'json', ...TOKENS, '--known', FILES.known]),
        ];
      }
      case 'accept':
        return [
          ...this.#runs('accept', 'drift', () => ['--format', 'json', ...TOKENS, '--accept', 'all', '--write']),
          ...this.#runs('accepted', 'drift', () => ['--format', 'json', ...TOKENS]),
        ];
      case 'render':
        return this.#draft.commands.isFleet ? [] : this.#render();
      case 'orphans': {
        const manifest = this.#draft.commands.isFleet
          ? []
          : this.#of(this.#draft.main).slice(0, this.#variableOptions());
        return [
          { type: 'run', role: 'orphans', stack: MAIN, args: ['stacks', '--orphans', '--format', 'json', ...manifest] },
        ];
      }
      case 'export':
        return [
          { type: 'run', role: 'look', stack: MAIN, args: ['export', '--stack', MAIN], into: FILES.exported },
          { type: 'run', role: 'exported', stack: MAIN, args: ['plan', '-f', FILES.exported, ...JSON_OUT, ...TOKENS] },
        ];
      default:
        return look satisfies never;
    }
  }
}

/** The same plan once more, as a reviewer sees it. */
function asMarkdown(run: RunAction): RunAction {
  const args = run.args.filter((arg, index) => arg !== '--out' && run.args[index - 1] !== '--out');
  return { ...run, role: 'show', args: args.map((arg) => (arg === 'json' ? 'markdown' : arg)) };
}

function showing(file: string): RunAction[] {
  return ['text', 'markdown', 'html'].map((format) => {
    return { type: 'run', role: 'show', stack: undefined, args: ['show', file, '--format', format] };
  });
}
