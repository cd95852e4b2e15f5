// A variable that a file of the manifest, or an overlay, calls sensitive stays so, whatever is laid over it.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { buildSourceMap, ofAbsent, type Drop } from '../source-map.ts';
import type { ParsedFile } from '../text/parse.ts';

const VARIABLES = 'variables';
const SENSITIVE = 'sensitive';

interface LaidVariables {
  /** Files of the manifest, and the parts of its overlays. */
  readonly written: readonly ParsedFile[];
  readonly plain: readonly ParsedFile[];
  /** What `without` has dropped. */
  readonly drops: ReadonlyMap<string, Drop>;
}

/** An error for each variable that is no longer sensitive. */
export function sensitiveTaken({ written, plain, drops }: LaidVariables): Diagnostic[] {
  const sensitive = new Set(written.flatMap(sensitiveIn));
  if (sensitive.size === 0) return [];
  return plain.flatMap((file) => {
    const { error, dropOf } = buildSourceMap([file], undefined, drops);
    return Object.entries(variablesIn(file.json)).flatMap(([name, declaration]) => {
      const path = [VARIABLES, name, SENSITIVE];
      const isLost = sensitive.has(name) && isObject(declaration) && declaration[SENSITIVE] !== true;
      if (!isLost || file.unknownValues.has(path)) return [];
      const problem = error('overlay-sensitive', path, {
        message: `the variable ${name} is sensitive, and an overlay takes that away`,
        fix: `write \`${SENSITIVE}: true\``,
      });
      return [ofAbsent(problem, dropOf(path))];
    });
  });
}

function sensitiveIn({ json }: ParsedFile): string[] {
  return Object.entries(variablesIn(json)).flatMap(([name, declaration]) =>
    isObject(declaration) && declaration[SENSITIVE] === true ? [name] : [],
  );
}

function variablesIn(json: Json): JsonObject {
  const variables = isObject(json) ? json[VARIABLES] : undefined;
  return variables !== undefined && isObject(variables) ? variables : {};
}
