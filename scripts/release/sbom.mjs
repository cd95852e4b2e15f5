// `node scripts/release/sbom.mjs FILE`: a CycloneDX list of what the package contains. The packages in the bundles are development
// dependencies, which `npm sbom` would leave out or drown among the tools; the build knows which they are. The same build gives
// the same bytes: no time, and a serial number that follows from the content.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { EMBEDDED } from '../embedded.mjs';

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Name and version of each package in the bundles, as the build has listed their licences. */
export function bundled(licences = readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8')) {
  return licences.split(`\n${'-'.repeat(80)}\n\n`).map((one) => {
    const [name, version] = one.split('\n', 1)[0].split(' ');
    return { name, version };
  });
}

/** The list as a document of CycloneDX 1.5. */
export function sbom() {
  const own = read('package.json');
  const { packages } = read('package-lock.json');
  const self = component({ ...own, scope: 'required' });
  const components = bundled().map(({ name, version }) => {
    const { integrity, license } = packages[`node_modules/${name}`];
    const parts = (EMBEDDED[name] ?? []).map((library) => embedded(library, { name, version }));
    return {
      ...component({ name, version, license, scope: 'required' }),
      hashes: [hashOf(integrity)],
      ...(parts.length > 0 && { components: parts }),
    };
  });
  const dependencies = [
    { ref: self['bom-ref'], dependsOn: components.map((one) => one['bom-ref']) },
    ...components.map((one) => ({ ref: one['bom-ref'], dependsOn: [] })),
  ];
  const content = { version: 1, metadata: { component: { ...self, type: 'application' } }, components, dependencies };
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuid}`,
    ...content,
  };
}

function component({ name, version, license, scope }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { 'bom-ref': purl, type: 'library', name, version, scope, purl, licenses: [{ license: { id: license } }] };
}

/** A library that a package brings compiled: its version is that of the package. */
function embedded({ name, license }, carrier) {
  const ref = `${carrier.name}@${carrier.version}#${name}`;
  return { 'bom-ref': ref, type: 'library', name, scope: 'required', licenses: [{ license: { id: license } }] };
}

/** The digest that the lock holds, as it is written here. */
function hashOf(integrity) {
  const [algorithm, digest] = integrity.split('-');
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') };
}

const [file] = process.argv[1]?.endsWith('sbom.mjs') ? process.argv.slice(2) : [];
if (file !== undefined) writeFileSync(file, `${JSON.stringify(sbom(), null, 2)}\n`);
