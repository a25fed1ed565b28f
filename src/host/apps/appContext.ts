import { env, UIKind, version } from 'vscode';
import type { UnknownRecord } from '../../base/json.ts';
import { type AppReach, describeReach } from '../../client/apps/appReach.ts';
import { type DisplayMode, displayModes } from '../../client/apps/appMessages.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import type { Surroundings } from '../../shared/appMessages.ts';

/** What an app is told of where it is (SEP-1865, "Host Context in McpUiInitializeResult"). */
export interface AppPlace {
  readonly tool: Tool;
  readonly mode: DisplayMode;
  readonly surroundings: Surroundings;
}

/** The whole host context of an app. */
export function hostContext({ tool, mode, surroundings }: AppPlace): UnknownRecord {
  const { omittedSchemas: _, ...definition } = tool;
  return {
    toolInfo: { tool: definition },
    ...changingContext(mode, surroundings),
    availableDisplayModes: displayModes,
    locale: env.language,
    timeZone: surroundings.timeZone,
    userAgent: `Patchbay (${env.appName} ${version})`,
    platform: env.uiKind === UIKind.Web ? 'web' : 'desktop',
    deviceCapabilities: { touch: surroundings.hasTouch, hover: surroundings.hasHover },
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
  };
}

/** What of it changes while the app is shown. */
export function changingContext(mode: DisplayMode, { theme, variables, width, height }: Surroundings): UnknownRecord {
  // Inline, an app is as high as it says and its tab scrolls; otherwise it fills it (SEP-1865, "Container Dimensions").
  const containerDimensions = mode === 'inline' ? { width } : { width, height };
  return { theme, styles: { variables }, displayMode: mode, containerDimensions };
}

/** What the host does for an app (SEP-1865, `HostCapabilities`). Nothing is offered that is not handled. */
export function hostCapabilities(reach: AppReach): UnknownRecord {
  return {
    openLinks: {},
    downloadFile: {},
    serverTools: { listChanged: true },
    serverResources: { listChanged: true },
    logging: {},
    sandbox: describeReach(reach),
    message: { text: {}, resource: {}, resourceLink: {} },
    updateModelContext: { text: {}, image: {}, resource: {}, resourceLink: {}, structuredContent: {} },
    sampling: {},
  };
}
