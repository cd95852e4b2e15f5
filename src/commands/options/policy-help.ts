// Help on policies: what their expressions can see.

import { managedKinds } from '../../catalog/lookup.ts';
import { VARIABLES, type Shapes } from '../../policy/visible.ts';
import { definitionLines, indented, type Definition } from '../../render/text/lines.ts';

const INTRODUCTION =
  'A policy is an expression in CEL that must be true. It sees the variables below, and nothing else: no clock, no network, no ' +
  'values of secrets. A field that may be absent is tested with has(). What is not known before apply, or a sensitive variable, ' +
  'cannot be decided, and then the policy stops apply; a field that is secret equals nothing.';

const ALL: Shapes = { ...VARIABLES.live, ...VARIABLES.step };

const SUBJECTS = `on: live judges objects of the service that the plan leaves as they are. ${sentencesOfSubjects()}`;

function sentencesOfSubjects(): string {
  return Object.entries(VARIABLES)
    .map(([on, shapes]) => `on: ${on} sees ${Object.keys(shapes).join(', ')}.`)
    .join(' ');
}

export function policyHelp(width: number): string[] {
  const kinds = managedKinds.map(({ name }) => name).join(', ');
  return [
    ...indented(INTRODUCTION, width),
    '',
    ...indented(SUBJECTS, width),
    '',
    ...definitionLines(definitions(ALL, ''), width),
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
