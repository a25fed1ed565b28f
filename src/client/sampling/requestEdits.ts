import type { SamplingContent, SamplingMessage, SamplingRequest } from '../../protocol/mcp/sampling.ts';
import type { RequestEdits } from './ports.ts';
import type { SecretFinder } from './secretMarks.ts';

/** The server's token limit as an integer of at least 1: the schema of MCP allows any number, models take whole ones. */
export function wholeTokens({ maxTokens }: Pick<SamplingRequest, 'maxTokens'>): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, Math.floor(maxTokens)));
}

/** The request as it came, for a model. */
export function unedited(request: SamplingRequest): SamplingRequest {
  const maxTokens = wholeTokens(request);
  return request.maxTokens === maxTokens ? request : { ...request, maxTokens };
}

/**
 * Makes what is sent of a request and the person's edits. Empty texts are removed, and messages without content too.
 * @returns `undefined` if the edits do not fit the request: a higher token limit, another number of messages or blocks,
 * text in place of media, or nothing left to send
 * @throws where it could not be masked
 */
export async function applyEdits(
  request: SamplingRequest,
  edits: RequestEdits,
  secrets: SecretFinder,
): Promise<SamplingRequest | undefined> {
  const { maxTokens, systemPrompt, masked } = edits;
  if (edits.messages.length !== request.messages.length || maxTokens > wholeTokens(request)) return undefined;
  const messages: SamplingMessage[] = [];
  for (const [index, message] of request.messages.entries()) {
    const content = editBlocks(message.content, edits.messages[index] ?? []);
    if (content === undefined) return undefined;
    if (content.length > 0) messages.push({ role: message.role, content });
  }
  if (messages.length === 0) return undefined;
  const { systemPrompt: _replaced, ...rest } = request;
  const edited = { ...rest, messages, maxTokens: wholeTokens(edits), ...(systemPrompt !== '' && { systemPrompt }) };
  if (masked.length === 0) return edited;
  // In all of the request, also where the page has no text field for it. A text field changes every line break to \n.
  const inFields = masked.map((mark) => ({ ...mark, value: mark.value.replaceAll(/\r\n?/g, '\n') }));
  return secrets.mask(edited, [...masked, ...inFields]);
}

function editBlocks(
  blocks: readonly SamplingContent[],
  texts: readonly (string | undefined)[],
): SamplingContent[] | undefined {
  if (texts.length !== blocks.length) return undefined;
  const edited: SamplingContent[] = [];
  for (const [index, block] of blocks.entries()) {
    const text = texts[index];
    if (text === undefined) edited.push(block);
    else if (block.type !== 'text') return undefined;
    else if (text === block.text) edited.push(block);
    else if (text !== '') edited.push({ ...block, text });
  }
  return edited;
}
