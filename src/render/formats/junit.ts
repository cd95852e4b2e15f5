// JUnit XML for Jenkins and GitLab: one test case per file, resource or step.

import { groupBy } from '../../core/group.ts';
import { escapeMarkup } from '../../core/text/escape-markup.ts';
import type { RenderOptions } from '../render-options.ts';
import { placeText, type Row, type StackView, type View } from '../view/view.ts';
import { findingsOf, type Finding } from '../reports/findings.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'junit',
  position: 80,
  isLog: false,
  isForForge: true,
  draws: ['problems', 'drift', 'report', 'plan', 'fleet'],
  draw: drawJunit,
} as const satisfies Writer;

/** `failure`: the subject is wrong; `error`: it could not be checked, or the result is unknown. */
type Outcome = 'passed' | 'failure' | 'error' | 'skipped';

interface Case {
  readonly group: string;
  readonly name: string;
  readonly outcome: Outcome;
  readonly type: string;
  readonly said: readonly string[];
}

/** Used when no command is known. */
const SUITES: Readonly<Record<View['is'], string>> = {
  problems: 'validate',
  drift: 'drift',
  report: 'apply',
  plan: 'plan',
  fleet: 'fleet',
};

/** Cases under a name; `prefix` is what the names of their classes begin with. */
interface Suite {
  readonly name: string;
  readonly prefix: string;
  readonly cases: readonly Case[];
  /** Undefined in a fleet without waves. */
  readonly wave?: number | undefined;
}

function drawJunit(view: View, { command = SUITES[view.is] }: Pick<RenderOptions, 'command'>): string {
  const suites = view.stacks?.map((stack) => stackSuite(stack, command)) ?? [suiteOf(view, command)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'edgeform', ...countsOf(suites.flatMap(({ cases }) => cases)) })}>`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
  ].join('\n');
}

function suiteOf(view: View, command: string): Suite {
  const made = distinct([...view.rows.map(rowCase), ...findingCases(view, command)]);
  return {
    name: `edgeform ${command}`,
    prefix: view.at === undefined ? '' : `${view.at.stack}.`,
    // Jenkins treats a report without test cases as an error.
    cases: made.length > 0 ? made : [passed(command, 'run', [view.sentence])],
  };
}

/** One stack of a fleet; one that was not run is one skipped case. */
function stackSuite({ name, wave, result, by, after, view }: StackView, command: string): Suite {
  const type = [
    result,
    ...(by === undefined ? [] : [`by ${by}`]),
    ...(after === undefined ? [] : [`after wave ${after}`]),
  ];
  const skipped: Case = { group: command, name: 'run', outcome: 'skipped', type: type.join(' '), said: [] };
  const { cases } = view === undefined ? { cases: [skipped] } : suiteOf(view, command);
  return { name: `edgeform ${command} ${name}`, prefix: `${name}.`, cases, wave };
}

function suiteLines({ name, prefix, cases, wave }: Suite): string[] {
  const skipped = cases.filter(({ outcome }) => outcome === 'skipped').length;
  return [
    `  <testsuite${attributes({ name, ...countsOf(cases), skipped })}>`,
    ...propertyLines(wave),
    ...cases.flatMap((one) => caseLines(one, prefix)),
    '  </testsuite>',
  ];
}

/** The wave as a property, which schemas of JUnit have for a suite. */
function propertyLines(wave: number | undefined): string[] {
  if (wave === undefined) return [];
  return ['    <properties>', `      <property${attributes({ name: 'wave', value: wave })}/>`, '    </properties>'];
}

function countsOf(cases: readonly Case[]) {
  const count = (outcome: Outcome) => cases.filter((one) => one.outcome === outcome).length;
  return { tests: cases.length, failures: count('failure'), errors: count('error') };
}

function passed(group: string, name: string, said: readonly string[] = []): Case {
  return { group, name, outcome: 'passed', type: '', said };
}

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  done: 'passed',
  failed: 'failure',
  unknown: 'error',
  blocked: 'skipped',
  not_attempted: 'skipped',
};

function rowCase({ address, action, phase, status, outcome, said }: Row): Case {
  const name = `${address} ${action.word}${phase}`;
  return { group: groupOf(address), name, outcome: OUTCOMES[status] ?? 'error', type: outcome, said };
}

/** Each subject with its findings or doubts, then findings without a subject, by rule. */
function findingCases(view: View, suite: string): Case[] {
  const subjects = view.subjects?.() ?? [];
  const doubts = new Map(subjects.map(({ name, doubt }) => [name, doubt]));
  const nameOf = ({ address, place }: Finding) => (view.is === 'problems' ? place?.file : address) ?? '';
  const byName = groupBy(findingsOf(view), nameOf);
  const names = new Set([...doubts.keys(), ...byName.keys()]);
  const rest = groupBy(byName.get('') ?? [], ({ rule }) => rule);
  return [
    ...[...names].flatMap((name) =>
      name === ''
        ? []
        : [subjectCase(view.is === 'drift' ? groupOf(name) : suite, name, byName.get(name) ?? [], doubts.get(name))],
    ),
    ...[...rest].map(([rule, members]) => caseOf(suite, rule, members, 'error')),
  ];
}

/** A subject that could not be compared has not passed. */
function subjectCase(group: string, name: string, found: readonly Finding[], doubt: string | undefined): Case {
  const made = caseOf(group, name, found, 'failure');
  if (doubt === undefined || made.outcome !== 'passed') return made;
  return { ...made, outcome: 'failure', type: 'broken-marker', said: [doubt, ...made.said] };
}

/** Warnings alone fail nothing; drift always fails, whatever its weight. */
function caseOf(group: string, name: string, found: readonly Finding[], outcome: Outcome): Case {
  const wrong = found.filter((one) => one.address !== undefined || one.group !== 'warning');
  const said = found.flatMap(findingLines);
  const [first] = wrong;
  if (first === undefined) return passed(group, name, said);
  const more = wrong.length === 1 ? '' : `, and ${wrong.length - 1} more`;
  return { group, name, outcome, type: first.rule, said: [`${first.text}${more}`, ...said] };
}

function findingLines({ rule, group, text, details, place }: Finding): string[] {
  const where = place === undefined ? '' : `${placeText(place)}: `;
  return [`${where}${group}: ${text} [${rule}]`, ...details.map((line) => `  ${line}`)];
}

function groupOf(address: string): string {
  return address.split('.')[0] ?? '';
}

/** Readers identify cases by name. */
function distinct(cases: readonly Case[]): Case[] {
  const seen = new Map<string, number>();
  return cases.map((one) => {
    const key = JSON.stringify([one.group, one.name]);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` };
  });
}

function caseLines({ group, name, outcome, type, said }: Case, prefix: string): string[] {
  const head = `    <testcase${attributes({ classname: `${prefix}${group}`, name })}`;
  if (outcome === 'passed')
    return said.length === 0
      ? [`${head}/>`]
      : [`${head}>`, `      <system-out>${escaped(said.join('\n'))}</system-out>`, '    </testcase>'];
  const [message = type, ...rest] = outcome === 'skipped' ? [[type, ...said].join(': ')] : said;
  return [
    `${head}>`,
    `      <${outcome}${attributes({ type, message })}>${escaped(rest.join('\n') || message)}</${outcome}>`,
    '    </testcase>',
  ];
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');
}

/** Characters that XML cannot represent. */
const FORBIDDEN = /[^\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escaped(text: string): string {
  return escapeMarkup(text.replace(FORBIDDEN, '\ufffd'));
}
