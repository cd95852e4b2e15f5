// Builds the command line that applies a saved plan, from settings. Leaves out values of variables, which may be secret.

import { escapeControls } from '../../core/text/escape-controls.ts';
import { ALL, wordsOf, type Settings } from './settings.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** The options that the command needs, as they were given. */
export function optionsOf(settings: Settings): string[] {
  const words = ALL.filter(({ isRepeated }) => isRepeated).flatMap(({ name, flags }) =>
    wordsOf(settings, name).map((value) => `${flags.replace(/[ ,].*/, '')} ${quoted(value)}`),
  );
  return [...words, ...settings.var.map(([name]) => `--var ${NAME.test(name) ? name : 'NAME'}=VALUE`)];
}

export function quoted(text: string): string {
  return /^[\w./:@][\w./:@-]*$/.test(text) ? text : `'${escapeControls(text).replaceAll("'", "'\\''")}'`;
}
