import type { AuthSettings } from '../base/authSettings.ts';
import type { ReplayMode } from '../base/launchPlan.ts';
import type { ServerLimits } from '../base/limits.ts';

/** One server of a configuration file, checked, with variables not yet expanded. */
export type ServerDefinition = StdioServerDefinition | RemoteServerDefinition;

export interface StdioServerDefinition {
  readonly type?: 'stdio';
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** `null` removes a variable from the inherited environment. */
  readonly env?: Readonly<Record<string, string | number | null>>;
  readonly envFile?: string;
  /** `"type": "replay"`: `command` is the path of a recorded session that is played. Nothing is started. */
  readonly replay?: ReplayMode;
  /** The file asks for a sandbox, which Patchbay does not have: the person is told before the start. */
  readonly sandboxEnabled?: true;
  readonly patchbay?: ServerOptions;
}

export interface RemoteServerDefinition {
  /** What is tried first: `http` is Streamable HTTP, `sse` HTTP+SSE. A server that refuses it is tried with the other one. */
  readonly type?: 'http' | 'sse';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly patchbay?: ServerOptions;
}

/** Patchbay's own options, from the setting `patchbay.serverOptions` or the entry's `patchbay` key. */
export interface ServerOptions {
  readonly timeouts?: Partial<Timeouts>;
  /** Pins a protocol revision instead of negotiating one. */
  readonly revision?: string;
  readonly roots?: RootsChoice;
  /** Connect when the window opens (trusted workspaces only). */
  readonly autoStart?: boolean;
  /** Start again after a crash. */
  readonly autoRestart?: boolean;
  /** Record every message; secrets are redacted. */
  readonly trace?: boolean;
  /** What happens while the person builds the server. Programs only. */
  readonly dev?: DevelopmentOptions;
  /** Limits of its messages that differ from the defaults. */
  readonly limits?: Partial<ServerLimits>;
  /** How to sign in. Remote servers only. */
  readonly auth?: AuthSettings;
}

/** `dev` as VS Code has it in `.vscode/mcp.json`. */
export interface DevelopmentOptions {
  /** Globs, relative to the folder of the configuration; one with `!` before leaves files out. A saved file restarts the server. */
  readonly watch?: string | readonly string[];
  /** The debugger for *Debug Server*. */
  readonly debug?: DebugOptions;
}

export interface DebugOptions {
  readonly type: 'node' | 'debugpy';
  /** Path of the debugpy module, which runs: only a person's own settings set it. */
  readonly debugpyPath?: string;
}

export type RootsChoice = 'all' | 'none' | readonly string[];

/** Milliseconds. */
export interface Timeouts {
  /** From start to a finished handshake. */
  readonly connectMs: number;
  /** Timeout of a request; progress restarts it. */
  readonly requestMs: number;
  /** Total time of a request, regardless of progress. */
  readonly maximumMs: number;
  /** Interval between pings of an idle server; 0: none. */
  readonly pingMs: number;
}

/** The timeouts of a server without settings. */
export const defaultTimeouts: Timeouts = {
  connectMs: 60_000,
  requestMs: 60_000,
  maximumMs: 3_600_000,
  pingMs: 60_000,
};

export function isStdio(definition: ServerDefinition): definition is StdioServerDefinition {
  return 'command' in definition;
}
