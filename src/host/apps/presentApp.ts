import type { JsonObject } from '../../base/json.ts';
import type { AppCallEnd } from '../../client/apps/appBridge.ts';
import { appUriOf } from '../../protocol/mcp/apps.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { CallToolResult, Tool } from '../../protocol/mcp/tools.ts';
import type { AppTarget } from '../../shared/appMessages.ts';
import { isSwitchedOn } from '../platform/settings.ts';
import type { AppFeature } from './appFeature.ts';

interface PresentedCall extends Pick<AppTarget, 'server' | 'occurrence'> {
  /** Who the server was: an app of another one under the label is not shown with this call. */
  readonly identity: string;
  readonly tool: Tool;
  readonly args: JsonObject;
}

/** The id of a call in the history, if it is kept there; never rejects. */
type KeptCall = Promise<string | undefined>;

/** The apps of tools, for what calls tools. */
export class AppPresenter {
  readonly #load: () => Promise<AppFeature>;

  /** @param load loads the code of apps, with the first one */
  constructor(load: () => Promise<AppFeature>) {
    this.#load = load;
  }

  /**
   * Shows the app of a tool beside, while its call is on its way.
   * @returns what is told how the call ended, and where the history keeps it; `undefined` if the tool has no app, or apps do not open with calls
   */
  begin(call: PresentedCall): ((end: AppCallEnd, kept: KeptCall) => void) | undefined {
    const { identity, tool, args } = call;
    if (!this.canShow(tool) || !isSwitchedOn('apps.openWithCall')) return undefined;
    const target = targetOf(call);
    const shown = this.#load().then((apps) => {
      apps.show(target, toolDisplayName(tool), { identity, args });
      return apps;
    });
    return (end, kept) => void shown.then((apps) => apps.endCall(target, { identity, args, end }, kept));
  }

  /** True if there is an app that could show the results of a tool. */
  canShow(tool: Tool): boolean {
    return isSwitchedOn('apps.enabled') && appUriOf(tool) !== undefined;
  }

  async show(call: PresentedCall, result: CallToolResult, kept: KeptCall): Promise<void> {
    const { identity, tool, args } = call;
    const shown = { identity, args, end: { kind: 'result', result } } as const;
    (await this.#load()).show(targetOf(call), toolDisplayName(tool), shown, kept);
  }
}

function targetOf({ server, occurrence, tool }: PresentedCall): AppTarget {
  return { server, tool: tool.name, occurrence };
}
