import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SchemaValidator } from '../../../src/client/validation/schemaValidator.ts';
import type { HeadlessServer } from '../../../src/headless.ts';
import type * as core from './core.ts';

/** Something a server or a file does to a host that has another server to look after. */
export interface Attack {
  readonly id: string;
  readonly title: string;
  /** What the one tool of the server, `attack`, has beside a name. */
  readonly tool?: object;
  /** Beside `tools`. */
  readonly capabilities?: object;
  /** What the server answers to a method beside the usual: the result, or nothing where the function has written it. */
  readonly answers?: Readonly<Record<string, (io: ServerIo) => unknown>>;
  /** The server speaks HTTP and answers with this; `false`: as usual. */
  readonly respond?: (request: IncomingMessage, response: ServerResponse, message: WireMessage | undefined) => boolean;
  /** What the host does, and what it learns; where absent, it starts the server and calls its tool. */
  readonly drive?: (subject: Subject) => Promise<string>;
  /** The host's limits on time for this server, in milliseconds. */
  readonly timeouts?: object;
}

export interface WireMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** How an attack over stdio writes what it likes. */
export interface ServerIo {
  readonly params: Readonly<Record<string, unknown>>;
  readonly id: unknown;
  /** The whole answer, around a result that is JSON already. */
  answer(result: string | Buffer): void;
  /** Any bytes, in order; resolves when there is room for more. */
  write(data: string | Buffer): Promise<void>;
  stderr(data: string | Buffer): Promise<void>;
}

export interface Subject {
  readonly server: HeadlessServer;
  /** Parts of the host that headless programs do not reach. */
  readonly core: typeof core;
  /** As the editor has one, with a process of its own. */
  readonly validator: SchemaValidator;
  readonly attack: Attack;
}

/** What came of an attack. */
export interface AttackRow {
  readonly id: string;
  readonly title: string;
  /** The longest the event loop of the host did not turn because of its own work, in milliseconds. */
  readonly blockMs: number;
  /** The same with the time that other processes had the processor. */
  readonly waitedMs: number;
  /** The most memory the host had, in bytes. */
  readonly peakBytes: number;
  /** What the host said, in its own words. */
  readonly outcome: string;
  /** The host lives, nothing was uncaught, the other server answers. */
  readonly isUnharmed: boolean;
}
