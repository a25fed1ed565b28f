import type { UnknownRecord } from '../../base/json.ts';
import { isString } from '../../base/json.ts';
import type { Tool } from '../mcp/tools.ts';

/** Methods that only read: a second request has no other effect. */
const lists = /^(?:prompts|resources|resources\/templates|skills|tasks|tools)\/list$/;
const reads =
  /^(completion\/complete|ping|(prompts|skills|tasks)\/get|resources\/read|server\/discover|tasks\/result)$/;

/** Knows which requests may be sent again after their response was lost. */
export class IdempotentRequests {
  #tools: Set<string> | undefined;

  addTool({ name, annotations }: Tool): void {
    if (annotations?.readOnlyHint === true || annotations?.idempotentHint === true)
      (this.#tools ??= new Set()).add(name);
    else this.#tools?.delete(name);
  }

  /** True when a second request has no further effect (2026-07-28, changelog, "Resumability"). */
  includes(method: string, params: UnknownRecord | undefined): boolean {
    if (method !== 'tools/call') return lists.test(method) || reads.test(method);
    const name = params?.['name'];
    return isString(name) && this.#tools?.has(name) === true;
  }
}
