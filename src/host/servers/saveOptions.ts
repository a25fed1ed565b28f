import { isRecord } from '../../base/json.ts';
import { definitionTarget } from '../../config/launchTarget.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import type { ServerOptions } from '../../config/serverDefinition.ts';
import { visibleText } from '../../base/visibleText.ts';
import { askSafely } from '../platform/dialogs.ts';
import { openConfiguration } from '../configuration/configurationFiles.ts';
import { singleLine } from '../platform/displayText.ts';
import { saveSetting, settingMembers } from '../platform/changeSettings.ts';

/**
 * Adds to a server's entry of `patchbay.serverOptions` in the user's settings, and says which definition it is for: the
 * label alone could be that of another workspace's server. Asks first where the entry holds options for another one.
 * @returns false where the person does not want that
 */
export async function saveOptions(server: ConfiguredServer, options: ServerOptions): Promise<boolean> {
  if (server.withheld !== undefined) return allowOptions(server, options);
  await write(server, options);
  return true;
}

/** *Allow Options for This Server…*: lets the options that a server goes without be used with it. */
export async function allowOptions(server: ConfiguredServer, options: ServerOptions = {}): Promise<boolean> {
  const { label, withheld, source } = server;
  if (withheld === undefined) return true;
  const name = singleLine(visibleText(label), 60);
  const answer = await askSafely({
    message: `Use your options for “${name}” with this server?`,
    detail: [
      `Options: ${withheld.names.join(', ')}`,
      `This server: ${visibleText(withheld.target)}`,
      withheld.writtenFor && `They are for: ${visibleText(withheld.writtenFor)} (and will no longer be)`,
      `Defined in ${visibleText(source.title)}`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    safe: 'Show Configuration',
    actions: ['Allow Options'],
  });
  if (answer === 'Show Configuration') await openConfiguration(server);
  if (answer !== 'Allow Options') return false;
  await write(server, options);
  return true;
}

async function write({ label, definition, source }: ConfiguredServer, options: ServerOptions): Promise<void> {
  const entries = settingMembers('serverOptions');
  const own = isRecord(entries[label]) ? entries[label] : {};
  // The user's own servers are the user's in every workspace.
  const target = source.uri === undefined ? {} : { for: definitionTarget(definition) };
  const entry = { ...own, ...target, ...options };
  await saveSetting('serverOptions', { ...entries, [label]: entry });
}

/**
 * Removes the options of a server that is being removed. A server of the user settings loses all of them. One of a file only stops
 * starting with the window, because its folder may bring it back; its other options stay, as other workspaces may use them.
 * @returns the way back
 */
export async function dropOptions({ label, withheld, source }: ConfiguredServer): Promise<() => Promise<void>> {
  const { [label]: own, ...others } = settingMembers('serverOptions');
  if (!isRecord(own) || withheld !== undefined) return async () => {};
  const { autoStart, ...rest } = own;
  const isOfFile = source.uri !== undefined || rest['for'] !== undefined;
  if (isOfFile && autoStart === undefined) return async () => {};
  const left = isOfFile && Object.keys(rest).some((key) => key !== 'for') ? rest : undefined;
  await saveSetting('serverOptions', { ...others, ...(left && { [label]: left }) });
  return async () => {
    const now = settingMembers('serverOptions');
    // Changed since, it is what the person wants now.
    if (JSON.stringify(now[label]) === JSON.stringify(left))
      await saveSetting('serverOptions', { ...now, [label]: own });
  };
}
