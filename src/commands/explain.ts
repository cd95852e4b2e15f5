// schema and explain: the catalogue as JSON Schema or as text. No network.

import { EXAMPLES } from '../catalog/examples.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { documentNames, documentSchema } from '../schema/documents.ts';
import { kindSchema } from '../schema/generate.ts';
import { helpOn, kindNamed } from './options/field-help.ts';
import { policyHelp } from './options/policy-help.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { widthOf } from './shell/invocation.ts';

/** Prints the schema of manifests, of one document that a command prints, or of one kind. */
function schema({ invocation: { stdout }, args: [name = 'manifest'] }: Call): RunOutcome {
  const found = documentSchema(name) ?? kindSchema(kindNamed(name, { what: 'document', names: documentNames }));
  stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  return 'done';
}

export const commands: readonly CommandSpec[] = [
  {
    position: 70,
    words: 'schema [kind|document]',
    text: 'print the JSON Schema of manifests, of one kind, or of a document that a command prints',
    isDocument: true,
    flags: { own: [] },
    help: { examples: ['schema > manifest.schema.json', `schema ${EXAMPLES.manifestKey}`, 'schema plan'] },
    run: schema,
  },
  {
    position: 80,
    words: 'explain [kind[.field]]',
    text: 'explain a kind, a field or another manifest key; without a name, list them',
    flags: { own: [] },
    help: {
      examples: ['explain', `explain ${EXAMPLES.fieldPath}`, 'explain lifecycle', 'explain preset', 'explain policy'],
    },
    run: ({ invocation: { stdout }, args: [path] }) => {
      const width = widthOf(stdout);
      stdout.write(`${(path === 'policy' ? policyHelp(width) : helpOn(path, width)).join('\n')}\n`);
      return 'done';
    },
  },
];
