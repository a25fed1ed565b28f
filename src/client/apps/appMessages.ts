import { isRecord, isString, type JsonObject, toJsonText, type UnknownRecord } from '../../base/json.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import { type ContentBlock, readContentList } from '../../protocol/mcp/content.ts';
import { type LoggingLevel, loggingLevels } from '../../protocol/mcp/logging.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';

/** How an app is shown (SEP-1865, "Display Modes"). */
export const displayModes = ['inline', 'fullscreen', 'pip'] as const;

export type DisplayMode = (typeof displayModes)[number];

/** What an app says of itself in `ui/initialize`. */
export interface AppIdentity {
  readonly name: string;
  readonly version: string;
  /** `undefined`: it did not say, and may be shown in each. */
  readonly displayModes: readonly DisplayMode[] | undefined;
  /** It has tools of its own that a host can call (SEP-1865 draft, "App-Provided Tools"). */
  readonly hasTools: boolean;
}

export type AppNotice =
  | { readonly kind: 'size'; readonly height: number | undefined }
  | { readonly kind: 'log'; readonly level: LoggingLevel; readonly text: string }
  | { readonly kind: 'wantsToEnd' };

export function refusal(message: string): JsonRpcError {
  return new JsonRpcError(-32_000, message);
}

function invalidParams(message: string): JsonRpcError {
  return new JsonRpcError(ErrorCodes.invalidParams, message);
}

/** Reads the parameters of `ui/initialize`. What is missing gets neutral values: nothing depends on it. */
export function readIdentity({ appInfo, appCapabilities }: UnknownRecord): AppIdentity {
  const { name, version } = isRecord(appInfo) ? appInfo : {};
  const { availableDisplayModes: modes, tools } = isRecord(appCapabilities) ? appCapabilities : {};
  return {
    name: isString(name) ? truncateWithCount(name, 200) : 'unnamed',
    version: isString(version) ? truncateWithCount(version, 100) : '',
    displayModes: Array.isArray(modes) ? displayModes.filter((mode) => modes.includes(mode)) : undefined,
    hasTools: isRecord(tools),
  };
}

/** Reads a notification. @returns `undefined` for one that is unknown or invalid */
export function readNotice(method: string, params: UnknownRecord): AppNotice | undefined {
  switch (method) {
    case 'ui/notifications/size-changed':
      return { kind: 'size', height: pixels(params['height']) };
    case 'notifications/message': {
      const level = loggingLevels.find((known) => known === params['level']);
      const { logger, data } = params;
      const from = isString(logger) ? `${truncateWithCount(logger, 100)}: ` : '';
      const said = isString(data) ? data : toJsonText(data, 4_000);
      return level && { kind: 'log', level, text: `${from}${truncateWithCount(said, 4_000)}` };
    }
    case 'ui/notifications/request-teardown':
      return { kind: 'wantsToEnd' };
    default:
      return undefined;
  }
}

function pixels(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.min(value, 100_000) : undefined;
}

/** Reads a name and arguments. @throws {JsonRpcError} `-32602` */
export function readCall({ name, arguments: args }: UnknownRecord) {
  if (!isString(name)) throw invalidParams('"name" must be a string');
  if (args !== undefined && !isRecord(args)) throw invalidParams('"arguments" must be an object');
  return { name, args: (args ?? {}) as JsonObject };
}

/** Reads a parameter that is a text. @throws {JsonRpcError} `-32602` */
export function readText(params: UnknownRecord, key: string): string {
  const value = params[key];
  if (!isString(value)) throw invalidParams(`"${key}" must be a string`);
  return value;
}

/** Reads `mode`. @throws {JsonRpcError} `-32602` */
export function readDisplayMode({ mode }: UnknownRecord): DisplayMode {
  const known = displayModes.find((each) => each === mode);
  if (known === undefined) throw invalidParams(`"mode" must be one of ${displayModes.join(', ')}`);
  return known;
}

/** The specification's text has one block in `content` of `ui/message`, its schema a list. @throws {JsonRpcError} `-32602` */
export function readBlocks(content: unknown): readonly ContentBlock[] {
  if (content === undefined) return [];
  const list = isRecord(content) ? [content] : content;
  if (!Array.isArray(list)) throw invalidParams('"content" must be a list of content blocks');
  return readContentList(list.slice(0, 100));
}

/** A result of a tool as it goes to an app: as the server sent it. */
export function toWireResult({ content, ...rest }: CallToolResult): object {
  return { ...rest, content: content.map((block) => (block.type === 'unknown' ? block.original : block)) };
}
