// Builds a command line to run again, here or elsewhere, from settings. Leaves out values of variables, which may be secret.

import { escapeControls } from '../../core/text/escape-controls.ts';
import type { Settings } from './settings.ts';

/** Which parts of a command line are repeated. */
const USES = {
  /** What apply needs, as given to plan. */
  apply: ['file', 'varFile', 'baseUrl', 'apiKeyFile', 'journal', 'tokenDir'],
  /** What defines the plan, on any machine. */
  anybody: ['file', 'varFile', 'target', 'allowDeletes', 'allowReplace', 'ignore', 'baseUrl'],
} as const satisfies Readonly<Record<string, readonly (keyof Settings)[]>>;

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*(?==)/;

export function optionsOf(settings: Settings, use: keyof typeof USES): string[] {
  const words = USES[use].flatMap((name) =>
    [settings[name] ?? []].flat().map((value) => `${flagOf(name)} ${quoted(String(value))}`),
  );
  return [...words, ...settings.var.map((given) => `--var ${NAME.exec(given)?.[0] ?? 'NAME'}=VALUE`)];
}

function flagOf(name: string): string {
  return name === 'file' ? '-f' : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function quoted(text: string): string {
  return /^[\w./:@][\w./:@-]*$/.test(text) ? text : `'${escapeControls(text).replaceAll("'", "'\\''")}'`;
}
