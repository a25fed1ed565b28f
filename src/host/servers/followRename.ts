import { isRecord } from '../../base/json.ts';
import { type ConfiguredServer, isPersonal } from '../../config/configuredServer.ts';
import { definitionTarget } from '../../config/launchTarget.ts';
import type { InputStore } from '../configuration/inputStore.ts';
import type { TrustService } from '../configuration/trust.ts';
import { saveSetting, settingMembers } from '../platform/changeSettings.ts';
import { folderSetting } from '../platform/settings.ts';
import type { DisabledServers } from './disabledServers.ts';

/** Where something is kept under the label of a server. */
export interface KeptByLabel {
  readonly trust: Pick<TrustService, 'load'>;
  readonly inputs: Pick<InputStore, 'rename'>;
  readonly disabled: DisabledServers;
  readonly savedCalls: () => Promise<CallsByLabel>;
  readonly sampling: { rules(): Promise<{ rename(from: string, to: string): Promise<void> } | undefined> };
  readonly approvals: { current(): Promise<{ rename(from: GrantHolder, to: string): Promise<void> } | undefined> };
  readonly chosenModels: () => Promise<{ rename(from: string, to: string): void }>;
}

interface GrantHolder {
  readonly server: string;
  readonly identity: string;
}

interface CallsByLabel {
  load(): Promise<void>;
  readonly all: readonly { readonly server: string }[];
  /** @returns false where some keep their name */
  move(from: string, to: string): Promise<boolean>;
}

/**
 * What is kept of a server, and is for its definition, follows to its new name: trust, values of inputs, options, saved calls, what
 * is allowed without a question, and that it is disabled.
 * @param identity of the server, see `Server.identity`
 * @returns what kept the old name, and the way back
 */
export async function followRename(
  server: ConfiguredServer,
  identity: string,
  name: string,
  { trust, inputs, disabled, savedCalls, ...allowed }: KeptByLabel,
): Promise<{ readonly left: readonly string[]; readonly back: () => Promise<void> }> {
  const { label } = server;
  const renamed = { ...server, label: name };
  async function moveAll(from: ConfiguredServer, to: ConfiguredServer): Promise<void> {
    await (await trust.load()).rename(from, to.label);
    await inputs.rename(from, to.label);
    await disabled.rename(from, to.label);
  }
  await moveAll(server, renamed);
  const stayed = await moveAllowed({ server: label, identity }, name, allowed);
  const options = await moveOptions(server, name);
  // A file of calls is shared: other people know the person's own servers by names of their own.
  const calls = await savedCalls();
  await calls.load();
  const hasMoved = !isPersonal(server.source) && (await calls.move(label, name));
  const shared = folderSetting('serverOptions');
  const left = [
    ...stayed,
    ...(calls.all.some((call) => call.server === label) ? ['saved calls'] : []),
    ...(options === 'left' || (isRecord(shared) && Object.hasOwn(shared, label)) ? ['options'] : []),
  ];
  async function back(): Promise<void> {
    await moveAll(renamed, server);
    await moveAllowed({ server: name, identity }, label, allowed);
    if (typeof options === 'function') await options();
    if (hasMoved) await calls.move(name, label);
  }
  return { left, back };
}

/** @returns what could not be stored under the new name, and so asks again */
async function moveAllowed(
  from: GrantHolder,
  to: string,
  { sampling, approvals, chosenModels }: Pick<KeptByLabel, 'sampling' | 'approvals' | 'chosenModels'>,
): Promise<readonly string[]> {
  (await chosenModels()).rename(from.server, to);
  const moves = {
    'rules for models': async () => (await sampling.rules())?.rename(from.server, to),
    'approved tools': async () => (await approvals.current())?.rename(from, to),
  };
  const left = Object.entries(moves).map(async ([what, move]) =>
    move().then(
      () => [],
      () => [what],
    ),
  );
  return (await Promise.all(left)).flat();
}

/**
 * Options of the user settings follow where they are for this definition. Those of a server of a workspace stay under the old name
 * too, which other workspaces may use.
 * @returns the way back; `left` where the new name has options already; `undefined` where there is nothing to move
 */
async function moveOptions(
  { label, definition, withheld, source }: ConfiguredServer,
  name: string,
): Promise<(() => Promise<void>) | 'left' | undefined> {
  const before = settingMembers('serverOptions');
  const own = Object.hasOwn(before, label) ? before[label] : undefined;
  if (!isRecord(own) || withheld !== undefined) return undefined;
  if (Object.hasOwn(before, name)) return 'left';
  const isUsers = source.uri === undefined;
  const moved = isUsers ? own : { ...own, for: definitionTarget(definition) };
  const { [label]: _, ...others } = before;
  try {
    await saveSetting('serverOptions', { ...(isUsers ? others : before), [name]: moved });
  } catch {
    // The settings have changes that are not saved, for instance.
    return 'left';
  }
  return async () => {
    const { [name]: added, ...rest } = settingMembers('serverOptions');
    // Changed since, it is what the person wants now: what they took back does not come again.
    const latest = JSON.stringify(added) === JSON.stringify(moved) ? own : added;
    await saveSetting('serverOptions', { ...rest, ...(latest !== undefined && { [label]: latest }) });
  };
}
