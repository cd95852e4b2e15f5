// Metrics of a run: its outcome, drift, and the result of each step, in the Prometheus text format, version 0.0.4, for the
// textfile collector of the node exporter.

import { groupBy } from '../../core/group.ts';
import { compareText } from '../../core/json.ts';
import { escapeControls } from '../../core/text/escape-controls.ts';
import { EXIT_CODES, type RunOutcome, type StackResult } from '../../core/run-outcome.ts';
import type { DriftView, ReportView } from '../view/documents.ts';

/** A metric with its samples; samples of the same name have different labels. */
interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

interface Ended {
  readonly command: string;
  readonly outcome: RunOutcome;
  /** Duration and end time, in seconds. */
  readonly took: number;
  readonly at: number;
  /** The part of a fleet that it was about, as `1/4`. */
  readonly shard?: string | undefined;
}

/** What is known of one stack: its drift, or its plan and the results of its steps. */
type KnownStack = Pick<DriftView, 'drift'> | Pick<ReportView, 'plan' | 'results' | 'run'>;

type Labels = Readonly<Record<string, string>>;

/** One stack of a run, with the labels of its metrics. */
export interface StackMetrics {
  readonly labels: Labels;
  readonly content: KnownStack | undefined;
  /** What became of it, in a fleet. */
  readonly result?: StackResult | undefined;
}

/** The metrics of a run, even of a failed one, and of its stacks. */
export function metricsText(ended: Ended, stacks: readonly StackMetrics[]): string {
  const [first, ...more] = stacks;
  // With several stacks, the outcome is that of all.
  const only = first !== undefined && more.length === 0 ? first.labels : {};
  return drawMetrics([
    // Files of several shards lie in one folder, where two samples of one name and labels are an error.
    [{ ...only, shard: ended.shard ?? '' }, runMetrics(ended)],
    ...stacks.map((stack) => [stack.labels, [...resultMetrics(stack), ...contentMetrics(stack)]] as const),
  ]);
}

function runMetrics({ command, outcome, took, at }: Ended): Metric[] {
  return [
    single('edgeform_run_timestamp_seconds', 'When the last run ended, in seconds since 1970.', at, { command }),
    single('edgeform_run_duration_seconds', 'How long the last run took.', took, { command }),
    single('edgeform_run_exit_code', 'Exit code of the last run.', EXIT_CODES[outcome], { command }),
    {
      name: 'edgeform_run_outcome',
      help: 'One for the outcome of the last run, zero for the others.',
      samples: Object.keys(EXIT_CODES).map((name) => ({
        labels: { command, outcome: name },
        value: name === outcome ? 1 : 0,
      })),
    },
  ];
}

function resultMetrics({ result }: StackMetrics): Metric[] {
  return result === undefined
    ? []
    : [single('edgeform_stack_result', 'One for what became of the stack in the last run.', 1, { result })];
}

function contentMetrics({ content: known }: StackMetrics): Metric[] {
  if (known === undefined) return [];
  if (!('drift' in known)) return [stepMetric(known), ...runInfo(known)];
  const { drift } = known;
  return [
    single('edgeform_drifted', 'One when a finding counts as drift.', drift.drifted ? 1 : 0),
    counted(
      'edgeform_drift_findings',
      'Findings of drift, and unmanaged objects.',
      drift.findings.map(({ kind, type, known }) => ({ kind, type, known: known === true ? 'true' : '' })),
    ),
    counted(
      'edgeform_drift_pending_changes',
      'Changes that only the manifest caused.',
      drift.pending.map(({ action }) => ({ action })),
    ),
    single('edgeform_drift_coverage_ratio', 'Objects that belong to a stack, divided by all objects.', drift.coverage),
  ];
}

/** Who started a run is no label: a name belongs to a person. */
function runInfo({ run }: Pick<ReportView, 'run'>): Metric[] {
  if (run === undefined) return [];
  const labels = { run: run.id, commit: run.commit ?? '' };
  return [single('edgeform_run_info', 'Always one; its labels name the last run and its commit.', 1, labels)];
}

/** Steps of a run that ended before its first step count as not attempted. */
function stepMetric({ plan: { steps }, results }: Pick<ReportView, 'plan' | 'results'>): Metric {
  const statuses = new Map(results.map(({ id, status }) => [id, status]));
  const labels = steps.map(({ id, kind, action }) => ({ kind, action, status: statuses.get(id) ?? 'not_attempted' }));
  return counted('edgeform_apply_steps', 'Steps of the last run, by status.', labels);
}

function single(name: string, help: string, value: number, labels = {}): Metric {
  return { name, help, samples: [{ labels, value }] };
}

function counted(name: string, help: string, labels: readonly Readonly<Record<string, string>>[]): Metric {
  const groups = groupBy(labels, (one) => JSON.stringify(one));
  const sorted = [...groups].sort(([a], [b]) => compareText(a, b));
  return { name, help, samples: sorted.map(([, members]) => ({ labels: members[0], value: members.length })) };
}

/** Metrics by stack. All are gauges, because they describe the last run; empty labels are left out. */
function drawMetrics(metrics: readonly (readonly [labels: Labels, metrics: readonly Metric[]])[]): string {
  const samples = metrics.flatMap(([own, all]) =>
    all.flatMap((metric) => metric.samples.map((one) => ({ ...metric, ...one, labels: { ...own, ...one.labels } }))),
  );
  const lines = [...groupBy(samples, ({ name }) => name)].flatMap(([name, members]) => [
    `# HELP ${name} ${members[0].help}`,
    `# TYPE ${name} gauge`,
    ...members.map(({ labels, value }) => `${name}${labelText(labels)} ${value}`),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).filter(([, value]) => value !== '');
  const texts = pairs.map(([name, value]) => {
    return `${name}="${escapeControls(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  });
  return texts.length === 0 ? '' : `{${texts.join(',')}}`;
}
