import { isRecord, isString, type UnknownRecord } from '../../../src/base/json.ts';
import type { RemoteServerDefinition } from '../../../src/config/serverDefinition.ts';

/** A call a scenario asks its user to make. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: UnknownRecord;
}

/** What a user was told: what to write into the configuration, and what to try. */
export interface Configuration {
  readonly definition: RemoteServerDefinition;
  readonly toolCalls: readonly ToolCall[];
}

/** @param context the JSON that the suite hands to some scenarios */
export function readConfiguration(url: string, context: string | undefined): Configuration {
  const told: unknown = context === undefined ? {} : JSON.parse(context);
  const calls: unknown[] = isRecord(told) && Array.isArray(told['toolCalls']) ? told['toolCalls'] : [];
  return { definition: { type: 'http', url }, toolCalls: calls.filter(isToolCall) };
}

function isToolCall(value: unknown): value is ToolCall {
  return isRecord(value) && isString(value['name']) && isRecord(value['arguments']);
}
