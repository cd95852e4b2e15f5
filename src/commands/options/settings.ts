// The settings of one command line: the value of every option, and what else the environment says, except for the connection
// (connection.ts). Problems are kept with them, because they are printed in the form that the settings ask for.

import { CAPABILITIES } from '../../catalog/kind.ts';
import { Collector, Failure } from '../../core/failure.ts';
import type { RunOptions } from '../../reconcile/run.ts';
import { FORMATS } from '../../render/formats.ts';
import { parseCapabilities } from '../../service/settings.ts';
import type { Host } from '../shell/host.ts';
import type { Given, Offer, Option } from './option.ts';
import { OPTIONS } from './options.ts';

type OptionName = keyof typeof OPTIONS;

/** The command line by option; nothing is checked yet. */
export type Flags = Readonly<Partial<Record<OptionName, Given>>>;

type Values = { readonly [Name in OptionName]: ReturnType<(typeof OPTIONS)[Name]['parse']> };

/** The settings: paths as given; options that the command lacks have their defaults. */
export interface Settings extends Values, Pick<RunOptions, 'capabilities'> {
  readonly given: Flags;
  /** The manifest's commit, from the pipeline. */
  readonly commit: string | undefined;
  /** Problems with the flags, with which no command runs; an invalid setting has its default. */
  readonly wrong: Failure | undefined;
}

const ANY: Offer = { formats: FORMATS, commandsWith: () => [] };

/** An invalid setting: the message names the flag or variable, the fix what is accepted. */
export function invalidSetting(message: string, fix: string): Failure {
  return Failure.of('invalid', 'invalid-setting', message, fix);
}

/** Every option. */
export const ALL = Object.values(OPTIONS) as readonly (Option<unknown> & { readonly name: OptionName })[];

/** Reads every flag, and the environment except for the connection. */
export function readSettings(flags: Flags, env: Host['env'], offer = ANY): Settings {
  const collector = new Collector();
  const values = ALL.map(({ name, parse }): [OptionName, unknown] => {
    const found = collector.try(() => ({ value: parse(flags[name], offer) }));
    return [name, found === undefined ? parse(undefined, offer) : found.value];
  });
  return {
    ...(Object.fromEntries(values) as Values),
    given: flags,
    commit: COMMITS.map((name) => env[name] ?? '').find((value) => /^[0-9a-f]{7,64}$/.test(value)),
    // All capabilities if the variable is invalid.
    capabilities: parseCapabilities(env['EDGEFORM_CAPABILITIES'] ?? '').value ?? new Set(CAPABILITIES),
    wrong: collector.hasFailed ? collector.failure() : undefined,
  };
}

/** Pipeline variables with a commit; ours comes first. */
const COMMITS = ['EDGEFORM_COMMIT', 'GITHUB_SHA', 'CI_COMMIT_SHA', 'BITBUCKET_COMMIT', 'BUILD_SOURCEVERSION'];

/** The values of an option as words: none, one, or each of a repeatable one. */
export function wordsOf(settings: Values, name: OptionName): string[] {
  return [settings[name] ?? []].flat().map(String);
}
