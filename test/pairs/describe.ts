// A world in words: its files, what others have and do, its command lines with how they ended, and what was violated.

import type { Outcome, Played } from './play.ts';
import { yamlOf } from './texts.ts';
import type { Violation } from './violation.ts';
import type { Action, RunAction, World } from './world.ts';

const indented = (text: string) => text.trimEnd().replaceAll(/^/gm, '    ');

/** The command that plays the world again. */
export function commandFor({ pair, seed }: World): string {
  return `npm run test:pairs -- --pair ${JSON.stringify(pair.join(','))} --worlds 1 --seed ${seed} --show`;
}

export function describeWorld(world: World, outcome?: Outcome, withOutput = false): string {
  const { service, strangers, script } = world;
  const known = JSON.stringify(service);
  return [
    ...(known === '{}' ? [] : [`  service ${known}`]),
    ...strangers.map(({ id, kind, spec }) => `  stranger ${kind} ${id} ${JSON.stringify(spec)}`),
    ...script.flatMap((action) => describeAction(action, outcome, withOutput)),
    ...world.promises.map((one) => `  promise ${JSON.stringify(one)}`),
  ].join('\n');
}

function describeAction(action: Action, outcome: Outcome | undefined, withOutput: boolean): string[] {
  switch (action.type) {
    case 'files':
      return Object.entries(action.files).map(([name, content]) => {
        if (content === undefined) return `  ${name} is removed`;
        return `  ${name}:\n${indented(typeof content === 'string' ? content : yamlOf(content))}`;
      });
    case 'deed':
      return [
        `  somebody: ${action.deed} ${action.stack} ${action.address ?? 'everything'} (path ${action.path}, variant ${action.variant})`,
      ];
    case 'forget':
      return ['  journals are lost'];
    case 'run':
      return describeRun(action, outcome, withOutput);
    default:
      return action satisfies never;
  }
}

function describeRun(action: RunAction, outcome: Outcome | undefined, withOutput: boolean): string[] {
  const runs = (outcome?.runs ?? []).filter((one) => one.action === action);
  const trouble = action.trouble && `, ${action.trouble.fault} at write ${action.trouble.write}`;
  const beside = action.beside && `, from ${action.beside.from} on beside ${action.beside.args.join(' ')}`;
  const ends = runs.map(({ ran }) => ran.exit ?? 'none').join(' and ');
  return [
    `  $ edgeform ${action.args.join(' ')}${trouble ?? ''}${beside ?? ''}   → ${ends || 'not run'}`,
    ...(withOutput && outcome !== undefined ? runs.flatMap((one) => outputOf(one, outcome)) : []),
  ];
}

function outputOf({ ran }: Played, { service }: Outcome): string[] {
  const writes = service.log.filter(({ run, method }) => run === ran.number && method !== 'GET');
  return [
    ...writes.map(
      ({ method, path, status, body }) => `      > ${method} ${path} ${status} ${JSON.stringify(body ?? null)}`,
    ),
    indented(`${ran.stdout}\n${ran.stderr}`),
  ];
}

export function describeViolations(violations: readonly Violation[]): string {
  return violations.map(({ oracle, text }) => `  ${oracle}: ${text}`).join('\n');
}
