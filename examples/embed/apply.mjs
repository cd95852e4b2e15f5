// Applies edgeform.yaml of the working directory from a program of your own: the same plan, policies, journal and checks
// as `edgeform apply`. Usage: node apply.mjs MOST_STEPS
import * as edgeform from 'edgeform';

const most = Number(process.argv[2] ?? 10);
const style = /** @type {const} */ ({ color: false, width: 100, detail: 'changes' });
const say = (/** @type {edgeform.Found} */ found) => {
  if (found.diagnostics.length > 0) console.error(edgeform.renderDiagnosticsAs('text', found, style));
};
const read = await edgeform.readManifestFiles([], process.cwd());
const loaded = read.value && edgeform.loadManifest({ ...read.value, variables: new Map(), env: process.env });
say({ diagnostics: [...read.diagnostics, ...(loaded?.diagnostics ?? [])], sources: new Map() });
if (!loaded?.value || read.diagnostics.length > 0) process.exit(1);

try {
  const run = edgeform.createRun({
    manifest: loaded.value,
    baseUrl: process.env.EDGEFORM_BASE_URL,
    apiKey: process.env.EDGEFORM_API_KEY,
    emit: (event) => {
      if (event.type === 'planned') console.log(edgeform.renderPlanAs('text', event.plan, style));
    },
  });
  const report = await edgeform.applyManifest({
    ...run,
    approve: async ({ steps }) => {
      const message = `${steps.length} steps are more than ${most}`;
      if (steps.length > most) throw edgeform.Failure.of('refused', 'no-consent', message);
    },
  });
  say({ diagnostics: report.diagnostics, sources: new Map() });
  console.log(`${report.result}: ${report.results.length} steps`);
  process.exitCode = report.outcome === 'done' ? 0 : 1;
} catch (error) {
  if (!(error instanceof edgeform.Failure)) throw error;
  say(error);
  process.exitCode = 1;
}
