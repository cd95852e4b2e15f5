// Listeners of a command: each is told everything, and at the end what those before it lost.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { metricsListener } from '../../../src/commands/files/metrics-file.ts';
import { invoke } from '../../../src/commands/shell/invocation.ts';
import { listenTogether, type Listener } from '../../../src/commands/shell/listener.ts';
import type { Diagnostic } from '../../../src/core/diagnostic.ts';
import type { Drift } from '../../../src/drift/drift.ts';
import { planOf } from '../../render/sample.ts';
import { folder } from '../../support/cli.ts';

const LOST: Diagnostic = { code: 'output-failed', severity: 'error', message: 'lost' };

test('what one could not write makes the outcome worse for those behind it', () => {
  const told: unknown[] = [];
  const first: Listener = { note: () => undefined, end: () => [LOST] };
  const second: Listener = {
    note: (...event) => void told.push(event),
    end: (outcome) => {
      told.push(outcome);
      return [];
    },
  };
  const all = listenTogether([first, second]);
  all.note({ type: 'loaded' }, { stack: 'shop' });
  expect([all.flush(), all.end('done')]).toEqual([[], [LOST]]);
  expect(told).toEqual([[{ type: 'loaded' }, { stack: 'shop' }], 'output']);
});

test('events of several stacks take turns, and the metrics file has all of them', () => {
  const cwd = folder({});
  const drift: Drift = {
    format: 'edgeform-drift/1',
    stack: '',
    service: '',
    drifted: false,
    coverage: 1,
    findings: [],
    pending: [],
  };
  const metrics = metricsListener(
    invoke(
      { metricsFile: 'run.prom' },
      {
        stdout: { write: () => undefined, isTty: false, columns: 80 },
        stderr: { write: () => undefined, isTty: false, columns: 80 },
        env: {},
        cwd,
        readStdin: () => Promise.resolve(new Uint8Array()),
        ask: () => Promise.resolve(undefined),
        signal: new AbortController().signal,
        hardCancel: new AbortController().signal,
        signalName: () => undefined,
        untilSignal: new Promise(() => undefined),
      },
    ),
  );
  for (const stack of ['one', 'two']) metrics.note({ type: 'loaded' }, { stack });
  for (const stack of ['one', 'two'])
    metrics.note({ type: 'compared', view: { drift, plan: planOf({}), diagnostics: [] } }, { stack });
  expect(metrics.end('done')).toEqual([]);
  const text = readFileSync(join(cwd, 'run.prom'), 'utf8');
  expect(text).toContain('edgeform_drifted{stack="one"} 0\nedgeform_drifted{stack="two"} 0\n');
  expect(text).toMatch(/^edgeform_run_exit_code 0$/m);
});
