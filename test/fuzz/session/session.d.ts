/** A recorded message: one JSON-RPC message of either side, or a batch. */
export type Recorded = Readonly<Record<string, unknown>> & {
  readonly id?: unknown;
  readonly params?: Readonly<Record<string, unknown>> & { readonly _meta?: Readonly<Record<string, unknown>> };
};

/** The messages, in order. */
export type Session = readonly { readonly direction: 'client' | 'server'; readonly message: Recorded }[];

/** A message of the client, and the messages of the server before the next one of the client. */
export interface Turn {
  readonly sent: Recorded;
  readonly answers: Recorded[];
}

/** A change of one message of the server. */
export type Mutation = {
  /** The index of the message, among all that the server sends. */
  readonly at: number;
} & (
  | { readonly kind: 'replace'; readonly place: number; readonly value: unknown }
  | { readonly kind: 'add'; readonly place: number; readonly name: string; readonly value: unknown }
  | { readonly kind: 'remove'; readonly place: number }
  | { readonly kind: 'copy'; readonly place: number; readonly from: number }
  | { readonly kind: 'bytes'; readonly place: number; readonly removed: number; readonly inserted: string }
  | { readonly kind: 'cut'; readonly place: number }
  | { readonly kind: 'repeat'; readonly times: number }
  | { readonly kind: 'drop' }
  | { readonly kind: 'delay'; readonly messages: number }
  | { readonly kind: 'insert'; readonly message: unknown }
  | { readonly kind: 'split'; readonly place: number }
  | { readonly kind: 'close' }
  /** HTTP only: the status and headers of the message. */
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'header'; readonly name: string; readonly value: string }
);

/** Bytes for the wire. */
export interface Delivery {
  /** Separate writes; together they are the message, without framing. */
  readonly chunks: readonly Buffer[];
  /** The server ends after this. */
  readonly closes?: boolean;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One case of the fuzzer: a recorded session and its faults. */
export interface SessionCase {
  /** File in `test/fuzz/sessions`, without its ending. */
  readonly session: string;
  readonly mutations: readonly Mutation[];
}
