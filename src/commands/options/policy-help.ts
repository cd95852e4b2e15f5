// Help on policies: what their expressions can see.

import { managedKinds } from '../../catalog/lookup.ts';
import { VARIABLES, type Shapes } from '../../policy/visible.ts';
import { definitionLines, indented, type Definition } from '../../render/text/lines.ts';

const INTRODUCTION =
  'A policy is an expression in CEL that must be true. It sees the variables below, and nothing else: no clock, no network, no ' +
  'values of secrets. A field that may be absent is tested with has(). What is not known before apply, or a sensitive variable, ' +
  'cannot be decided, and then the policy stops apply; a field that is secret equals nothing. A policy on: step sees all of these, on: object sees object and stack, and on: plan ' +
  'sees plan and stack.';

export function policyHelp(width: number): string[] {
  const kinds = managedKinds.map(({ name }) => name).join(', ');
  return [
    ...indented(INTRODUCTION, width),
    '',
    ...definitionLines(definitions(VARIABLES.step, ''), width),
    '',
    ...indented(`Kinds: ${kinds}. \`edgeform explain KIND\` lists the fields of a kind.`, width),
  ];
}

function definitions(shapes: Shapes, above: string): Definition[] {
  return Object.entries(shapes).flatMap(([name, { type, doc, fields, items }]) => {
    const path = `${above}${name}`;
    const inside = items?.fields === undefined ? fields : items.fields;
    return [
      { name: path, text: `${type}. ${doc}` },
      ...definitions(inside ?? {}, `${path}${items === undefined ? '' : '[]'}.`),
    ];
  });
}
