import type { ContentBlock } from '../../../protocol/mcp/content.ts';
import type { SamplingContent, SamplingRequest } from '../../../protocol/mcp/sampling.ts';
import { truncate } from '../../../base/truncate.ts';
import { visibleText } from '../../../base/visibleText.ts';

/** Where a text of a request is. */
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

/** Maximum characters of a tool's name in {@link TextPlace.name}. */
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
  const at = (name: string, isMaskable = true): Mapper => createMapper(visitor, { name, isMaskable, isProse: false });
  const prose = (name: string): Mapper => createMapper(visitor, { name, isMaskable: true, isProse: true });
  return {
    ...request,
    messages: request.messages.map((message, index) => {
      if (visitor.isDone) return message;
      const place = `message ${index + 1}`;
      const mappers = { prose: prose(place), body: at(place), tied: at(`an id or a name in ${place}`, false) };
      return { ...message, content: message.content.map((block) => mapBlock(block, mappers)) };
    }),
    ...(systemPrompt !== undefined && { systemPrompt: prose('system prompt').json(systemPrompt) }),
    ...(stopSequences !== undefined && { stopSequences: at('stop sequences').json(stopSequences) }),
    ...(tools !== undefined && {
      tools: tools.map((tool) => {
        const place = `tool "${visibleText(truncate(tool.name, maximumNameLength))}"`;
        return at(place).members(tool, { name: at(`the name of ${place}`, false) });
      }),
    }),
    ...(metadata !== undefined && { metadata: at('metadata').json(metadata) }),
  };
}

interface Mapper {
  /** A JSON value: its texts, the names of its members, and its long numbers. */
  json<T>(value: T, member?: string): T;
  /** The members of a known object: their names stay, and those in `special` are mapped by another mapper, or not at all. */
  members<T extends object>(value: T, special: Readonly<Record<string, Mapper | 'skip'>>): T;
}

function createMapper(visitor: TextVisitor, place: TextPlace): Mapper {
  const listPlace: TextPlace = { ...place, isMaskable: false, isProse: false };

  function text(value: string, member: string | undefined): string {
    return visitor.isDone || value === '' ? value : visitor.visit(value, place, member);
  }

  function map(value: unknown, member: string): unknown {
    if (visitor.isDone) return value;
    if (typeof value === 'string') return text(value, member);
    if (typeof value === 'number') return mapNumber(value, member);
    if (Array.isArray(value)) {
      if (isNumberList(value)) visitor.visit(JSON.stringify(value), listPlace, member);
      return value.map((item) => map(item, member));
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [text(name, undefined), map(inner, name)]));
  }

  function mapNumber(value: number, member: string): unknown {
    if (Math.abs(value) < smallestNumber) return value;
    const digits = String(value);
    const mapped = text(digits, member);
    return mapped === digits ? value : mapped;
  }

  return {
    json: <T>(value: T, member = ''): T => map(value, member) as T,
    members<T extends object>(value: T, special: Readonly<Record<string, Mapper | 'skip'>>): T {
      const mapped = Object.entries(value).map(([name, inner]: [string, unknown]) => {
        const mapper = Object.hasOwn(special, name) ? special[name] : undefined;
        return [name, mapper === 'skip' ? inner : mapper === undefined ? map(inner, name) : mapper.json(inner, name)];
      });
      return Object.fromEntries(mapped) as T;
    },
  };
}

/** True for a list that may be the bytes or characters of a text. */
function isNumberList(list: readonly unknown[]): boolean {
  return (
    list.length >= shortestList &&
    list.every((item) => Number.isInteger(item) && Number(item) >= 0 && Number(item) < smallestNumber)
  );
}

interface BlockMappers {
  readonly prose: Mapper;
  readonly body: Mapper;
  readonly tied: Mapper;
}

function mapBlock<T extends SamplingContent | ContentBlock>(block: T, mappers: BlockMappers): T {
  const { prose, body, tied } = mappers;
  switch (block.type) {
    case 'image':
    case 'audio':
      return body.members(block, { type: 'skip', data: 'skip' });
    case 'tool_use':
      return body.members(block, { type: 'skip', id: tied, name: tied });
    case 'tool_result': {
      const { content } = block;
      const mapped = body.members(block, { type: 'skip', toolUseId: tied, content: 'skip' });
      return { ...mapped, content: content.map((inner) => mapBlock(inner, mappers)) };
    }
    case 'resource': {
      const { resource } = block;
      const mapped = body.members(block, { type: 'skip', resource: 'skip' });
      return { ...mapped, resource: body.members(resource, { blob: 'skip', text: prose }) };
    }
    case 'text':
      return body.members(block, { type: 'skip', text: prose });
    case 'resource_link':
    case 'unknown':
      return body.members(block, { type: 'skip' });
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
