// What a document takes for granted: the files that its reader has, what the service holds, and what happened before. Documents
// that are not named here begin in an empty folder, or with the manifest of FIRST, beside an emulator that they do not start themselves.

export const FIRST = `version: 1
stack: shop
failover_backends:
  app: { backends: [bkdhr_2abc, bkdhr_2def] }
https_edges:
  site: { hostports: [shop.example.com:443] }
`;

const KEYS = 'version: 1\nstack: keys\napi_keys:\n  ci-1: { description: key of the pipeline }\n';
const REPOSITORY =
  'git init -q -b main . && git commit -q --allow-empty -m first && git init -q --bare ../origin.git && git remote add origin ../origin.git';

/** A checkout of a repository, as the job of a pipeline has it. */
const PUSHED = `${REPOSITORY} && git add --all && git commit -q -m stack && git push -q origin main`;

/** Slow enough to be killed after the first write was recorded. */
const KILLED = `edgeform apply --auto-approve >/dev/null 2>&1 & pid=$!
until grep -q . .edgeform/*/shop.journal.jsonl 2>/dev/null; do sleep 0.05; done
kill -9 $pid; wait $pid`;

/** Somebody changes an edge at the service. */
const CHANGED = `curl -sf -X PATCH -H "authorization: Bearer local" -H "service-version: 2" -H "content-type: application/json" \
  --data '{"backends":["bkdhr_2def"]}' "$EDGEFORM_BASE_URL/backends/failover/$(curl -sf -H "authorization: Bearer local" \
  -H "service-version: 2" "$EDGEFORM_BASE_URL/backends/failover" | grep -o 'bkdfo_[A-Za-z0-9]*' | head -1)" >/dev/null`;

/** Something that answers a webhook. */
const WEBHOOK = `node -e 'require("http").createServer((q, r) => q.resume().on("end", () => r.end())).listen(0, "127.0.0.1", function () {
  require("fs").writeFileSync("../hook", "http://127.0.0.1:" + this.address().port) })' &
until [ -s ../hook ]; do sleep 0.02; done; export HOOK="$(cat ../hook)"`;

/** Path from the root → what there is before the first step. */
export const SETUPS = {
  'README.md': { copy: 'examples', to: 'examples', files: {} },
  'docs/tutorial.md': { files: {} },
  'docs/guide.md': { files: { 'edgeform.yaml': FIRST }, before: `edgeform apply; ${REPOSITORY}` },
  'docs/export.md': {
    files: {},
    seed: { backends: [{ backends: ['bkdhr_2abc'] }], reserved_addrs: [{ region: 'eu' }] },
  },
  'docs/policies.md': {
    copy: 'examples/policies',
    to: 'policies',
    files: {
      'edgeform.yaml': 'version: 1\nstack: shop\nhttps_edges: { a: { hostports: [www.shop.example.com:443] } }\n',
    },
  },
  'docs/fleets.md': { copy: 'examples/fleet', files: {} },
  'docs/pull-requests.md': { before: REPOSITORY },
  'docs/formats.md': { files: { 'edgeform.yaml': FIRST }, before: 'export TEXTFILES=. ; edgeform apply' },
  'docs/how-to/rotate-a-key.md': {
    files: { 'edgeform.yaml': KEYS },
    before: 'edgeform apply --auto-approve --token-dir tokens',
  },
  'docs/how-to/recover.md': { latency: 100, before: KILLED },
  'docs/how-to/schedules.md': { files: { 'edgeform.yaml': FIRST }, before: 'edgeform apply' },
  'docs/how-to/another-forge.md': { before: PUSHED },
  'docs/how-to/notifications.md': {
    files: { 'edgeform.yaml': FIRST },
    before: `edgeform apply >/dev/null; ${CHANGED}; ${WEBHOOK}`,
  },
  'docs/how-to/secrets.md': { files: {}, before: 'export EDGEFORM_VAR_github_secret=' },
  'examples/shop/README.md': { copy: 'examples/shop', files: {} },
  'docs/how-to/canary.md': { files: {} },
  'docs/how-to/generate.md': { files: {} },
  'docs/how-to/presets-and-overlays.md': { copy: 'examples/presets', files: {} },
  'examples/generated/README.md': { copy: 'examples/generated', files: {} },
  'examples/fleet/README.md': { copy: 'examples/fleet', files: {} },
};
