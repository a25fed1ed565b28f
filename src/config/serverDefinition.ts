import type { AuthSettings } from '../base/authSettings.ts';
import type { ServerLimits } from '../base/limits.ts';

/** One server as a configuration file writes it, checked, variables not yet expanded. */
export type ServerDefinition = StdioServerDefinition | RemoteServerDefinition;

export interface StdioServerDefinition {
  readonly type?: 'stdio';
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** `null` takes a variable out of the inherited environment. */
  readonly env?: Readonly<Record<string, string | number | null>>;
  readonly envFile?: string;
  readonly patchbay?: ServerOptions;
}

export interface RemoteServerDefinition {
  /** `http`: Streamable HTTP, falling back to HTTP+SSE; `sse`: HTTP+SSE only. */
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
  /** Which workspace folders the server is told about. */
  readonly roots?: RootsChoice;
  /** Connect when the window opens (trusted workspaces only). */
  readonly autoStart?: boolean;
  /** Start again after a crash. */
  readonly autoRestart?: boolean;
  /** Show every message; secrets are taken out. */
  readonly trace?: boolean;
  /** What it may send, where that differs from what every server may. */
  readonly limits?: Partial<ServerLimits>;
  /** How to sign in. Remote servers only. */
  readonly auth?: AuthSettings;
}

/** Workspace folders by name, or all, or none. */
export type RootsChoice = 'all' | 'none' | readonly string[];

/** Milliseconds. */
export interface Timeouts {
  /** From start to a finished handshake. */
  readonly connectMs: number;
  /** A request without an answer; progress starts it anew. */
  readonly requestMs: number;
  /** A request altogether, progress or not. */
  readonly maximumMs: number;
  /** From one question whether an idle server still answers to the next; 0: it is never asked. */
  readonly pingMs: number;
}

export const defaultTimeouts: Timeouts = {
  connectMs: 60_000,
  requestMs: 60_000,
  maximumMs: 3_600_000,
  pingMs: 60_000,
};

export function isStdio(definition: ServerDefinition): definition is StdioServerDefinition {
  return 'command' in definition;
}
