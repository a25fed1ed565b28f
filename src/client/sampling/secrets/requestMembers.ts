import type { SamplingRequest } from '../../../protocol/mcp/sampling.ts';

/**
 * True if the parts of a request whose size the server decides have more than `most` members: those of all objects and lists in
 * messages, stop sequences, tools and metadata. Reads no more than that, at any depth, so that it is cheap for any request.
 */
export function hasMoreMembers(request: SamplingRequest, most: number): boolean {
  const { messages, stopSequences = [], tools = [], metadata = {} } = request;
  const waiting: object[] = [messages, stopSequences, tools, metadata];
  let left = most;
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    // The names alone first: listing the values of a large object takes twice as long.
    left -= Array.isArray(value) ? value.length : Object.keys(value).length;
    if (left < 0) return true;
    for (const member of Object.values(value) as readonly unknown[])
      if (typeof member === 'object' && member !== null) waiting.push(member);
  }
  return false;
}
