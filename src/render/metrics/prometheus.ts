// The text format of Prometheus, version 0.0.4, as the textfile collector of its node exporter reads it.

import { escapeControls } from '../../core/text/escape-controls.ts';

/** A metric with its samples; those of one name have different labels. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All metrics are gauges, because they are of the last run; the labels are those of each sample. A label without a value is none. */
export function drawMetrics(metrics: readonly Metric[], labels: Readonly<Record<string, string>>): string {
  const lines = metrics.flatMap(({ name, help, samples }) =>
    samples.length === 0
      ? []
      : [
          `# HELP ${name} ${help}`,
          `# TYPE ${name} gauge`,
          ...samples.map((one) => `${name}${labelText({ ...labels, ...one.labels })} ${one.value}`),
        ],
  );
  return lines.map((line) => `${line}\n`).join('');
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).filter(([, value]) => value !== '');
  const texts = pairs.map(([name, value]) => {
    return `${name}="${escapeControls(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  });
  return texts.length === 0 ? '' : `{${texts.join(',')}}`;
}
