/** What one message, or one body that holds JSON, may have at most. */
export interface MessageLimits {
  readonly bytes: number;
  /** Entries of lists and members of objects, as `JsonScan` counts them. */
  readonly members: number;
  /** Levels of lists and objects inside each other. */
  readonly depth: number;
}

/**
 * How much of what comes from outside is accepted, each group for one boundary. What goes beyond is refused or cut there,
 * with words that name the limit. The tables in the README and in src/README.md list the same numbers.
 */
export const limits = {
  /** A configuration file, an env file, or a setting; `problems` are those reported of one file. */
  configuration: { bytes: 1024 * 1024, depth: 64, members: 5_000, problems: 100 },
  /** A file of another client that a person imports from, which may hold much besides servers. */
  import: { bytes: 4 * 1024 * 1024, depth: 64, members: 500_000 },
  /** One message of a server. */
  message: { bytes: 100 * 1024 ** 2, members: 500_000, depth: 512 } satisfies MessageLimits,
  /** Messages in one array (2025-03-26); of those beyond it, answers are still taken. */
  batch: { entries: 2_000 },
  /** An id a server chooses, in characters. */
  id: { characters: 1_024 },
  /** The log of one server: lines a second, characters of a line. */
  log: { lines: 500, characters: 8_192 },
  /** Messages shown while they are traced: so many a second, characters of each, and of a text in it. */
  trace: { messages: 200, characters: 20_000, text: 4_000 },
  /** Characters of what a server says of its progress, and of an error. */
  text: { progress: 1_000, error: 10_000 },
  /** One answer of a server that signs people in, its metadata included. */
  signInAnswer: { bytes: 1024 ** 2, members: 20_000, depth: 64 } satisfies MessageLimits,
  /** One list of a server, such as its tools. */
  list: { pages: 1_000, items: 200_000, problems: 100 },
  /** Started servers that are on record; see `processLedger`. */
  ledger: { entries: 1_000 },
} as const;
