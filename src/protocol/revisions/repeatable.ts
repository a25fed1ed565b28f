import type { UnknownRecord } from '../../base/json.ts';
import { isString } from '../../base/json.ts';
import type { Tool } from '../mcp/tools.ts';

/** What only reads: asking twice is as good as asking once. */
const reading = new Set([
  'completion/complete',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'server/discover',
  'skills/get',
  'skills/list',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tools/list',
]);

/** Remembers which requests may be sent again when their answer was lost. */
export interface Repeatable {
  /** Learns from the claims of a tool. */
  learn(tool: Tool): void;
  /** True when sending the request twice does no more than sending it once (2026-07-28, changelog, "Resumability"). */
  includes(method: string, params: UnknownRecord | undefined): boolean;
}

export function createRepeatable(): Repeatable {
  const tools = new Set<string>();
  return {
    learn({ name, annotations }) {
      if (annotations?.readOnlyHint === true || annotations?.idempotentHint === true) tools.add(name);
      else tools.delete(name);
    },
    includes(method, params) {
      const name = params?.['name'];
      return reading.has(method) || (method === 'tools/call' && isString(name) && tools.has(name));
    },
  };
}
