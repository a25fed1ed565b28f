import type { AuthSettings } from './authSettings.ts';
import type { ServerAddress } from './serverAddress.ts';

/** What is started or called, with all variables expanded. Contains secrets: never logged as a whole. */
export type LaunchPlan = StdioLaunchPlan | RemoteLaunchPlan;

interface PlanFacts {
  /** Name of the server for people; by default its command or address. */
  readonly label?: string;
  /** Values of hidden inputs and secret variables, for redaction. */
  readonly secrets?: readonly string[];
  /** Where each of {@link secrets} comes from, in their order: a reference such as `${input:apiKey}`. */
  readonly secretNames?: readonly string[];
  /** What the person should know at each start, such as a variable that is not set: full sentences. */
  readonly warnings?: readonly string[];
}

export interface StdioLaunchPlan extends PlanFacts {
  readonly kind: 'stdio';
  readonly command: string;
  /** Absolute path of the command when the person agreed to it; if absent, it is looked up again. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  /** Configured variables only; the transport adds the safe part of its own environment. `null` removes one. */
  readonly env: Readonly<Record<string, string | null>>;
  /** `command` is a recorded session that is played as a server: nothing is started. */
  readonly replay?: ReplayMode;
  /** PATH of `env` is searched after the inherited one, instead of replacing it. */
  readonly addsToPath?: true;
  /** All variables of the env file, those that `env` replaces too: to recognise their values in texts. */
  readonly envFileValues?: Readonly<Record<string, string>>;
}

/** A remote server to connect to, or one that listens on a socket of this machine. */
export interface RemoteLaunchPlan extends PlanFacts, ServerAddress {
  readonly kind: 'http' | 'sse';
  readonly headers: Readonly<Record<string, string>>;
  readonly auth?: AuthSettings;
}

/** With equal params, `strict`: in recorded order; `lenient`: in any order, any number of times. */
export type ReplayMode = 'strict' | 'lenient';
