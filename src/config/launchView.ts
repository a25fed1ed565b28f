import type { LaunchSetting, VariableUse } from './expandVariables.ts';

/**
 * A launch plan for display: everything that is started. A secret from a variable is shown as its reference, a literal one is
 * masked. Members that must not be shown say so.
 */
export type LaunchView = StdioLaunchView | RemoteLaunchView;

export interface StdioLaunchView {
  /** Every environment variable and input that is used, each once. */
  readonly variables: readonly VariableUse[];
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: readonly LaunchSetting[];
  readonly envFile: string | undefined;
  /** By name. Env files usually contain secrets: names may be shown, values are only hashed. */
  readonly envFileValues: Readonly<Record<string, string>>;
  /** Its file asks for a sandbox, which Patchbay does not have. */
  readonly asksForSandbox?: true;
}

/** A remote server that is connected to, or one that listens on a socket of this machine. */
export interface RemoteLaunchView extends Pick<StdioLaunchView, 'variables'> {
  readonly kind: 'http' | 'sse';
  readonly url: string;
  /** As sent, with international names in Punycode; the URL of a socket without the path of the requests. */
  readonly host: string;
  /** Absolute path of the socket that requests go to; absent for a host on the network. */
  readonly socketPath?: string;
  readonly headers: readonly LaunchSetting[];
  readonly auth: readonly LaunchSetting[];
}
