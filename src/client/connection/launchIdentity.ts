import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import { isStdio } from '../../config/serverDefinition.ts';

/**
 * Says who a server is, as text: the command or address of a plan, and the names of its variables or headers. The values of
 * these may change, as keys do. What a person allows a server and what is kept of it belongs to its identity, never to its
 * label. May hold secrets: store only a digest.
 */
export function launchIdentity(plan: LaunchPlan): string {
  if (plan.kind === 'stdio') return identityOf([plan.command, plan.args, plan.cwd], plan.env);
  return identityOf([plan.url.href, plan.socketPath], plan.headers);
}

/**
 * The same members of a definition as it is written, and the folder that its paths start from. It differs from
 * {@link launchIdentity} where there are variables: they are known only when the server starts.
 */
export function definitionIdentity({ definition, source }: Pick<ConfiguredServer, 'definition' | 'source'>): string {
  const { folder } = source;
  if (!isStdio(definition)) return identityOf([definition.url, folder?.uri], definition.headers);
  const { command, args, cwd, env, envFile } = definition;
  return identityOf([command, args, cwd, envFile, folder?.uri], env);
}

function identityOf(members: readonly unknown[], named: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify([...members, Object.keys(named).toSorted()]);
}

/**
 * Port that knows who the servers are, in this window and in later ones. An identity is a text without secrets. Neither call
 * fails.
 */
export interface ServerIdentities {
  /**
   * The identity of what was launched last from a definition. A definition that was never launched has one of its own, under
   * which nothing is kept.
   * @param definition see {@link definitionIdentity}
   */
  last(definition: string): string;
  /** Remembers that `plan` is being launched from `definition`. @returns the identity of the plan */
  launched(definition: string, plan: LaunchPlan): string;
}
