// The file of `--metrics-file`: a run's outcome for Prometheus, even if it failed. Written before the document, which reports a
// failure to write it, and again when the outcome is worse in the end.

import { resolve } from 'node:path';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { worstOf, type RunOutcome } from '../../core/run-outcome.ts';
import { readShard } from '../../fleet/select.ts';
import { onFileError } from '../../platform/file-error.ts';
import { fileDiagnostic } from '../../platform/problem.ts';
import type { FleetOutcome } from '../../render/fleet.ts';
import { resultOf } from '../../render/view/stack-outcome.ts';
import { metricsText, type StackMetrics } from '../../render/metrics/metrics.ts';
import type { Invocation } from '../shell/invocation.ts';
import type { CommandEvent, Listener, Subject } from '../shell/listener.ts';

type FleetMember = FleetOutcome['stacks'][number];

/** The collector runs as another user. */
const FOR_ALL = 0o644;

/** Without the option, it listens and writes nothing. */
export function metricsListener(run: Invocation): Listener {
  const metrics = new MetricsFile(run);
  return { note: (event, subject) => metrics.note(event, subject), end: (outcome) => metrics.end(outcome) };
}

class MetricsFile {
  readonly #run: Invocation;
  readonly #began: number;
  /** What is known of each stack, by its name in the fleet, or by its own. */
  readonly #known = new Map<string, StackMetrics>();
  #written: RunOutcome | undefined;

  constructor(run: Invocation) {
    this.#run = run;
    this.#began = run.platform.clock.now();
  }

  note(event: CommandEvent, subject: Subject | undefined): void {
    if (event.type === 'fleet') for (const stack of event.fleet.stacks) this.#noteMember(stack);
    if (subject !== undefined) this.#noteSubject(event, subject);
  }

  #noteMember(member: FleetMember): void {
    // One whose manifest cannot be read is known by its name in the fleet.
    const { name, stack = name, service, wave } = member;
    this.#known.set(name, {
      labels: labelsOf({ stack, service, wave }),
      content: contentOf(member),
      result: resultOf(member),
    });
  }

  #noteSubject(event: CommandEvent, subject: Subject): void {
    const { stack, name } = subject;
    const key = name ?? stack;
    const labels = name === undefined ? { stack } : labelsOf(subject);
    const isContent = event.type === 'compared' || event.type === 'reported';
    const content = isContent ? event.view : this.#known.get(key)?.content;
    this.#known.set(key, { labels, content });
  }

  end(outcome: RunOutcome): readonly Diagnostic[] {
    const { settings, cwd } = this.#run;
    const { metricsFile } = settings;
    // With wrong usage, the file may be one that must not be changed.
    if (metricsFile === undefined || outcome === 'usage' || outcome === this.#written) return [];
    this.#written = outcome;
    return onFileError(
      () => {
        this.#write(resolve(cwd, metricsFile), outcome);
        return [];
      },
      (error) => {
        this.#written = worstOf(outcome, 'output');
        return [fileDiagnostic(error)];
      },
    );
  }

  #write(path: string, outcome: RunOutcome): void {
    const { platform, called } = this.#run;
    const run = {
      command: called?.command ?? '',
      outcome,
      took: (platform.clock.now() - this.#began) / 1000,
      at: Date.parse(platform.wallTime()) / 1000,
      shard: this.#shard(),
    };
    platform.textFiles.writeAtomic(path, metricsText(run, [...this.#known.values()]), FOR_ALL);
  }

  /** `2/9` */
  #shard(): string | undefined {
    const { settings, env } = this.#run;
    const shard = settings.shard === undefined ? undefined : readShard(settings.shard, env).value;
    return shard && `${shard.index}/${shard.of}`;
  }
}

/** What its run came to; undefined for one that has neither drift nor a report. */
function contentOf(member: FleetMember): StackMetrics['content'] {
  if (member.is === 'drift') return member.drift;
  return member.is === 'applied' ? member.report : undefined;
}

/** In a fleet, two services may have stacks of one name. */
function labelsOf({ stack, service = '', wave }: Subject): StackMetrics['labels'] {
  return { stack, service, ...(wave !== undefined && { wave: String(wave) }) };
}
