import type { ServerDefinition, ServerOptions } from './serverDefinition.ts';

/** Zero-based, like VS Code's positions; `offset`/`length` in UTF-16 units. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/** A workspace folder, as far as configuration needs it. */
export interface WorkspaceFolder {
  readonly name: string;
  /** Normalised URI string. */
  readonly uri: string;
  /** Absolute path in the file system the servers run in. */
  readonly path: string;
}

/** A place that defines servers. Listed in order of precedence within a folder. */
export type SourceKind = 'vscode' | 'mcpJson' | 'cursor' | 'github' | 'user' | 'demo';

export interface ConfigurationSource {
  readonly kind: SourceKind;
  /** The file; absent for the user setting and the demo server. */
  readonly uri: string | undefined;
  readonly folder: WorkspaceFolder | undefined;
  /** For people, for instance ".vscode/mcp.json (backend)". */
  readonly title: string;
}

/** Options of the user's settings that a server goes without, since they are not known to be for its definition. */
export interface WithheldOptions {
  readonly names: readonly string[];
  /** What they would have to be for. */
  readonly target: string;
  /** What the setting says they are for. */
  readonly writtenFor: string | undefined;
}

/** One usable entry, with where it stands. */
export interface ConfiguredServer {
  readonly label: string;
  readonly definition: ServerDefinition;
  /** The entry's `patchbay` key, overridden by the setting `patchbay.serverOptions` as far as it is for this definition. */
  readonly options: ServerOptions;
  readonly withheld?: WithheldOptions | undefined;
  /** `options.auth` is from the user's settings: its inputs are the user's, whatever the server's file calls by the same id. */
  readonly isUsersAuth?: true;
  readonly source: ConfigurationSource;
  /** The entry's key in the file. */
  readonly range: TextRange | undefined;
  /** Sources that define the same label with less precedence. */
  readonly shadows: readonly ConfigurationSource[];
}
