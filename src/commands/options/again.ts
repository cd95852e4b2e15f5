// A command line to run again, here or elsewhere, made of settings. Values of variables may be secret, and are not repeated.

import { escapeControls } from '../../core/text/escape-controls.ts';
import type { Settings } from './settings.ts';

/** Settings, and the flag that gives each. */
const FLAGS = {
  file: '-f',
  varFile: '--var-file',
  target: '--target',
  allowDeletes: '--allow-deletes',
  allowReplace: '--allow-replace',
  ignore: '--ignore',
  baseUrl: '--base-url',
  apiKeyFile: '--api-key-file',
  journal: '--journal',
  tokenDir: '--token-dir',
} as const;

/** What of a command line is repeated. */
const USES = {
  /** What apply needs as it was given to plan. */
  apply: ['file', 'varFile', 'baseUrl', 'apiKeyFile', 'journal', 'tokenDir'],
  /** What says what is planned, on any machine. */
  anybody: ['file', 'varFile', 'target', 'allowDeletes', 'allowReplace', 'ignore', 'baseUrl'],
} as const satisfies Readonly<Record<string, readonly (keyof typeof FLAGS)[]>>;

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*(?==)/;

export function optionsOf(settings: Settings, use: keyof typeof USES): string[] {
  const words = USES[use].flatMap((name) =>
    [settings[name] ?? []].flat().map((value) => `${FLAGS[name]} ${quoted(String(value))}`),
  );
  return [...words, ...settings.var.map((given) => `--var ${NAME.exec(given)?.[0] ?? 'NAME'}=VALUE`)];
}

/** A word for a shell. */
export function quoted(text: string): string {
  return /^[\w./:@][\w./:@-]*$/.test(text) ? text : `'${escapeControls(text).replaceAll("'", "'\\''")}'`;
}
