import type { ContentBlock } from '../../../protocol/mcp/content.ts';
import type { SamplingContent, SamplingRequest } from '../../../protocol/mcp/sampling.ts';
import { truncate } from '../../../base/truncate.ts';
import { visibleText } from '../../../base/visibleText.ts';

export interface TextPlace {
  /** A few words for people: "message 2", "system prompt", `tool "x"`. */
  readonly name: string;
  /**
   * False for ids and names of tools: they tie `tool_use`, `tool_result` and `tools` together, so they cannot change. False too for
   * lists of numbers, in which no text can take the place of some of them.
   */
  readonly isMaskable: boolean;
  /** True for the text of a block, or the system prompt: a model reads all of these as one. */
  readonly isProse: boolean;
}

export interface TextVisitor {
  /**
   * @param member the name of the member whose value it is; `undefined` for the name of a member
   * @returns the text that takes its place
   */
  visit(text: string, place: TextPlace, member: string | undefined): string;
  /** True when no more texts are wanted: the rest of the request then stays as it is. */
  readonly isDone: boolean;
}

const maximumNameLength = 60;

/** Smaller numbers are no secrets: see `isWorthFinding`. */
const smallestNumber = 100_000;

/** Fewer numbers are no secret that is written as bytes or characters. */
const shortestList = 5;

/**
 * Visits all that the provider of a model receives as text: messages with their annotations and `_meta`, calls and results of
 * tools, the system prompt, stop sequences, tools with their schemas, metadata; names of members, long numbers
 * and lists of numbers too. Roles, types, and the base64 data of images, audio and binary resources are not visited.
 * @returns a request with the texts that `visitor` returned
 */
export function mapRequestTexts(request: SamplingRequest, visitor: TextVisitor): SamplingRequest {
  const { systemPrompt, stopSequences, tools, metadata } = request;
  const at = (name: string): TextPlace => ({ name, isMaskable: true, isProse: false });
  const tied = (name: string): TextPlace => ({ ...at(name), isMaskable: false });
  const prose = (name: string): TextPlace => ({ ...at(name), isProse: true });
  return {
    ...request,
    messages: request.messages.map((message, index) => {
      if (visitor.isDone) return message;
      const place = `message ${index + 1}`;
      const places = { prose: prose(place), body: at(place), tied: tied(`an id or a name in ${place}`) };
      return { ...message, content: message.content.map((block) => mapBlock(visitor, places, block)) };
    }),
    ...(systemPrompt !== undefined && { systemPrompt: mapJson(visitor, prose('system prompt'), systemPrompt) }),
    ...(stopSequences !== undefined && { stopSequences: mapJson(visitor, at('stop sequences'), stopSequences) }),
    ...(tools !== undefined && {
      tools: tools.map((tool) => {
        const place = `tool "${visibleText(truncate(tool.name, maximumNameLength))}"`;
        return mapMembers(visitor, at(place), tool, { name: tied(`the name of ${place}`) });
      }),
    }),
    ...(metadata !== undefined && { metadata: mapJson(visitor, at('metadata'), metadata) }),
  };
}

/** Maps a JSON value: its texts, the names of its members, and its long numbers. */
function mapJson<T>(visitor: TextVisitor, place: TextPlace, value: T, member = ''): T {
  const text = (written: string, of: string | undefined): string =>
    visitor.isDone || written === '' ? written : visitor.visit(written, place, of);
  const map = (inner: unknown, of: string): unknown => {
    if (visitor.isDone) return inner;
    if (typeof inner === 'string') return text(inner, of);
    if (typeof inner === 'number') {
      const digits = String(inner);
      const mapped = Math.abs(inner) < smallestNumber ? digits : text(digits, of);
      return mapped === digits ? inner : mapped;
    }
    if (Array.isArray(inner)) {
      const listPlace = { ...place, isMaskable: false, isProse: false };
      if (isNumberList(inner)) visitor.visit(JSON.stringify(inner), listPlace, of);
      return inner.map((item) => map(item, of));
    }
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, each]) => [text(name, undefined), map(each, name)]));
  };
  return map(value, member) as T;
}

/** Maps the members of a known object: their names stay, and those in `special` have another place, or are not mapped at all. */
function mapMembers<T extends object>(
  visitor: TextVisitor,
  place: TextPlace,
  value: T,
  special: Readonly<Record<string, TextPlace | 'skip'>>,
): T {
  const mapped = Object.entries(value).map(([name, inner]: [string, unknown]) => {
    const of = Object.hasOwn(special, name) ? special[name] : place;
    return [name, of === undefined || of === 'skip' ? inner : mapJson(visitor, of, inner, name)];
  });
  return Object.fromEntries(mapped) as T;
}

/** True for a list that may be the bytes or characters of a text. */
function isNumberList(list: readonly unknown[]): boolean {
  return (
    list.length >= shortestList &&
    list.every((item) => Number.isInteger(item) && Number(item) >= 0 && Number(item) < smallestNumber)
  );
}

function mapBlock<T extends SamplingContent | ContentBlock>(
  visitor: TextVisitor,
  places: Readonly<Record<'prose' | 'body' | 'tied', TextPlace>>,
  block: T,
): T {
  const { prose, body, tied } = places;
  const members = <O extends object>(value: O, special: Readonly<Record<string, TextPlace | 'skip'>>): O =>
    mapMembers(visitor, body, value, { type: 'skip', ...special });
  switch (block.type) {
    case 'image':
    case 'audio':
      return members(block, { data: 'skip' });
    case 'tool_use':
      return members(block, { id: tied, name: tied });
    case 'tool_result': {
      const content = block.content.map((inner) => mapBlock(visitor, places, inner));
      return { ...members(block, { toolUseId: tied, content: 'skip' }), content };
    }
    case 'resource': {
      const resource = mapMembers(visitor, body, block.resource, { blob: 'skip', text: prose });
      return { ...members(block, { resource: 'skip' }), resource };
    }
    case 'text':
      return members(block, { text: prose });
    case 'resource_link':
    case 'unknown':
      return members(block, {});
  }
}

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
