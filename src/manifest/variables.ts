// Values of declared variables: from flags and files, then the environment, then defaults. Sensitive ones are secrets
// from here on.

import type { Diagnostic } from '../base/diagnostic.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { isObject } from '../base/json.ts';
import { keepSecret, Secret } from '../base/secret.ts';
import { closest } from '../base/closest.ts';
import type { Places } from './places.ts';

export interface VariableSources {
  /** --var and --var-file, already merged. */
  readonly given: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type VariableValue = string | number | boolean | Secret;

export interface Variables {
  readonly values: ReadonlyMap<string, VariableValue>;
  readonly declared: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Values of all declared variables that have one; a variable without a value is an error where it is used. */
export function readVariables(declared: JsonObject, sources: VariableSources, places: Places): Variables {
  const values = new Map<string, VariableValue>();
  const diagnostics: Diagnostic[] = [];
  for (const [name, declaration] of Object.entries(declared)) {
    const about = isObject(declaration) ? declaration : {};
    const all = [sources.given.get(name), sources.env[`EDGEFORM_VAR_${name}`], scalar(about['default'])];
    // Also those that are not used: somebody wrote them down as secrets.
    if (about['sensitive'] === true) for (const one of all) keepSecret(String(one ?? ''));
    const value = all.find((one) => one !== undefined);
    if (value === undefined) continue;
    const clean = typeof value !== 'string' || !hasControl(value);
    if (!clean) {
      const message = `the value of variable ${name} holds a control character`;
      diagnostics.push(
        places.error('bad-variable', ['variables', name], { message, fix: 'remove the character from the value' }),
      );
    } else values.set(name, about['sensitive'] === true ? new Secret(String(value)) : value);
  }
  const names = Object.keys(declared);
  for (const name of sources.given.keys()) {
    if (names.includes(name)) continue;
    const near = closest(name, names);
    const fix = near === undefined ? 'declare it under `variables`' : `did you mean "${near}"?`;
    diagnostics.push({
      code: 'unknown-variable',
      severity: 'error',
      message: `a value was given for "${name}", which is not declared`,
      fix,
    });
  }
  return { values, declared: new Set(names), diagnostics };
}

function scalar(value: Json | undefined): string | number | boolean | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

/** Line ends and tabs are fine, in PEM keys for example. */
function hasControl(text: string): boolean {
  return /[^\P{Cc}\n\r\t]/u.test(text);
}
