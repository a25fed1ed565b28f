import { type QuickPickItem, window } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';
import { escapeIcons, singleLine } from '../platform/displayText.ts';
import { toThemeIcon } from '../platform/themeIcon.ts';
import { labelFromArgument } from './serverArgument.ts';
import { describeServer, needsApproval, serverIcon } from './serverStatus.ts';
import type { HostServer, ServerRegistry } from './serverRegistry.ts';

export interface ServerPick {
  readonly placeholder: string;
  readonly whenNone: string;
  readonly isApplicable?: ((hostServer: HostServer) => boolean) | undefined;
  /**
   * The command starts a server or sends something. The only applicable server is then offered too, and not taken: a command
   * without an argument may be run by another extension.
   */
  readonly acts?: true;
  /** It starts the server, which asks for approval where it needs it: the only server is taken then. */
  readonly starts?: boolean;
}

/**
 * The server a command is about: the one it was called with, the one a person chooses, or the only applicable one.
 * @returns `undefined` when there is none or none was chosen; the person then knows
 * @throws {PatchbayError} `notFound` when called with a label that is not configured
 */
export async function pickServer(
  registry: ServerRegistry,
  argument: unknown,
  { placeholder, whenNone, isApplicable = () => true, acts, starts }: ServerPick,
): Promise<HostServer | undefined> {
  const label = labelFromArgument(argument);
  if (label !== undefined) {
    const named = registry.get(label);
    if (named !== undefined) return named;
    throw new PatchbayError('notFound', `No server is configured under the label "${singleLine(label)}".`);
  }
  const applicable = registry.servers.filter(isApplicable);
  if (applicable.length === 0) {
    void window.showInformationMessage(whenNone);
    return undefined;
  }
  const [only] = applicable;
  const isSafe = acts === undefined || (starts === true && only !== undefined && needsApproval(only));
  if (applicable.length === 1 && isSafe) return only;
  const picked = await window.showQuickPick(applicable.map(serverPickItem), {
    placeHolder: placeholder,
    matchOnDescription: true,
  });
  return picked?.hostServer;
}

export function serverPickItem(hostServer: HostServer): QuickPickItem & { readonly hostServer: HostServer } {
  return {
    label: escapeIcons(singleLine(hostServer.label)),
    description: escapeIcons(describeServer(hostServer)),
    iconPath: toThemeIcon(serverIcon(hostServer)),
    hostServer,
  };
}
