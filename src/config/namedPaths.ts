import { percentDecoded } from '../base/truncate.ts';

/** What separates a path from the rest of a word: `--flag=path`, `a:b`, `file:path`, `pkg@path`, `path#part`, quotes. */
const separators = /[=,;:@#?&|<>()"'`\s[\]{}!+]+/g;
const maximumParts = 64;
const maximumLength = 32_768;

/**
 * Lists every part of a word that may be a path, as written and without percent encoding: the whole, what follows an option's
 * letter (`-Ilib`), and what is before, after and between separators. Most of it names no file: the caller looks.
 * @returns `isWhole`: false for a word with more parts than are looked at
 */
export function pathsIn(word: string) {
  const places = [...word.slice(0, maximumLength).matchAll(separators)];
  const cuts = places.slice(0, maximumParts);
  const found = new Set<string>([word]);
  for (const [index, cut] of cuts.entries()) {
    const from = cut.index + cut[0].length;
    found
      .add(word.slice(0, cut.index))
      .add(word.slice(from, cuts[index + 1]?.index))
      .add(word.slice(from));
  }
  const attached = [...found].flatMap((part) => /^-[A-Za-z](.+)$/s.exec(part)?.[1] ?? []);
  const paths = [...found, ...attached].flatMap((part) => [
    ...new Set([part, percentDecoded(part), withoutVariable(part)]),
  ]);
  const isWhole = cuts.length === places.length && word.length <= maximumLength;
  return { paths: [...new Set(paths)].filter((path) => path !== '' && !path.includes('\0')), isWhole };
}

/** Writes the working folder, which shells name by a variable or a command, as `.`. */
export function withoutVariable(text: string): string {
  return text.replace(/^(?:\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`|%CD%|\$PSScriptRoot|%~dp0)(?=[\\/]|$)/i, '.');
}

/** True when the text names a place and not only something: `./hook`, `lib/hook`, `.`. */
export function isPlace(path: string): boolean {
  return /[\\/]/.test(path) || path === '.' || path === '..';
}

const codeFile =
  /\.(?:[cm]?[jt]sx?|json|pyw?|py[zc]|rb|p[lm]|php|phar|lua|r|jl|exs?|beam|sh|bash|zsh|fish|ps1|psm1|bat|cmd|com|exe|dll|so|dylib|node|wasm|jar|class|csx|fsx|kts|groovy|go|applescript|nix)$/i;

/** True for the name of a file that programs may run. */
export const isCodeFile = (name: string): boolean => codeFile.test(name);

const dataFile =
  /\.(?:db|db3|sqlite3?|duckdb|mdb|log|pid|sock|csv|tsv|parquet|arrow|jsonl|ndjson|md|rst|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|webp|svg|ico|mp[34]|wav|webm|ttf|woff2?|[\w-]+-(?:wal|shm|journal))$/i;

/** True for the name of a file that programs only read and write as data, such as a database. */
export const isDataFile = (name: string): boolean => dataFile.test(name);

const settingsFile =
  /(?:^|[\\/])(?:\.env(?:\.[^\\/]*)?|[^\\/]*\.env|[^\\/]*[.-]lock|\.tool-versions|\.nvmrc|\.[\w-]+-version|rust-toolchain[^\\/]*|pyproject\.toml|uv\.toml|setup\.cfg|[^\\/]*\.txt)$/i;

/** False for a file that names no other files to load: data, versions, variables, and the settings of Python's packages. */
export function mayLoadFiles(path: string): boolean {
  return !isDataFile(path) && !settingsFile.test(path);
}
