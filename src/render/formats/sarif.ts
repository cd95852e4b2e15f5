// SARIF 2.1.0, with everything that GitHub code scanning requires.

import { codes, type CodeEntry } from '../../core/codes.ts';
import type { JsonObject } from '../../core/json.ts';
import { percentEncoded } from '../../core/text/text.ts';
import { plainPath } from '../../core/text/plain-path.ts';
import type { RenderOptions } from '../render-options.ts';
import { documentJson } from '../view/documents.ts';
import type { SourcePlace, View } from '../view/view.ts';
import { findingsOf, OPENS, type Finding } from '../reports/findings.ts';
import type { Writer } from '../writer.ts';

export const format = {
  name: 'sarif',
  position: 70,
  isLog: false,
  isForForge: true,
  draws: ['problems', 'drift', 'plan', 'fleet'],
  draw: drawSarif,
} as const satisfies Writer;

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** A problem without a place becomes a notification of the run, because code scanning rejects such results. */
function drawSarif(view: View, { checkout, comment }: RenderOptions): string {
  const found = findingsOf(view);
  const rules = rulesOf(found);
  const indexOf = new Map(rules.map(({ id }, index) => [id, index]));
  const placeless = found.filter(({ place }) => place === undefined);
  return documentJson({
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'edgeform', ...versionOf(comment), rules: rules.map((rule) => descriptorOf(rule, found)) },
        },
        automationDetails: { id: `edgeform/${[view.is, ...scopeOf(view)].join('/')}/` },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { '%SRCROOT%': { description: { text: checkout === undefined ? RUN_IN : CHECKED_OUT } } },
        invocations: [
          {
            executionSuccessful: placeless.every(({ group }) => group === 'warning'),
            toolExecutionNotifications: placeless.map((one) => ({
              level: levelOf(one),
              message: messageOf(one),
              associatedRule: { id: one.rule },
              ...propertiesOf(one),
            })),
          },
        ],
        results: found.flatMap((one) =>
          one.place === undefined ? [] : [resultOf(one, one.place, indexOf.get(one.rule) ?? 0)],
        ),
      },
    ],
  });
}

const RUN_IN = 'The folder in which edgeform was run.';
const CHECKED_OUT = 'The root of the checkout.';

/** The version twice: as the program prints it, and as one that can be compared. */
function versionOf({ version }: NonNullable<RenderOptions['comment']> = {}): JsonObject {
  return version === undefined ? {} : { version, semanticVersion: version };
}

/** What tells apart the analyses of a repository: the stack, or the command for a fleet. */
function scopeOf({ is, at, facts }: View): string[] {
  return is === 'fleet' ? [facts['command'] ?? ''] : at === undefined ? [] : [at.stack];
}

function propertiesOf({ stack, fix }: Finding): JsonObject {
  const properties = { ...(stack !== undefined && { stack }), ...(fix !== undefined && { fix }) };
  return Object.keys(properties).length === 0 ? {} : { properties };
}

/** A rule's description and its fix. */
interface Rule extends CodeEntry {
  readonly id: string;
}

function rulesOf(found: readonly Finding[]): Rule[] {
  return [...new Set(found.map(({ rule }) => rule))].sort().map(ruleOf);
}

const CODES = new Map(Object.entries(codes));

function ruleOf(id: string): Rule {
  const known = CODES.get(id);
  if (known !== undefined) return { id, ...known };
  if (id.startsWith('policy/'))
    return {
      id,
      title: `Policy: ${id.slice('policy/'.length)}`,
      explanation: 'A policy of your organisation is violated.',
      fix: 'Change the manifest as the message says; the policy is among the related places.',
    };
  if (id === OPENS)
    return {
      id,
      title: 'More can get in than before',
      explanation:
        'The plan takes a guard away or makes it looser, begins to serve a hostport, or lets a route answer that has fewer guards.',
      fix: 'Read what opens; if it is not meant, take the change back. The policy `openings` makes it need consent.',
    };
  if (id.startsWith('drift-'))
    return {
      id,
      title: `Drift: ${id.slice('drift-'.length).replaceAll('-', ' ')}`,
      explanation: 'A live object differs from what the last apply left, and the manifest did not cause that.',
      fix: 'Run apply to put it back, put the change into the manifest, or let the field differ with ignore_changes.',
    };
  return {
    id,
    title: id,
    explanation: 'The message of each result says what was found.',
    fix: 'Resolve what the message names, then run the command again.',
  };
}

function levelOf({ group }: Pick<Finding, 'group'>): string {
  return group === 'warning' ? 'warning' : 'error';
}

function descriptorOf({ id, title, explanation, fix }: Rule, found: readonly Finding[]): JsonObject {
  const isError = found.some(({ rule, group }) => rule === id && group !== 'warning');
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: explanation },
    help: { text: `${explanation}\n\n${fix}` },
    defaultConfiguration: { level: isError ? 'error' : 'warning' },
  };
}

function resultOf(one: Finding, place: SourcePlace, ruleIndex: number): JsonObject {
  const related = one.related.flatMap((other) => (other.place === undefined ? [] : [{ ...other, place: other.place }]));
  return {
    ruleId: one.rule,
    ruleIndex,
    level: levelOf(one),
    message: messageOf(one),
    locations: [{ physicalLocation: physical(place) }],
    ...(related.length > 0 && {
      relatedLocations: related.map((other, id) => ({
        id,
        message: { text: unlinked(other.text) },
        physicalLocation: physical(other.place),
      })),
    }),
    ...propertiesOf(one),
    partialFingerprints: { primaryLocationLineHash: one.fingerprint, 'edgeform/v1': one.fingerprint },
  };
}

function messageOf({ text, details }: Finding): JsonObject {
  return { text: unlinked([text, ...details].join('\n')) };
}

/** Escapes `[text](target)`, which would become a link in a message. */
function unlinked(text: string): string {
  return text.replaceAll('](', '] (') || '-';
}

function physical({ file, line, column, end }: SourcePlace): JsonObject {
  const uri = uriOfPath(file);
  return {
    artifactLocation: { uri, ...(!uri.startsWith('file:') && { uriBaseId: '%SRCROOT%' }) },
    region: {
      startLine: Math.max(1, line),
      startColumn: Math.max(1, column),
      endLine: Math.max(1, end?.line ?? line),
      endColumn: Math.max(1, end?.column ?? column + 1),
    },
  };
}

/** A relative path as a relative reference, an absolute one as a `file:` URL; all other characters are part of a name. */
function uriOfPath(path: string): string {
  const plain = plainPath(path);
  const encoded = plain.replace(/[^\w.!~*'()/-]/gu, percentEncoded);
  return plain.startsWith('/') ? `file://${encoded}` : encoded;
}
