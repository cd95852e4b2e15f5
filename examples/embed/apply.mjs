// Applies edgeform.yaml of the working directory from a program of your own: the same plan, policies, journal and checks
// as `edgeform apply`. Usage: node apply.mjs MOST_STEPS
import { readFileSync } from 'node:fs';
import { applyManifest, createRun, Failure, loadManifest, renderPlanAs } from 'edgeform';

const mostSteps = Number(process.argv[2] ?? 10);
const { value: manifest, diagnostics } = loadManifest({
  files: [{ name: 'edgeform.yaml', text: readFileSync('edgeform.yaml', 'utf8') }],
  variables: new Map(),
  env: process.env,
  readFile: (path) => ({ value: readFileSync(path, 'utf8'), diagnostics: [] }),
});
for (const { severity, message } of diagnostics) console.error(`${severity}: ${message}`);
if (manifest === undefined || diagnostics.some(({ severity }) => severity === 'error')) process.exit(1);

try {
  const run = createRun({
    manifest,
    baseUrl: process.env.EDGEFORM_BASE_URL,
    apiKey: process.env.EDGEFORM_API_KEY,
    emit: (event) => {
      if (event.type === 'planned')
        console.log(renderPlanAs('text', event.plan, { color: false, width: 100, detail: 'changes' }));
    },
  });
  const report = await applyManifest({
    ...run,
    approve: async (plan) => {
      if (plan.steps.length > mostSteps) throw new Error(`${plan.steps.length} steps are more than ${mostSteps}`);
    },
  });
  console.log(`${report.result}: ${report.results.length} steps`);
  process.exitCode = report.outcome === 'done' ? 0 : 1;
} catch (error) {
  const problems = error instanceof Failure ? error.diagnostics : [error];
  for (const { message } of problems) console.error(`error: ${message}`);
  process.exitCode = 1;
}
