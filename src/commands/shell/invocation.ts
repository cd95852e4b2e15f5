// One running command: its settings, its host and its platform as one value.

import { sep } from 'node:path';
import { tryTo } from '../../core/try.ts';
import { realPath } from '../../platform/paths.ts';
import { platformOf, type Platform } from '../../reconcile/platform.ts';
import type { Bare } from '../../reconcile/run.ts';
import { withDeadline } from '../../reconcile/stop.ts';
import type { RenderOptions } from '../../render/render-options.ts';
import type { ClientSettings } from '../../service/settings.ts';
import type { Offer } from '../options/option.ts';
import { readSettings, type Flags, type Settings } from '../options/settings.ts';
import type { Host, Sink } from './host.ts';
import { createProgress, type ProgressDisplay } from '../terminal/progress.ts';
import type { Listener } from './listener.ts';

export interface Invocation extends Host {
  readonly settings: Settings;
  readonly platform: Platform;
  readonly progress: ProgressDisplay;
  /** Sends an event to every listener. */
  readonly note: Listener['note'];
  /** The command's name, and the program's version. */
  readonly called?: { readonly command: string; readonly version: string };
}

/** Reads the settings; from here on, the deadline ends the run like a signal. */
export function invoke(flags: Flags, host: Host, offer?: Offer, called?: Invocation['called']): Invocation {
  const settings = readSettings(flags, host.env, offer);
  const platform = platformOf(host.ports);
  const style = renderOptionsOf({ settings, ...host }, host.stderr);
  const run = withDeadline(
    { ...host, settings, platform, ...(called && { called }) },
    settings.deadlineMs,
    platform.clock,
  );
  const progress = createProgress({ ...run, style });
  return { ...run, progress, note: progress.note };
}

/** A run without a manifest. */
export function bareRun(invocation: Invocation, connection: ClientSettings): Bare {
  return { ...invocation, connection, options: invocation.settings, emit: invocation.note };
}

const WIDTH = 100;

/** Variables in which forges name the folder of the checkout. */
const CHECKOUTS = ['GITHUB_WORKSPACE', 'CI_PROJECT_DIR'];

/** The first named checkout that the working directory is in. */
function checkoutOf({ env, cwd }: Pick<Host, 'env' | 'cwd'>): RenderOptions['checkout'] {
  const named = CHECKOUTS.map((name) => env[name] ?? '').filter((path) => path !== '');
  if (named.length === 0 || cwd === '') return undefined;
  const [folder, ...roots] = [cwd, ...named].map((path) => tryTo(() => realPath(path).replaceAll(sep, '/')));
  const root = roots.find((one) => one !== undefined && (folder === one || folder?.startsWith(`${one}/`) === true));
  return root === undefined || folder === undefined ? undefined : { root, folder };
}

/** Colour and width for a stream, the checkout of a forge, and the footer of a comment. */
export function renderOptionsOf(
  { settings, env, cwd, called }: Pick<Invocation, 'settings' | 'env' | 'cwd' | 'called'>,
  sink: Sink,
): RenderOptions {
  const { commit, detail } = settings;
  return {
    color: isColored(settings, env, sink),
    width: widthOf(sink),
    isTerminal: sink.isTty,
    detail,
    command: called?.command,
    checkout: checkoutOf({ env, cwd }),
    comment: { commit, version: called?.version },
  };
}

export function widthOf({ columns }: Sink): number {
  return Math.max(40, Math.min(columns || WIDTH, 160));
}

function isColored({ color }: Pick<Settings, 'color'>, env: Host['env'], sink: Sink): boolean {
  const forced = !['0', 'false', undefined].includes(env['FORCE_COLOR']);
  const quiet = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  const auto = forced || (sink.isTty && !quiet);
  return color === 'always' || (color === 'auto' && auto);
}
