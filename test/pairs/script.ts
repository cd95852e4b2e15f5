// The script of a world: files, deeds and command lines, in the order in which they happen.

import { ALL_DELETES, CommandLines } from './command-lines.ts';
import type { Draft, Look, StackDraft } from './draft.ts';
import type { Action, FilesAction, Promised, RunAction, World } from './world.ts';
import { FILES, MAIN, planOf } from './world.ts';

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

/** What a fleet promises where it has neither waves nor shards. */
const LIKE_SINGLE = 'like single commands';
const TOKENS = ['--token-dir', 'tokens'];
const JSON_OUT = ['--format', 'json', '--detail', 'full'];
const SETTLE = ['--settle', '6'];
/** Where the second writer has its manifest. */
const SECOND = 'second-';

class Script {
  readonly #draft: Draft;
  readonly #lines: CommandLines;

  constructor(draft: Draft, seed: number) {
    this.#draft = draft;
    this.#lines = new CommandLines(draft, seed);
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
      ...this.#validate(),
    ];
  }

  #files(when: 'before' | 'after'): FilesAction {
    const { stacks, commands, otherFiles } = this.#draft;
    const written = stacks.map((stack) => [stack, this.#lines.written(stack, when)] as const);
    const second = commands.second === undefined ? {} : this.#lines.written(this.#draft.main, 'before').files;
    return {
      type: 'files',
      files: {
        ...Object.assign({}, ...written.map(([, { files }]) => files)),
        ...Object.fromEntries(Object.entries(second).map(([name, doc]) => [`${SECOND}${name}`, doc])),
        ...(commands.isFleet && { [FILES.fleet]: this.#lines.fleet(written) }),
        ...otherFiles,
      },
      ...(commands.isCommitted && when === 'before' && { isCommitted: true }),
    };
  }

  #before(): RunAction[] {
    return this.#lines.runs('before', 'apply', () => [...JSON_OUT, '--auto-approve', ...ALL_DELETES, ...TOKENS]);
  }

  #plan(): RunAction[] {
    const { policies, planOptions, isFleet, act } = this.#draft.commands;
    if (act === 'destroy') return [];
    const runs = this.#lines.runs('plan', 'plan', (stack, part) => [
      ...JSON_OUT,
      ...this.#lines.consent(stack),
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
    return ['apply', ...options, ...this.#lines.of(this.#draft.main, SECOND)];
  }

  #act(): RunAction[] {
    const { act, trouble, second, policies } = this.#draft.commands;
    const common = [...JSON_OUT, '--auto-approve', ...policies, ...TOKENS, ...SETTLE];
    const runs = this.#lines.runs('act', act === 'destroy' ? 'destroy' : 'apply', (stack, part) => {
      if (act === 'destroy') return [...common, ...this.#consentToDestroy()];
      if (act === 'apply') return [...common, ...this.#lines.consent(stack)];
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
    const consent = (stack: StackDraft | undefined) => (act === 'destroy' ? [] : this.#lines.consent(stack));
    const drift = act === 'destroy' ? [] : this.#lines.runs('drift', 'drift', () => ['--format', 'json', ...TOKENS]);
    return [
      ...this.#lines.runs('again', 'plan', (stack) => [...JSON_OUT, ...consent(stack), ...policies, ...TOKENS]),
      ...drift,
    ];
  }

  /** Without the service. */
  #validate(): RunAction[] {
    return this.#lines.runs('look', 'validate', () => ['--format', 'json', ...this.#draft.commands.policies]);
  }

  /** The plain manifest, and its plan, which is that of the manifest. */
  #render(): RunAction[] {
    const of = this.#lines.of(this.#draft.main);
    const common = ['plan', ...JSON_OUT, ...ALL_DELETES, ...TOKENS];
    const values = [...this.#draft.variables].flatMap(([name, value]) => ['--var', `${name}=${value}`]);
    const files = of.slice(0, this.#lines.variableOptions());
    return [
      { type: 'run', role: 'look', stack: MAIN, args: ['render', ...files], into: FILES.rendered },
      { type: 'run', role: 'look', stack: MAIN, args: [...common, ...of] },
      { type: 'run', role: 'rendered', stack: MAIN, args: [...common, '-f', FILES.rendered, ...values] },
    ];
  }

  #look(look: Look): RunAction[] {
    const { policies } = this.#draft.commands;
    switch (look) {
      case 'drift':
        return this.#lines.runs('look', 'drift', () => ['--format', 'json', ...TOKENS, ...policies]);
      case 'known': {
        const first = this.#lines.runs('look', 'drift', () => ['--format', 'json', ...TOKENS]);
        return [
          ...first.map((run): RunAction => ({ ...run, known: FILES.known })),
          ...this.#lines.runs('known', 'drift', () => ['--format', 'json', ...TOKENS, '--known', FILES.known]),
        ];
      }
      case 'accept':
        return [
          ...this.#lines.runs('accept', 'drift', () => ['--format', 'json', ...TOKENS, '--accept', 'all', '--write']),
          ...this.#lines.runs('accepted', 'drift', () => ['--format', 'json', ...TOKENS]),
        ];
      case 'render':
        return this.#draft.commands.isFleet ? [] : this.#render();
      case 'orphans': {
        const manifest = this.#draft.commands.isFleet
          ? []
          : this.#lines.of(this.#draft.main).slice(0, this.#lines.variableOptions());
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
