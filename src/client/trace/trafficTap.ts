import { limits } from '../../base/limits.ts';
import type { OutgoingMessage } from '../../protocol/jsonRpc.ts';
import type { DroppedAnswer } from '../../protocol/messageChannel.ts';
import type { CloseReason } from '../../transport/transport.ts';
import type { ConnectionTap, TapDirection } from './connectionTap.ts';
import { describeEnd } from './describeConnection.ts';
import { HeldValue, weigh } from './trafficMessage.ts';
import type { TrafficEntry, TrafficReader } from './trafficReader.ts';
import type { TrafficSource } from './trafficRow.ts';

/** What comes or goes over one connection in one direction, and what makes rows of it. */
export interface Lane {
  readonly source: TrafficSource;
  readonly direction: TapDirection;
  readonly reader: TrafficReader;
}

/** About the bytes of one message. */
interface MessageBounds {
  /** That is kept. */
  readonly message: number;
  /** That is kept as text. */
  readonly large: number;
}

/** Hands on what one connection notices, as it is. */
export class TrafficTap implements ConnectionTap {
  readonly #sent: Lane;
  readonly #received: Lane;
  readonly #bounds: MessageBounds;
  readonly #take: (lane: Lane, entry: TrafficEntry) => void;

  constructor(
    source: TrafficSource,
    reader: TrafficReader,
    bounds: MessageBounds,
    take: (lane: Lane, entry: TrafficEntry) => void,
  ) {
    this.#sent = { source, direction: 'sent', reader };
    this.#received = { source, direction: 'received', reader };
    this.#bounds = bounds;
    this.#take = take;
  }

  message(direction: TapDirection, value: unknown, text?: string): void {
    const { message, large } = this.#bounds;
    const isText = text !== undefined && text.length <= large;
    this.#take(
      direction === 'sent' ? this.#sent : this.#received,
      isText ? text : new HeldValue(value, weigh(value, message)),
    );
  }

  failed(message: OutgoingMessage, error: unknown): void {
    this.#take(this.#sent, { kind: 'failed', message, error });
  }

  dropped(answer: DroppedAnswer): void {
    this.#take(this.#received, { kind: 'dropped', answer });
  }

  note(text: string): void {
    this.#take(this.#received, { kind: 'note', text: text.slice(0, limits.log.characters) });
  }

  end(reason: CloseReason): void {
    this.#take(this.#received, { kind: 'end', text: `closed: ${describeEnd(reason)}` });
  }
}
