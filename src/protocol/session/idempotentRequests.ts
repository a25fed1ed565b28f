import type { UnknownRecord } from '../../base/json.ts';
import { isString } from '../../base/json.ts';
import type { Tool } from '../mcp/tools.ts';

/** Methods that only read: a second request has no other effect. */
const readOnlyMethods = new Set([
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

/** Knows which requests may be sent again after their response was lost. */
export class IdempotentRequests {
  #tools: Set<string> | undefined;

  /** Reads `readOnlyHint` and `idempotentHint` of a tool. */
  addTool({ name, annotations }: Tool): void {
    if (annotations?.readOnlyHint === true || annotations?.idempotentHint === true)
      (this.#tools ??= new Set()).add(name);
    else this.#tools?.delete(name);
  }

  /** True when a second request has no further effect (2026-07-28, changelog, "Resumability"). */
  includes(method: string, params: UnknownRecord | undefined): boolean {
    const name = params?.['name'];
    return (
      readOnlyMethods.has(method) || (method === 'tools/call' && isString(name) && this.#tools?.has(name) === true)
    );
  }
}
