import { canonicalJson, sha256 } from '../../base/digest.ts';
import type { SamplingMessage, SamplingRequest } from '../../protocol/mcp/sampling.ts';

/** A request that continues a conversation: all messages of an answered request, and more. */
export interface Round {
  /** 2 for the first request that continues one. */
  readonly number: number;
  /** Index of the first message that the person has not approved in this conversation, as it stands. */
  readonly newFrom: number;
}

/** Conversations that are kept for a server; the oldest is forgotten first. */
const maximumConversations = 20;

interface ComparedRequest {
  /** Of each message. */
  readonly messages: readonly string[];
  /** Of all that goes along with the messages: with another frame, no message counts as seen. */
  readonly frame: string;
}

interface Conversation extends ComparedRequest {
  readonly round: number;
  readonly seen: number;
}

/** The conversations of all servers, so that a person sees what is new in a request, and that they end. */
export class SamplingRounds {
  readonly #conversations = new Map<string, readonly Conversation[]>();
  readonly #compared = new WeakMap<SamplingRequest, ComparedRequest>();

  /** @returns `undefined` for messages that continue no conversation of this server */
  async find(server: string, request: SamplingRequest): Promise<Round | undefined> {
    const compared = await digestsOf(request);
    this.#compared.set(request, compared);
    const before = this.#continued(server, compared);
    return before && { number: before.round + 1, newFrom: before.frame === compared.frame ? before.seen : 0 };
  }

  /**
   * The request was answered: the next one may continue it. No-op for one that {@link find} has not seen.
   * @param seen how many of its first messages a person has approved as they are
   */
  record(server: string, request: SamplingRequest, seen: number): void {
    const compared = this.#compared.get(request);
    if (compared === undefined) return;
    const before = this.#continued(server, compared);
    const others = (this.#conversations.get(server) ?? []).filter((known) => known !== before);
    const next = { ...compared, round: (before?.round ?? 0) + 1, seen };
    this.#conversations.set(server, [...others, next].slice(-maximumConversations));
  }

  forget(server: string): void {
    this.#conversations.delete(server);
  }

  #continued(server: string, { messages }: ComparedRequest): Conversation | undefined {
    return (this.#conversations.get(server) ?? [])
      .filter((known) => known.messages.length < messages.length)
      .filter((known) => known.messages.every((one, at) => one === messages[at]))
      .toSorted((a, b) => b.messages.length - a.messages.length)[0];
  }
}

async function digestsOf({ messages, ...rest }: SamplingRequest): Promise<ComparedRequest> {
  const { systemPrompt, tools, toolChoice, metadata } = rest;
  const digests: string[] = [];
  // One after the other, as each may be megabytes.
  for (const message of messages) digests.push(await sha256(canonicalJson(message)));
  return { messages: digests, frame: await sha256(canonicalJson([systemPrompt, tools, toolChoice, metadata])) };
}

/** @returns how many messages at the beginning of both are the same */
export function countSame(before: readonly SamplingMessage[], after: readonly SamplingMessage[]): number {
  const index = before.findIndex((message, at) => {
    const other = after[at];
    return message !== other && (other === undefined || canonicalJson(message) !== canonicalJson(other));
  });
  return index === -1 ? before.length : index;
}
