// SARIF, JUnit and code quality: what each says of problems, plans, drift and runs, valid to the parsers and schemas of those
// who read them, whatever the texts are.

import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { Diagnostic } from '../../src/core/diagnostic.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { plainPath } from '../../src/core/text/plain-path.ts';
import type { View } from '../../src/render/view/view.ts';
import type { DriftView, ReportView } from '../../src/render/view/documents.ts';
import type { Format } from '../../src/render/formats.ts';
import {
  formatsFor,
  renderDiagnosticsAs,
  renderDriftAs,
  renderPlanAs,
  renderReportAs,
} from '../../src/render/formats.ts';
import { format as quality } from '../../src/render/formats/codequality.ts';
import { writers } from '../../src/render/formats/index.ts';
import { format as junit } from '../../src/render/formats/junit.ts';
import { format as sarif } from '../../src/render/formats/sarif.ts';
import { viewOf } from './view-sample.ts';
import { documentSchema } from '../../src/schema/documents.ts';
import { drifted } from './drift-sample.ts';
import { changeOf, everything, plain, planOf, stepOf } from './sample.ts';
import { quoting } from '../support/quoting.ts';
import { lettersOf } from './unfolded.ts';

const fixture = (name: string) => readFileSync(new URL(`../fixtures/formats/${name}`, import.meta.url), 'utf8');
const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false });
const isSarif = ajv.compile(JSON.parse(fixture('sarif-2.1.0.schema.json')) as JsonObject);
const isIssue = ajv.compile(JSON.parse(fixture('codeclimate.json')) as JsonObject);
const isDriftDocument = ajv.compile(documentSchema('drift') ?? {});
const XSD = fixture('junit-10.xsd');

const at = (file: string, line: number, column = 1) => ({ file, line, column, endLine: line, endColumn: column + 4 });

/** Drift beside a manifest with two resources, one of which did not drift. */
const withResources: DriftView = {
  ...drifted,
  resources: () => [
    { address: 'api_keys.ci', range: () => at('stack/keys.yaml', 3) },
    { address: 'tls_edges.db', range: () => at('stack/edges.yaml', 7, 3) },
  ],
};

const partial: ReportView = {
  plan: everything,
  results: everything.steps.map(({ id, address, action, live_id }, index) => {
    const status = (['done', 'failed', 'blocked', 'unknown', 'not_attempted'] as const)[index % 5] ?? 'done';
    return {
      id,
      address,
      action,
      status,
      live_id,
      error: status === 'done' ? null : `it is ${status}`,
      requests_done: 0,
    };
  }),
  result: 'unknown',
  exitCode: 7,
  diagnostics: [],
};

const found = {
  sources: new Map([...quoting('stack/edges.yaml', 'version: 1\n'), ...quoting('stack/keys.yaml', 'version: 1\n')]),
  diagnostics: [
    {
      code: 'unknown-field',
      severity: 'error',
      message: 'unknown field "hostprts"',
      range: at('stack/edges.yaml', 6, 5),
      related: [{ message: 'the kind', range: at('stack/edges.yaml', 2) }],
      expected: 'hostports',
      fix: 'did you mean "hostports"?',
    },
    { code: 'wrong-type', severity: 'error', message: 'not a list', range: at('stack/edges.yaml', 9) },
    { code: 'unused-variable', severity: 'warning', message: 'nobody uses it', range: at('stack/keys.yaml', 1) },
    { code: 'api-unreachable', severity: 'error', message: 'the service cannot be reached' },
  ] as unknown as readonly Diagnostic[],
};

interface Sarif {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
      readonly results: readonly {
        readonly ruleId: string;
        readonly ruleIndex: number;
        readonly message: { readonly text: string };
        readonly locations: readonly {
          readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
        }[];
        readonly partialFingerprints: Readonly<Record<string, string>>;
      }[];
      readonly invocations: readonly [
        { readonly executionSuccessful: boolean; readonly toolExecutionNotifications: readonly JsonObject[] },
      ];
    },
  ];
}

interface Issue {
  readonly check_name: string;
  readonly fingerprint: string;
  readonly description: string;
  readonly content?: { readonly body: string };
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

function sarifOf(text: string): Sarif['runs'][0] {
  const document = JSON.parse(text) as Sarif;
  expect(isSarif(document), JSON.stringify(isSarif.errors?.slice(0, 3))).toBe(true);
  const [run] = document.runs;
  for (const { ruleId, ruleIndex, locations, message, partialFingerprints } of run.results) {
    // What code scanning of GitHub requires beyond the schema.
    expect(run.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(locations).toHaveLength(1);
    expect(message.text).not.toBe('');
    expect(partialFingerprints['primaryLocationLineHash']).toMatch(/^[\w:-]+$/);
  }
  return run;
}

async function checkXml(...texts: string[]): Promise<void> {
  const xml = texts.map((contents, index) => ({ fileName: `${index}.xml`, contents }));
  const { valid, rawOutput } = await validateXML({ xml, schema: [{ fileName: 'junit.xsd', contents: XSD }] });
  expect(valid, rawOutput).toBe(true);
}

const casesOf = (xml: string) =>
  [...xml.matchAll(/<testcase classname="([^"]*)" name="([^"]*)"/g)].map((one) => one[2]);

describe('every document is valid to its readers', () => {
  const DOCUMENTS = [
    ['problems', 'sarif', renderDiagnosticsAs('sarif', found, plain)],
    ['plan', 'sarif', renderPlanAs('sarif', everything, plain)],
    ['drift', 'sarif', renderDriftAs('sarif', withResources, plain)],
    ['problems', 'junit', renderDiagnosticsAs('junit', found, plain)],
    ['drift', 'junit', renderDriftAs('junit', withResources, plain)],
    ['report', 'junit', renderReportAs('junit', partial, plain)],
    ['problems', 'codequality', renderDiagnosticsAs('codequality', found, plain)],
    ['drift', 'codequality', renderDriftAs('codequality', withResources, plain)],
  ] as const;
  const READERS = {
    sarif: (text: string) => void sarifOf(text),
    junit: (text: string) => checkXml(text),
    codequality(text: string): void {
      for (const issue of JSON.parse(text) as Issue[]) expect(isIssue(issue)).toBe(true);
    },
  };

  test.each(DOCUMENTS)('%s in %s', async (_, format, text) => {
    await READERS[format](text);
  });

  /** One for each format: what differs between two documents of a format is tested below. */
  const GOLDENS = [
    ['plan.sarif', renderPlanAs('sarif', everything, plain)],
    ['report.junit.xml', renderReportAs('junit', partial, plain)],
    ['problems.codequality.json', renderDiagnosticsAs('codequality', found, plain)],
  ] as const;

  test.each(GOLDENS)('%s is its golden', async (name, text) => {
    await expect(`${text}\n`).toMatchFileSnapshot(`golden/machines/${name}`);
  });
});

describe('sarif', () => {
  test('what has no place is a notification, and an error among them is no success', () => {
    const { results, invocations } = sarifOf(renderDiagnosticsAs('sarif', found, plain));
    expect(results.map(({ ruleId }) => ruleId)).toEqual(['unknown-field', 'wrong-type', 'unused-variable']);
    expect(invocations[0]).toMatchObject({
      executionSuccessful: false,
      toolExecutionNotifications: [{ level: 'error', associatedRule: { id: 'api-unreachable' } }],
    });
    const none = sarifOf(renderDiagnosticsAs('sarif', { ...found, diagnostics: [] }, plain));
    expect([none.results, none.invocations[0].executionSuccessful]).toEqual([[], true]);
  });

  test('a problem that moves within its file stays the same, and two of a kind are two', () => {
    const shown = (line: number) => {
      const one = { code: 'wrong-type', severity: 'error', message: 'm', range: at('a.yaml', line) } as const;
      const two = { ...one, range: at('a.yaml', line + 10) };
      const run = sarifOf(renderDiagnosticsAs('sarif', { diagnostics: [one, two], sources: new Map() }, plain));
      return run.results.map(({ partialFingerprints }) => partialFingerprints['primaryLocationLineHash']);
    };
    expect(shown(3)).toEqual(shown(30));
    expect(new Set(shown(3)).size).toBe(2);
  });

  test('findings of drift have their own fingerprint, and the place of their resource', () => {
    const { results } = sarifOf(renderDriftAs('sarif', withResources, plain));
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({
      partialFingerprints: { 'edgeform/v1': '01' },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'stack/edges.yaml', uriBaseId: '%SRCROOT%' } } }],
    });
  });
});

describe('code quality', () => {
  test('a finding of drift has its type, how bad it is, its fingerprint and the place of its resource', () => {
    const issues = JSON.parse(renderDriftAs('codequality', withResources, plain)) as Issue[];
    const facts = issues.map(({ check_name, severity, location: { path, lines } }) =>
      [check_name, severity, path, lines.begin].join(' '),
    );
    expect(facts).toEqual([
      'journal-damaged minor . 1',
      'drift-deleted-outside major . 1',
      'drift-missing-cause-unknown major . 1',
      'drift-changed-outside minor stack/edges.yaml 7',
      'drift-changed-cause-unknown critical . 1',
      'drift-duplicate major . 1',
      'drift-marker-unreadable major . 1',
    ]);
    expect(issues.slice(1).map(({ fingerprint }) => fingerprint)).toEqual(['02', '07', '01', '06', '03', '08']);
  });

  test('it names the object, and says what the text says', () => {
    const text = lettersOf(renderDriftAs('text', withResources, plain));
    const [, ...issues] = JSON.parse(renderDriftAs('codequality', withResources, plain)) as Issue[];
    for (const { description, content } of issues) {
      const [, address = '', id = ''] = /^(\S+) \(([^)]*)\) [^:]+: ./.exec(description) ?? [];
      expect([text.includes(lettersOf(address)), id === 'no object' || text.includes(id)]).toEqual([true, true]);
      const untold = (content?.body ?? '').split('\n').filter((line) => !text.includes(lettersOf(line)));
      expect([content !== undefined, untold]).toEqual([true, []]);
    }
  });
});

test('a suite has the name of the command, and a message says its address once', () => {
  const shown = (message: string) => {
    const diagnostics = [{ code: 'stale-plan', severity: 'error', message, address: 'tls_edges.a' }] as const;
    const style = { ...plain, command: 'apply' };
    return renderDiagnosticsAs('junit', { diagnostics, sources: new Map() }, style);
  };
  expect(shown('tls_edges.a (x) has changed')).toContain('message="tls_edges.a (x) has changed"');
  expect(shown('tls_edges.ab has changed')).toContain('message="tls_edges.a: tls_edges.ab has changed"');
  expect(shown('m')).toContain('<testsuite name="edgeform apply"');
  expect(renderReportAs('junit', partial, { ...plain, command: 'destroy' })).toContain('name="edgeform destroy"');
});

describe('what would stop apply', () => {
  const refusal = { rule: 'irreplaceable', message: 'no', addresses: [], flag: null } as const;
  const wrong = { code: 'broken-marker', severity: 'error', message: 'cut off', address: 'tls_edges.db' } as const;
  const plan = planOf({
    refusals: [refusal],
    diagnostics: [wrong, { ...wrong, code: 'not-converged', severity: 'warning' }],
  });
  const none = { ...withResources, plan, diagnostics: [], drift: { ...drifted.drift, findings: [], drifted: false } };

  test('is refused and an error in every report of drift', () => {
    const quality = JSON.parse(renderDriftAs('codequality', none, plain)) as { severity: string }[];
    expect(quality.map(({ severity }) => severity)).toEqual(['critical', 'major']);
    const [run] = (JSON.parse(renderDriftAs('sarif', none, plain)) as { runs: JsonObject[] }).runs;
    expect(run).toMatchObject({
      invocations: [
        { executionSuccessful: false, toolExecutionNotifications: [{ level: 'error' }, { level: 'error' }] },
      ],
    });
    expect(renderDriftAs('junit', none, plain)).toContain('tests="4" failures="1" errors="2"');
  });

  test('is in the document of drift', () => {
    const document = JSON.parse(renderDriftAs('json', none, plain)) as JsonObject;
    expect(document).toMatchObject({ refusals: [refusal], diagnostics: [wrong] });
    expect(isDriftDocument(document), JSON.stringify(isDriftDocument.errors)).toBe(true);
  });
});

const PROBLEM = { group: 'error', text: 'x', addresses: [], related: [], details: [] } as const;

interface SarifRun {
  readonly results: readonly {
    readonly locations: readonly {
      readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
    }[];
  }[];
  readonly tool: {
    readonly driver: {
      readonly rules: readonly { readonly id: string; readonly shortDescription: { text: string } }[];
    };
  };
}

function runOf(view: View): SarifRun {
  const { runs } = JSON.parse(sarif.draw(view, plain)) as { readonly runs: readonly [SarifRun] };
  return runs[0];
}

describe('addresses of files', () => {
  test.each([
    ['edgeform.yaml', 'edgeform.yaml'],
    ['./a/../b/c.yaml', 'b/c.yaml'],
    ['../../x.yaml', '../../x.yaml'],
    ['/srv/a b/../c.yaml', 'file:///srv/c.yaml'],
    ['/../x', 'file:///x'],
    ['with space/100%.yaml', 'with%20space/100%25.yaml'],
    ['c:\\a.yaml', 'c%3A%5Ca.yaml'],
    ['javascript:alert(1)', 'javascript%3Aalert(1)'],
    ['a?b#c', 'a%3Fb%23c'],
    ['\ud800x', '%EF%BF%BDx'],
    ['//evil.example/x', 'file:///evil.example/x'],
    ['', '.'],
  ])('%j is %s', (path, uri) => {
    const problems = [{ ...PROBLEM, place: { file: path, line: 1, column: 1 } }];
    const [found] = runOf(viewOf({ is: 'problems', problems })).results;
    expect(found?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(uri);
    expect(new URL(uri, 'file:///root/below/it/').protocol).toBe('file:');
  });

  test('a path for GitLab has no steps in it', () => {
    expect(['./a/./b', 'a/..', '/a/../..', 'a b%'].map(plainPath)).toEqual(['a/b', '.', '/', 'a b%']);
  });
});

test('rules say what the table of codes says, and are told once', () => {
  const codes = ['wrong-type', 'blocked', 'drift-deleted-outside', 'wrong-type', 'toString'];
  const { rules } = runOf(viewOf({ is: 'problems', problems: codes.map((code) => ({ ...PROBLEM, code })) })).tool
    .driver;
  expect(rules.map(({ id, shortDescription }) => [id, shortDescription.text])).toEqual([
    ['blocked', 'blocked'],
    ['drift-deleted-outside', 'Drift: deleted outside'],
    ['toString', 'toString'],
    ['wrong-type', 'Wrong type'],
  ]);
});

describe('junit', () => {
  test('cases of the same name are told apart', () => {
    const subjects = () => ['a.b', 'a.b'].map((name) => ({ name, place: at(name, 1) }));
    const row = {
      id: 's',
      action: { symbol: '+', word: 'delete', tone: 'bad' },
      address: 'a.b',
      live_id: undefined,
      phase: '',
      place: undefined,
      status: 'done',
      outcome: 'done',
      tone: 'good',
      said: [],
    } as const;
    expect(casesOf(junit.draw(viewOf({ is: 'drift', subjects }), {}))).toEqual(['a.b']);
    expect(casesOf(junit.draw(viewOf({ is: 'report', rows: [row, row] }), {}))).toEqual([
      'a.b delete',
      'a.b delete (2)',
    ]);
  });

  test('resources that wait for an object whose marker cannot be read fail', () => {
    const waits = (address: string) =>
      ({ code: 'broken-marker', severity: 'error', address, message: `${address} may exist as x_1` }) as const;
    const place = { range: () => at('m.yaml', 1) };
    const xml = renderDriftAs(
      'junit',
      {
        ...drifted,
        plan: planOf({ diagnostics: [waits('tls_edges.a'), waits('https_edges.b')] }),
        resources: () => [
          { ...place, address: 'tls_edges.a' },
          { ...place, address: 'https_edges.b' },
          { ...place, address: 'https_edges.b.routes.c', parent: 'https_edges.b' },
          { ...place, address: 'api_keys.ci' },
        ],
      },
      plain,
    );
    const wrong = /name="([^"]*)">\s*<failure type="broken-marker" message="[^"]* may exist as x_1"/g;
    expect([...xml.matchAll(wrong)].map((one) => one[1])).toEqual([
      'tls_edges.a',
      'https_edges.b',
      'https_edges.b.routes.c',
    ]);
    expect(xml).toContain('name="api_keys.ci"/>');
  });

  test('a case for each file, resource and step, and none is ever missing', async () => {
    const texts = [
      renderDiagnosticsAs('junit', found, plain),
      renderDriftAs('junit', withResources, plain),
      renderReportAs('junit', { ...partial, results: [], result: 'refused', exitCode: 5 }, plain),
      renderDiagnosticsAs('junit', { diagnostics: [], sources: new Map() }, plain),
      renderReportAs('junit', { ...partial, plan: planOf({}), results: [], result: 'done', exitCode: 0 }, plain),
    ];
    await checkXml(...texts);
    expect(texts.map((text) => casesOf(text).length > 0)).toEqual([true, true, true, true, true]);
    expect(texts[2]).toMatch(/errors="[1-9]/);
    expect(texts.slice(3).join('')).not.toMatch(/<(?:failure|error|skipped)/);
    const names = casesOf(renderReportAs('junit', partial, plain));
    expect([names.length, new Set(names).size]).toEqual([everything.steps.length, everything.steps.length]);
  });
});

const ATTACKS: readonly string[] = [
  ']]></failure><testcase name="x"/>',
  '</failure></testcase></testsuite>',
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;',
  '<?xml version="1.0"?>&lt;&#0;&#x1b;',
  '" onload="x" \'y\' `z`',
  'a\u0000b\u0001\u001b[31m\u007f\u0085\ufffe\uffff',
  'line\nbreak\r\n\ttab\u2028sep\u2029',
  '\ud800 lone \udfff surrogates',
  '[link](https://evil.example) ![i](x) [0](1)',
  '{0} {{1}} \\{',
  '../../etc/passwd%00%2e%2e\\..\\x y',
  '::error::x ##[error] [[ATTACHMENT|/etc/passwd]]',
  '__proto__',
  '',
  ' ',
  'x'.repeat(3_000),
];

function renderings(format: Format, text: string): string[] {
  const diagnostics = [
    {
      code: text,
      severity: 'error',
      message: text,
      range: at(text, 2),
      related: [{ message: text, range: at(text, 1) }],
    },
    { code: text, severity: 'warning', message: text, address: text, expected: text, fix: text },
  ] as unknown as readonly Diagnostic[];
  const result = { id: 's1', address: text, action: 'update', live_id: text, error: text, requests_done: 0 } as const;
  const results = (['failed', 'unknown', 'blocked', 'done'] as const).map((status) => ({ ...result, status }));
  const plan = planOf({
    stack: text,
    steps: [stepOf({ id: 's1', action: 'update', address: text, kind: text, live_id: text, source: `${text}:1:1` })],
    blocked: [{ code: 'cannot-remove', severity: 'error', address: text, path: text, message: text }],
  });
  const finding = {
    fingerprint: 'sha256:0000000000',
    type: 'changed',
    address: text,
    kind: text,
    live_id: text,
    cause: 'drift',
    evidence: text,
    changes: [changeOf({ path: text, before: text, after: [text], cause: 'drift' })],
  } as const;
  const drift = { ...drifted.drift, stack: text, findings: [finding, { ...finding, address: null }] };
  const resources = () => [{ address: text, range: () => at(text, 1) }];
  const all: Readonly<Record<string, () => string>> = {
    problems: () => renderDiagnosticsAs(format, { diagnostics, sources: quoting(text, text) }, plain),
    drift: () => renderDriftAs(format, { drift, plan, diagnostics, resources }, plain),
    plan: () => renderPlanAs(format, plan, plain),
    report: () =>
      renderReportAs(format, { ...partial, plan, results, diagnostics, result: 'unknown', exitCode: 7 }, plain),
  };
  const drawn = { sarif: ['problems', 'drift', 'plan'], junit: ['problems', 'drift', 'report'] }[format as string];
  return (drawn ?? ['problems', 'drift']).map((is) => all[is]?.() ?? '');
}

describe('hostile texts', () => {
  test.each(ATTACKS)('%j adds nothing to SARIF and code quality', (text) => {
    for (const rendered of renderings('sarif', text)) {
      const { results } = sarifOf(rendered);
      for (const { message } of results) expect(message.text).not.toContain('](');
      for (const { locations } of results) {
        const { uri } = locations[0]?.physicalLocation.artifactLocation ?? { uri: '' };
        expect(new URL(uri, 'file:///root/below/it/').protocol).toBe('file:');
        expect(uri).toMatch(/^(?:[\w.!~*'()-]|%[0-9A-F]{2}|\/)+$/);
      }
    }
    for (const rendered of renderings('codequality', text)) {
      const issues = JSON.parse(rendered) as Issue[];
      for (const one of issues) expect([isIssue(one), one.location.path !== '']).toEqual([true, true]);
      expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
    }
  });

  test('and to JUnit, read by libxml', { timeout: 60_000 }, async () => {
    const shape = (xml: string) => (xml.match(/<\/?[\w-]+|<!|<\?/g) ?? []).join(' ');
    const usual = renderings('junit', 'x').map(shape);
    for (const text of ATTACKS) {
      const rendered = renderings('junit', text);
      await checkXml(...rendered);
      if (text !== '') expect(rendered.map(shape)).toEqual(usual);
      for (const xml of rendered)
        expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]|<!\[CDATA/);
    }
  });
});

test('every writer has a place of its own, and those for machines are documents of what they have a form for', () => {
  const places = writers.map(({ position }) => position);
  expect(new Set(places).size).toBe(places.length);
  const machines = [sarif, junit, quality];
  expect(machines.every((one) => writers.includes(one) && !one.isLog)).toBe(true);
  for (const { name, draws } of machines)
    for (const is of ['problems', 'plan', 'drift', 'report'] as const)
      expect(formatsFor(is).includes(name), `${name} ${is}`).toBe((draws as readonly string[]).includes(is));
});
