// A path as readers expect it.

/** The path without `.` and, where possible, without `..`. */
export function plainPath(path: string): string {
  const root = path.startsWith('/') ? '/' : '';
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '' && part !== '.' && !(part === '..' && root !== '')) parts.push(part);
  }
  return root + (parts.join('/') || (root === '' ? '.' : ''));
}
