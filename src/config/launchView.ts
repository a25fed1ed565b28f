import type { VariableUse } from './expandVariables.ts';

/**
 * A launch plan as a person may see it: everything that will run. Where a secret came from a variable, its reference stands
 * in its place; one that is written out is masked. Each member says where it may not be shown.
 */
export type LaunchView = StdioLaunchView | RemoteLaunchView;

interface LaunchVariables {
  /** Every environment variable and input that goes in, each once. */
  readonly variables: readonly VariableUse[];
}

export interface StdioLaunchView extends LaunchVariables {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: readonly LaunchSetting[];
  readonly envFile: string | undefined;
  /** By name. What stands in an env file is secret by custom: names may be shown, values are only hashed. */
  readonly envFileValues: Readonly<Record<string, string>>;
}

export interface RemoteLaunchView extends LaunchVariables {
  readonly kind: 'http' | 'sse';
  readonly url: string;
  /** As it goes over the wire, where a name in other letters shows its true form. */
  readonly host: string;
  readonly headers: readonly LaunchSetting[];
  /** How to sign in. */
  readonly auth: readonly LaunchSetting[];
}

/** One environment variable or header. */
export interface LaunchSetting {
  readonly name: string;
  /** Masked; `null` takes the variable out of the environment. */
  readonly value: string | null;
  /** As the file writes it, variables not replaced. May hold a secret written there in plain: never shown, only hashed. */
  readonly written: string | null;
}
