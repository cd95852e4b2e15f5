// render: the plain manifest, which is what is judged, planned and applied. It ends as validate does, and prints no value of a
// variable. No network, no credentials.

import { hasErrors } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import { isList, isObject, mapObject, type Json, type JsonObject, type Path } from '../core/json.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { knownSecrets } from '../core/secrets/known.ts';
import { manifestText } from '../export/manifest-text.ts';
import type { ManifestResult } from '../manifest/load.ts';
import { typedSecrets } from '../manifest/typed-secrets.ts';
import { judgeByPolicies } from './files/policies.ts';
import { OPTIONS, WRITTEN, formatsOf } from './options/options.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { loadFound } from './shell/load.ts';
import { printManifest } from './shell/problems.ts';

type Plain = ManifestResult['plain'];

const WHOLE = 'edgeform.yaml';

/** Prints the manifest without presets and overlays, all files in one; or every problem of it. */
async function render({ invocation }: Call): Promise<RunOutcome> {
  const found = await loadFound(invocation, { mayLackValues: true });
  const judged = await judgeByPolicies(found, invocation);
  if (hasErrors(judged.diagnostics)) throw new Failure('invalid', judged.diagnostics, judged.sources);
  const secrets = typedSecrets(found);
  if (secrets.length > 0) throw new Failure('invalid', secrets, found.sources);
  // A text that the manifest happens to share with a value from outside is none of that value.
  for (const secret of found.manifest.secrets) knownSecrets.remove(secret.reveal());
  const document = withWrittenDefaults(found.plain);
  const files = [{ path: WHOLE, text: manifestText(document) }];
  const rendered = { format: 'edgeform-render/1', stack: String(document['stack']), manifest: document, files };
  return printManifest(rendered, judged, invocation);
}

/** A number that is the default of a variable counts as it is written: 1.20 is another version than 1.2. */
function withWrittenDefaults({ document, sourceMap }: Plain): JsonObject {
  const { variables } = document;
  if (!isObject(variables)) return document;
  const written = (value: Json, path: Path): Json => {
    if (typeof value === 'number') return sourceMap.numberText(path) ?? value;
    return isList(value) ? value.map((item, index) => written(item, [...path, String(index)])) : value;
  };
  const declared = mapObject<Json, Json>(variables, (declaration, name) => {
    if (!isObject(declaration) || declaration['default'] === undefined) return declaration;
    return { ...declaration, default: written(declaration['default'], ['variables', name, 'default']) };
  });
  return { ...document, variables: declared };
}

export const commands: readonly CommandSpec[] = [
  {
    position: 14,
    words: 'render',
    text: 'print the plain manifest: presets and overlays laid in, all files in one; no network',
    isDocument: true,
    flags: { own: [OPTIONS.manifestOut, OPTIONS.policy], manifest: WRITTEN, output: formatsOf(['text', 'json']) },
    help: {
      examples: ['render', 'render --overlay prod.yaml', 'render -f stack/ --out plain.yaml'],
      exits: ['invalid'],
    },
    run: render,
  },
];
