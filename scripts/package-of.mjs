const MODULES = 'node_modules/';

/** The package that a path is in, the innermost one: its name and its folder; undefined outside of packages. */
export function packageOf(path) {
  const start = path.lastIndexOf(MODULES) + MODULES.length;
  const name = start < MODULES.length ? undefined : /^(?:@[^/]+\/)?[^/]+/.exec(path.slice(start))?.[0];
  return name === undefined ? undefined : { name, folder: path.slice(0, start) + name };
}
