// Applies edgeform.yaml of the working directory from a program of your own: the same plan, policies, journal and checks
// as `edgeform apply`. Usage: node apply.mjs MOST_STEPS
import * as edgeform from 'edgeform';

const most = Number(process.argv[2] ?? 10);
const style = { color: false, width: 100, detail: 'changes' };
const say = (diagnostics, sources = new Map()) => {
  if (diagnostics.length > 0) console.error(edgeform.renderDiagnosticsAs('text', { diagnostics, sources }, style));
};
const read = await edgeform.readManifestFiles([], process.cwd());
const loaded = read.value && edgeform.loadManifest({ ...read.value, variables: new Map(), env: process.env });
say([...read.diagnostics, ...(loaded?.diagnostics ?? [])]);
if (!loaded?.value || read.diagnostics.length > 0) process.exit(1);

try {
  const run = edgeform.createRun({
    manifest: loaded.value,
    baseUrl: process.env.EDGEFORM_BASE_URL,
    apiKey: process.env.EDGEFORM_API_KEY,
    emit: ({ type, plan }) => {
      if (type === 'planned') console.log(edgeform.renderPlanAs('text', plan, style));
    },
  });
  const approve = async ({ steps }) => {
    const message = `${steps.length} steps are more than ${most}`;
    if (steps.length > most) throw new edgeform.Failure('refused', [{ code: 'too-many', severity: 'error', message }]);
  };
  const report = await edgeform.applyManifest({ ...run, approve });
  say(report.diagnostics);
  console.log(`${report.result}: ${report.results.length} steps`);
  process.exitCode = report.outcome === 'done' ? 0 : 1;
} catch (error) {
  if (!(error instanceof edgeform.Failure)) throw error;
  say(error.diagnostics, error.sources);
  process.exitCode = 1;
}
