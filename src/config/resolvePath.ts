/**
 * Makes `path` absolute against `base` and expands a leading `~`, in the manner of POSIX or Windows by `separator`.
 * Nothing is looked up; `.` and `..` stay for the operating system to follow.
 */
export function resolvePath(path: string, base: string, userHome: string, separator: '/' | '\\'): string {
  const expanded = expandHome(path, userHome);
  if (isAbsolute(expanded, separator)) return expanded;
  const relative = expanded.replace(/^\.[\\/]+/, '');
  if (relative === '' || relative === '.') return base;
  return /[\\/]$/.test(base) ? base + relative : base + separator + relative;
}

/** Replaces a `~` that stands alone or before a separator by the home folder. */
export function expandHome(path: string, userHome: string): string {
  return path === '~' || /^~[\\/]/.test(path) ? userHome + path.slice(1) : path;
}

function isAbsolute(path: string, separator: '/' | '\\'): boolean {
  return separator === '/' ? path.startsWith('/') : /^(?:[A-Za-z]:[\\/]|[\\/])/.test(path);
}
