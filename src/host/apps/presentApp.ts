import type { JsonObject } from '../../base/json.ts';
import type { AppCallEnd } from '../../client/apps/appBridge.ts';
import { appUriOf } from '../../protocol/mcp/apps.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { CallToolResult, Tool } from '../../protocol/mcp/tools.ts';
import type { AppTarget } from '../../shared/appMessages.ts';
import type { AppFeature } from './appFeature.ts';
import type { ShownCall } from './appRun.ts';
import { areAppsEnabled, opensWithCall } from './appSettings.ts';

/** A call of a tool that was just sent. */
export interface PresentedCall extends Pick<AppTarget, 'server' | 'occurrence'> {
  /** Who the server was: an app of another one under the label is not shown with this call. */
  readonly identity: string;
  readonly tool: Tool;
  readonly args: JsonObject;
}

/** The apps of tools, for what calls tools. */
export interface AppPresenter {
  /**
   * Shows the app of a tool beside, while its call is on its way.
   * @returns what is told how the call ended, and where the history keeps it; `undefined` if the tool has no app, or apps do not open with calls
   */
  begin(call: PresentedCall): ((end: AppCallEnd, kept: KeptCall) => void) | undefined;
  /** True if there is an app that could show the results of a tool. */
  canShow(tool: Tool): boolean;
  /** Shows the app of a tool with a call that has ended. */
  show(call: PresentedCall, result: CallToolResult, kept: KeptCall): Promise<void>;
}

/** The id of a call in the history, if it is kept there; never rejects. */
type KeptCall = Promise<string | undefined>;

/** @param load loads the code of apps, with the first one */
export function createAppPresenter(load: () => Promise<AppFeature>): AppPresenter {
  const targetOf = ({ server, occurrence, tool }: PresentedCall): AppTarget => ({
    server,
    tool: tool.name,
    occurrence,
  });
  return {
    begin(call) {
      const { identity, tool, args } = call;
      if (appUriOf(tool) === undefined || !opensWithCall()) return undefined;
      const target = targetOf(call);
      const shown = load().then((apps) => {
        apps.show(target, toolDisplayName(tool), { identity, args });
        return apps;
      });
      return (end, kept) => void shown.then((apps) => apps.endCall(target, { identity, args, end }, kept));
    },
    canShow: (tool) => areAppsEnabled() && appUriOf(tool) !== undefined,
    async show(call, result, kept) {
      const apps = await load();
      const shown: ShownCall = { identity: call.identity, args: call.args, end: { kind: 'result', result } };
      apps.show(targetOf(call), toolDisplayName(call.tool), shown, kept);
    },
  };
}
