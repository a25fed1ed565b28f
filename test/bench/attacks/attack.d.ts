import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SchemaValidator } from '../../../src/client/validation/schemaValidator.ts';
import type { HeadlessServer } from '../../../src/headless.ts';
import type * as core from './core.ts';

/** An attack by a server or a file on a host that has another server too. */
export interface Attack {
  readonly id: string;
  readonly title: string;
  /** Members of the only tool of the server, `attack`, besides its name. */
  readonly tool?: object;
  /** Capabilities besides `tools`. */
  readonly capabilities?: object;
  /** Special answers by method: the result, or `undefined` if the function has written it itself. */
  readonly answers?: Readonly<Record<string, (io: ServerIo) => unknown>>;
  /** Makes the server use HTTP, and answers its requests; `false`: the default answer. */
  readonly respond?: (request: IncomingMessage, response: ServerResponse, message: WireMessage | undefined) => boolean;
  /** The actions of the host, and their outcome; if absent, it starts the server and calls its tool. */
  readonly drive?: (subject: Subject) => Promise<string>;
  /** The host's limits on time for this server, in milliseconds. */
  readonly timeouts?: object;
}

export interface WireMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Writes any bytes of an attack over stdio. */
export interface ServerIo {
  readonly params: Readonly<Record<string, unknown>>;
  readonly id: unknown;
  /** A whole response with a result that is JSON text. */
  answer(result: string | Buffer): void;
  /** Any bytes, in order; resolves when there is room for more. */
  write(data: string | Buffer): Promise<void>;
  stderr(data: string | Buffer): Promise<void>;
}

export interface Subject {
  readonly server: HeadlessServer;
  /** Parts of the host that headless programs do not reach. */
  readonly core: typeof core;
  /** The validator of the editor, with its checker process. */
  readonly validator: SchemaValidator;
  readonly attack: Attack;
}

/** The outcome of an attack. */
export interface AttackRow {
  readonly id: string;
  readonly title: string;
  /** The longest block of the host's event loop by its own work, in milliseconds. */
  readonly blockMs: number;
  /** The same, with the time in which other processes used the processor. */
  readonly waitedMs: number;
  /** The peak of the host's memory, in bytes. */
  readonly peakBytes: number;
  /** The message of the host. */
  readonly outcome: string;
  /** Whether the host runs, without an uncaught error, and the other server answers. */
  readonly isUnharmed: boolean;
}
