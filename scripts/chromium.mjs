// The browser that tests and pictures use: the one that is named, else one of the usual places. Nothing is downloaded.
import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

/** How it is started, or undefined where there is none. */
export function chromium() {
  const executablePath = process.env.EDGEFORM_CHROMIUM || PLACES.find((path) => existsSync(path));
  if (executablePath === undefined) return undefined;
  return { executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', ...QUIET] };
}
