import type { ServerDefinition, ServerOptions } from './serverDefinition.ts';
import { findVariables } from './variables.ts';

/** A range of a text in UTF-16 units. `offset` is zero-based. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

export interface WorkspaceFolder {
  readonly name: string;
  /** Normalised URI string. */
  readonly uri: string;
  /** Absolute path in the file system the servers run in. */
  readonly path: string;
}

/** Where servers are defined, in order of precedence: files of a folder, of the workspace, of the person, and settings. */
export type SourceKind =
  | 'vscode'
  | 'mcpJson'
  | 'cursor'
  | 'github'
  | 'devcontainer'
  | 'codeWorkspace'
  | 'copilot'
  | 'user'
  | 'demo';

/** True for what the person defines for all workspaces. Workspace Trust and limits of workspaces are for all others. */
export function isPersonal({ kind }: Pick<ConfigurationSource, 'kind'>): boolean {
  return kind === 'copilot' || kind === 'user' || kind === 'demo';
}

export interface ConfigurationSource {
  readonly kind: SourceKind;
  /** The file; absent for the user setting and the demo server. */
  readonly uri: string | undefined;
  /** The folder that its servers run in. Of a workspace file the first one, as in VS Code; of a personal source none. */
  readonly folder: WorkspaceFolder | undefined;
  /** Name for people, for instance ".vscode/mcp.json (backend)". */
  readonly title: string;
}

/** Options of the user's settings that are not applied to a server, because they were not written for its definition. */
export interface WithheldOptions {
  readonly names: readonly string[];
  /** The target of the server's definition, see `definitionTarget`. */
  readonly target: string;
  /** The target in the settings; `undefined` if there is none. */
  readonly writtenFor: string | undefined;
}

export interface ConfiguredServer {
  readonly label: string;
  readonly definition: ServerDefinition;
  /** The entry's `patchbay` key, overridden by the setting `patchbay.serverOptions` if that is for this definition. */
  readonly options: ServerOptions;
  readonly withheld?: WithheldOptions | undefined;
  /** `options.auth` is from the user's settings, so its `${input:…}` are the user's inputs, not those of the server's file. */
  readonly isUsersAuth?: true;
  readonly source: ConfigurationSource;
  /** The range of the entry's key in the file. */
  readonly range: TextRange | undefined;
  /** Sources with lower precedence that define the same label. */
  readonly shadows: readonly ConfigurationSource[];
}

/** False for what a workspace defines, and for what the person defines with the folder of a workspace. */
export function isForAllWorkspaces({ source, definition }: Pick<ConfiguredServer, 'source' | 'definition'>): boolean {
  // The syntax of editors finds them inside of defaults too.
  const variables = findVariables(JSON.stringify(definition), 'editor');
  return isPersonal(source) && !variables.some(({ meaning }) => meaning.kind.startsWith('workspaceFolder'));
}
