import { canonicalJson, sha256 } from '../../base/digest.ts';
import type { SamplingMessage, SamplingRequest } from '../../protocol/mcp/sampling.ts';

/** A request that continues a conversation: all messages of an answered request, and more. */
export interface Round {
  /** 2 for the first request that continues one. */
  readonly number: number;
  /** Index of the first message that the person has not approved in this conversation, as it stands. */
  readonly newFrom: number;
}

export interface RoundRequest {
  readonly server: string;
  /** A digest of each message. */
  readonly digests: readonly string[];
  /** Digest of all that goes along with the messages: with another frame, no message counts as seen. */
  readonly frame: string;
}

/** Conversations that are kept for a server; the oldest is forgotten first. */
const maximumConversations = 20;

interface Conversation extends RoundRequest {
  readonly round: number;
  readonly seen: number;
}

/** The conversations of all servers, so that a person sees what is new in a request, and that they end. */
export class SamplingRounds {
  readonly #conversations = new Map<string, readonly Conversation[]>();

  /** @returns `undefined` for messages that continue no conversation of this server */
  find(request: RoundRequest): Round | undefined {
    const before = this.#continued(request);
    return before && { number: before.round + 1, newFrom: before.frame === request.frame ? before.seen : 0 };
  }

  /**
   * The request was answered: the next one may continue it.
   * @param seen how many of its first messages a person has approved as they are
   */
  record(request: RoundRequest, seen: number): void {
    const before = this.#continued(request);
    const others = (this.#conversations.get(request.server) ?? []).filter((known) => known !== before);
    const next = { ...request, round: (before?.round ?? 0) + 1, seen };
    this.#conversations.set(request.server, [...others, next].slice(-maximumConversations));
  }

  forget(server: string): void {
    this.#conversations.delete(server);
  }

  #continued({ server, digests }: RoundRequest): Conversation | undefined {
    return (this.#conversations.get(server) ?? [])
      .filter((known) => known.digests.length < digests.length && known.digests.every((one, at) => one === digests[at]))
      .toSorted((a, b) => b.digests.length - a.digests.length)[0];
  }
}

/** Serializes each message once: what follows uses the digests. */
export async function toRoundRequest(server: string, request: SamplingRequest): Promise<RoundRequest> {
  const { messages, systemPrompt, tools, toolChoice, metadata } = request;
  const digests: string[] = [];
  // One after the other, as each may be megabytes.
  for (const message of messages) digests.push(await sha256(canonicalJson(message)));
  return { server, digests, frame: await sha256(canonicalJson([systemPrompt, tools, toolChoice, metadata])) };
}

/** @returns how many messages at the beginning of both are the same */
export function countSame(before: readonly SamplingMessage[], after: readonly SamplingMessage[]): number {
  const index = before.findIndex((message, at) => {
    const other = after[at];
    return message !== other && (other === undefined || canonicalJson(message) !== canonicalJson(other));
  });
  return index === -1 ? before.length : index;
}
