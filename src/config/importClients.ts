import table from './importClients.json' with { type: 'json' };
import { absoluteOr, type VariableSyntax } from './variables.ts';

export type ImportFormat = keyof typeof table.formats;

export interface ImportCandidate {
  readonly client: string;
  readonly format: ImportFormat;
  readonly variables: VariableSyntax;
  /** Absolute, or relative to a folder. */
  readonly path: string;
  /** The last part of the path that has a `*` stands for any name with that before and after it. */
  readonly isPattern: boolean;
}

interface ClientRow extends Omit<ImportCandidate, 'path' | 'isPattern'> {
  /** Paths with placeholders, and for one platform only if they begin with `win32:` or `unix:`. */
  readonly user: readonly string[];
  /** Relative to a folder of the workspace. */
  readonly workspace: readonly string[];
}

export interface ImportPlace {
  readonly platform: 'win32' | 'darwin' | 'linux';
  readonly userHome: string;
  /** For the variables that say where clients keep their files, such as `APPDATA`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

// The rows name formats and styles of this file: `importClients.test.ts` checks them.
const rows = table.clients as readonly ClientRow[];

export const importFormats: Readonly<
  Record<ImportFormat, { readonly syntax: string; readonly sections: readonly (readonly string[])[] }>
> = table.formats;

export const clientNames = [...new Set(rows.map(({ client }) => client))];

/** @returns the files of a person's other clients, whether they exist or not */
export function importCandidates({ platform, userHome: home, environment }: ImportPlace): ImportCandidate[] {
  const isWindows = platform === 'win32';
  const config = absoluteOr(environment['XDG_CONFIG_HOME'], `${home}/.config`);
  const roaming = absoluteOr(environment['APPDATA'], `${home}/AppData/Roaming`);
  const settings = { win32: roaming, darwin: `${home}/Library/Application Support`, linux: config }[platform];
  const places: Readonly<Record<string, string>> = {
    home,
    settings,
    config,
    local: absoluteOr(environment['LOCALAPPDATA'], `${home}/AppData/Local`),
    claude: absoluteOr(environment['CLAUDE_CONFIG_DIR'], home),
    codex: absoluteOr(environment['CODEX_HOME'], `${home}/.codex`),
    copilot: absoluteOr(environment['COPILOT_HOME'], `${home}/.copilot`),
  };
  const resolve = (written: string): string[] => {
    const [, only, pattern = ''] = /^(?:(win32|unix):)?(.*)$/s.exec(written) ?? [];
    if (only !== undefined && (only === 'win32') !== isWindows) return [];
    const patterns = pattern.startsWith('{editor}')
      ? table.editors.map((editor) => pattern.replace('{editor}', editor))
      : [pattern];
    const paths = patterns.map((one) => one.replace(/^\{(\w+)\}/, (whole, name: string) => places[name] ?? whole));
    return paths.map((path) => (isWindows ? path.replaceAll('/', '\\') : path));
  };
  return rows.flatMap(({ client, format, variables, user }) =>
    user.flatMap((written) => {
      const isPattern = written.includes('*');
      return resolve(written).map((path) => ({ client, format, variables, path, isPattern }));
    }),
  );
}

/** @returns the files of other clients in a folder, with paths that are relative to it */
export function workspaceCandidates(): ImportCandidate[] {
  return rows.flatMap(({ client, format, variables, workspace }) =>
    workspace.map((path) => ({ client, format, variables, path, isPattern: path.includes('*') })),
  );
}
