// render: the plain manifest, which is what is judged, planned and applied. No network, no credentials, no values of variables.

import { Failure } from '../core/failure.ts';
import { isList, isObject, mapObject, type Json, type JsonObject, type Path } from '../core/json.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { manifestText } from '../export/manifest-text.ts';
import type { ManifestResult } from '../manifest/load.ts';
import { typedSecrets } from '../manifest/typed-secrets.ts';
import { OPTIONS, WRITTEN, formatsOf } from './options/options.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { loadFound } from './shell/load.ts';
import { printManifest } from './shell/problems.ts';

type Plain = ManifestResult['plain'];

const WHOLE = 'edgeform.yaml';

/** Prints the manifest without presets and overlays, all files in one; or every problem of it. */
async function render({ invocation }: Call): Promise<RunOutcome> {
  // Values of variables are not looked up, so that none is repeated.
  const found = await loadFound({ ...invocation, env: {} }, { mayLackValues: true });
  const secrets = typedSecrets(found);
  if (secrets.length > 0) throw new Failure('invalid', secrets, found.sources);
  const document = withWrittenDefaults(found.plain);
  const files = [{ path: WHOLE, text: manifestText(document) }];
  const rendered = { format: 'edgeform-render/1', stack: String(document['stack']), manifest: document, files };
  return printManifest(rendered, found, invocation);
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
    flags: { own: [OPTIONS.manifestOut], manifest: WRITTEN, output: formatsOf(['text', 'json']) },
    help: {
      examples: ['render', 'render --overlay prod.yaml', 'render -f stack/ --out plain.yaml'],
      exits: ['invalid'],
    },
    run: render,
  },
];
