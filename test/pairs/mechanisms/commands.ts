// Ways in which what a manifest asks for is looked at and carried out.

import { kindByName } from '../../../src/catalog/lookup.ts';
import type { Draft } from '../draft.ts';
import type { Mechanism } from '../mechanism.ts';
import { FILES } from '../world.ts';

function command(name: string, add: (draft: Draft) => unknown): Mechanism {
  return {
    name,
    stage: 'command',
    add: (draft) => {
      add(draft);
      return true;
    },
  };
}

/** Somebody changes the object that the mechanisms act upon. */
function changeOutside(draft: Draft): void {
  const chosen = draft.pickKept();
  if (chosen !== undefined) draft.deed('change', draft.origin(chosen.address)!);
}

const POLICY = (kind: string, action: string, severity: string) => `version: 1
policies:
  - name: no-${action}
    on: step
    kinds: [${kind}]
    expression: step.action != "${action}"
    message: "no ${action} of \${step.address}"
    severity: ${severity}
`;

const policy = command('policy', (draft) => {
  const { name } = kindByName(draft.pick()?.kind.name ?? draft.kind.name);
  const action = draft.one(['update', 'delete', 'replace', 'adopt', 'release'])!;
  const severity = draft.one(['error', 'error', 'warning'])!;
  draft.otherFiles[FILES.policy] = POLICY(name, action, severity);
  draft.commands.policies.push('--policy', FILES.policy);
  if (severity === 'error') draft.promise('forbidden', { kind: name, action });
});

/** What lets more in needs consent, which nobody gives here. */
const openings: Mechanism = {
  ...command('`--policy openings`', (draft) => {
    draft.commands.policies.push('--policy', 'openings');
    draft.promise('closed');
  }),
  wish: ({ fields }) => Object.values(fields).some(({ access }) => access === 'guard'),
};

export const COMMANDS: readonly Mechanism[] = [
  command('saved plan', ({ commands }) => (commands.act = 'saved')),
  command('saved plan that goes on', (draft) => {
    draft.commands.act = 'saved';
    draft.commands.trouble = {
      write: draft.chance(4),
      fault: draft.one(['crash after', 'crash before', '400', '403'])!,
    };
  }),
  command('`destroy`', ({ commands }) => (commands.act = 'destroy')),
  command('`export`', ({ commands }) => commands.late.push('export')),
  command('`render`', ({ commands }) => commands.late.push('render')),
  command('`stacks --orphans`', ({ commands }) => commands.late.push('orphans')),
  command('`drift`', (draft) => {
    changeOutside(draft);
    draft.commands.early.push('drift');
  }),
  command('`drift --accept`', (draft) => {
    changeOutside(draft);
    draft.commands.early.push('accept');
  }),
  command('`--known`', (draft) => {
    changeOutside(draft);
    draft.commands.early.push('known');
  }),
  command('`--base`', ({ commands }) => {
    commands.isCommitted = true;
    commands.planOptions.push('--base', 'HEAD');
  }),
  policy,
  openings,
];
