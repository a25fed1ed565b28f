import { pathToFileURL } from 'node:url';
import { messageOf } from '../base/errors.ts';
import type { LaunchPlan } from '../base/launchPlan.ts';
import type { LogEntry } from '../base/logger.ts';
import { boundLine } from '../base/logLine.ts';
import type { OpenTap } from '../client/trace/connectionTap.ts';
import { createHeadlessServers, type HeadlessOptions } from '../headless.ts';
import type { KnownSecret } from '../secrets/knownValues.ts';
import { secretsOfPlan } from '../secrets/planSecrets.ts';
import { createRedactor, type Redactor } from '../secrets/redactor.ts';
import type { Output } from './output.ts';
import type { Target } from './targets.ts';

export type ServerHost = ReturnType<typeof openServers>;

export interface ServerHostOptions extends Pick<HeadlessOptions, 'onSampling' | 'onElicitation'> {
  readonly tap?: OpenTap;
}

/** Servers that start when they are used, and the secrets of those that were started. Dispose it: that ends their processes. */
export function openServers(targets: readonly Target[], output: Output, options: ServerHostOptions = {}) {
  const secrets = new Map<string, readonly KnownSecret[]>();
  let redactor = createRedactor([]);
  const planned = async (target: Target): Promise<LaunchPlan> => {
    const plan = await target.plan();
    secrets.set(target.label, secretsOfPlan(target.label, plan));
    redactor = createRedactor([...secrets.values()].flat());
    for (const warning of plan.warnings ?? []) output.note(`${target.label}: ${warning}`);
    return plan;
  };
  const onLog = ({ level, message, server }: LogEntry): void => {
    if (output.isVerbose) output.note(`${server ?? 'patchbay'} [${level}] ${redactor.text(message)}`);
  };
  const [first] = targets;
  const host = createHeadlessServers({
    ...options,
    onLog,
    launches: targets.map((target) => {
      // A program that ends is a result, not a reason to start it again.
      return { label: target.label, options: { ...target.options, autoRestart: false }, plan: () => planned(target) };
    }),
    roots: first === undefined ? [] : [{ uri: pathToFileURL(first.folder).toString() }],
  });
  return {
    ...host,
    planOf: planned,
    /** Hides the secrets of what was started so far. */
    get redactor(): Redactor {
      return redactor;
    },
    /** An error for a terminal or a report. */
    describe: (error: unknown): string => boundLine(redactor.text(messageOf(error))),
    async [Symbol.asyncDispose](): Promise<void> {
      await host.dispose();
    },
  };
}
