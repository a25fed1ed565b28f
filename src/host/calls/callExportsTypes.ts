import type { JsonObject } from '../../base/json.ts';

/** A text in which values that must not be written out are named by environment variables. */
export type ExportText = readonly (string | { readonly variable: string })[];

/** How a server is reached, without its secrets; see `toExportedServer`. */
export type ExportedServer = ExportedProgram | ExportedAddress;

/** A server that is a program. */
export interface ExportedProgram {
  readonly kind: 'stdio';
  readonly command: ExportText;
  readonly args: readonly ExportText[];
  readonly cwd: ExportText | undefined;
  /** Names only: the values are never written out. */
  readonly env: readonly string[];
  /** There are more variables in a file. */
  readonly hasEnvFile: boolean;
}

/** A server with an address. */
export interface ExportedAddress {
  readonly kind: 'http' | 'sse';
  readonly url: ExportText;
  /** The Unix socket that requests go to; absent for a host on the network. */
  readonly socketPath?: string;
  readonly headers: readonly ExportedHeader[];
}

/** A header. */
export interface ExportedHeader {
  readonly name: string;
  /** Of the configured value only its scheme is written out: `Bearer `. */
  readonly value: ExportText;
}

/** A call to write down for other programs. */
export interface ExportedCall {
  readonly server: ExportedServer;
  /** The revision that the server speaks; the newest with a handshake if it is not known. */
  readonly revision?: string | undefined;
  readonly tool: string;
  readonly args: JsonObject;
  /** Headers that the tool's schema asks for, from `toolHeaderValues` (2026-07-28). */
  readonly toolHeaders?: Readonly<Record<string, string>> | undefined;
}

/** Patchbay is not the client of what is copied. */
export const exportedClient = { name: 'my-client', version: '1.0.0' } as const;
