import { gluedModule, programName } from './commandLineAnalysis.ts';
import { withoutVariable } from './namedPaths.ts';

export function isPython(name: string): boolean {
  return /^(?:py|ipython|graalpy)/.test(name);
}

/** Python takes the module and other flags with the same dash, `-um server`, `-mserver`: here `-m` is a word of its own. */
export function withoutGluedModules(line: readonly string[]): readonly string[] {
  const python = line.findIndex((word) => isPython(programName(word)));
  if (python === -1) return line;
  return line.flatMap((word, index) => {
    const module = index > python ? gluedModule(word) : undefined;
    if (module === undefined) return [word];
    return module === '' ? ['-m'] : ['-m', module];
  });
}

/** A class is a path with dots; `lib/*` is every archive in a folder. */
export function javaPaths(args: readonly string[], script: number): readonly string[] {
  const main = args[script];
  const folders = args
    .flatMap((arg) => arg.split(/[:;=]/))
    .flatMap((part) => (/(?:^|[\\/])\*$/.test(part) ? [part.replace(/[\\/]?\*$/, '') || '.'] : []));
  return main === undefined ? folders : [...folders, main.replaceAll('.', '/')];
}

/** The variables that a line sets for what it runs: `env A=1 program`, `sh -c "A=1 program"`. */
export function assignmentsOf(arg: string): readonly (readonly [name: string, value: string])[] {
  const whole = /^([A-Za-z_]\w*)=(.*)$/s.exec(arg);
  // What follows a closed quote is the program: `A="x y" program`.
  const isWhole = whole !== null && !/^(?:"[^"]*"|'[^']*')\s/.test(whole[2] ?? '');
  const parts = arg.matchAll(
    /(?<![\w-])([A-Za-z_]\w*)=((?:"[^"]*"|'[^']*'|\$\([^)]{0,100}\)|\$\{[^}]{0,100}\}|[^\s;&|)"'])*)/g,
  );
  return [...(isWhole ? [whole] : []), ...parts].map(
    ([, name = '', value = '']) => [name, value.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2')] as const,
  );
}

/** The folders of a value for PATH, without those that another variable or the home folder has. */
export function searchEntries(path: string): readonly string[] {
  const text = path.replaceAll(/\$\{(?!PWD\})[^}]*\}/g, '$X');
  const separator = text.includes(';') || /^[A-Za-z]:[\\/]/.test(text) ? ';' : ':';
  return text
    .split(separator)
    .map((entry) => withoutVariable(entry.trim()))
    .filter((entry) => entry !== '' && !/^[$%~]/.test(entry));
}
