import type { AuthSettings } from './authSettings.ts';

/** What is really started or called: every variable expanded, the environment complete. Holds secrets: never logged whole. */
export type LaunchPlan = StdioLaunchPlan | RemoteLaunchPlan;

interface PlanFacts {
  /** Of the server, for people; by default its command or address stands in. */
  readonly label?: string;
  /** Values that came from hidden inputs and secret variables, wherever they went. */
  readonly secrets?: readonly string[];
}

export interface StdioLaunchPlan extends PlanFacts {
  readonly kind: 'stdio';
  readonly command: string;
  /** Absolute path of what the command was found to mean when it was agreed to; looked up again where absent. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  /** Configured variables only; the transport adds the safe part of its own environment. `null` removes one. */
  readonly env: Readonly<Record<string, string | null>>;
}

export interface RemoteLaunchPlan extends PlanFacts {
  readonly kind: 'http' | 'sse';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly auth?: AuthSettings;
}
