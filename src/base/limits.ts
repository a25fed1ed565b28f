export interface MessageLimits {
  readonly bytes: number;
  /** Entries of arrays and members of objects, as `JsonScanner` counts them. */
  readonly members: number;
  /** Levels of nested arrays and objects. */
  readonly depth: number;
  /** Levels that are kept of a message, see `truncateDepth`; absent: all. */
  readonly keptDepth?: number;
}

/**
 * The maximum sizes of all input from outside, one group for each boundary. All numbers are maximums. Input beyond them is
 * refused or truncated at the boundary, with a message that names the limit. The README lists those that can be set.
 */
export const limits = {
  /**
   * A configuration file, an env file, or a setting; `problems`: reported for one file; `words`: arguments in one text, which is
   * one member; `matching`: files of one name with a `*`.
   */
  configuration: { bytes: 1024 * 1024, depth: 64, members: 5_000, problems: 100, words: 1_000, matching: 10 },
  /** A file of the workspace that is about more than servers: it is read at each start. */
  aboutMore: { bytes: 1024 * 1024, depth: 64, members: 20_000 },
  /** A file of another client to import from, which may contain much more than servers. */
  import: { bytes: 4 * 1024 * 1024, depth: 64, members: 500_000 },
  /** What is read of it: characters of TOML and YAML, also of all files of a pattern; servers of a section, characters of an input, defaults in defaults. */
  imported: { characters: 128 * 1024, servers: 200, input: 4_000, defaults: 10 },
  /**
   * Files that trust covers: the number for one launch; to find them, the names that are looked up, the folders that are
   * listed, and the names read of one folder; the bytes of one file that is hashed. Digests of files larger than `rememberedBytes` are cached, for
   * `rememberedFiles` files.
   */
  trust: {
    files: 200,
    lookups: 300_000,
    folders: 500,
    entries: 10_000,
    digestBytes: 1024 ** 3,
    rememberedBytes: 256 * 1024,
    rememberedFiles: 100,
  },
  /** Content of the trust dialog, which has no scrollbar; the rest is shown in a document. */
  trustQuestion: { lines: 28, columns: 46, lineLength: 180, changes: 6, warnings: 10, inputArguments: 6 },
  /** One message from a server. */
  message: { bytes: 100 * 1024 ** 2, members: 500_000, depth: 10_000, keptDepth: 512 } satisfies MessageLimits,
  /** Messages in one batch (2025-03-26, Basic / Overview / Batching); responses beyond it are still processed. */
  batch: { entries: 1_000 },
  /** Requests to one remote server at once, each of which occupies a connection; the others wait. */
  remote: { connections: 256 },
  /** An id a server chooses, in characters. */
  id: { characters: 1_024 },
  /** The log of one server: lines per second, characters of a line. */
  log: { lines: 500, characters: 8_192 },
  /** Messages in a trace as text: number per second, characters of each. */
  trace: { messages: 200, characters: 20_000 },
  /** The traffic that a window keeps: see `client/trace/trafficLog`. Bytes are estimated from the parsed values. */
  traffic: { bytes: 64 * 1024 ** 2, rows: 200_000, message: 8 * 1024 ** 2, large: 64 * 1024 },
  /** Characters of a progress message, and of an error message, from a server. */
  text: { progress: 1_000, error: 10_000 },
  /** One answer of an authorization server, including its metadata. */
  signInAnswer: { bytes: 1024 ** 2, members: 20_000, depth: 64 } satisfies MessageLimits,
  /** One list of a server, such as its tools; `characters` as JSON. A server has five lists. */
  list: { pages: 1_000, items: 200_000, characters: 32_000_000, problems: 100 },
  /**
   * One entry of a list, in characters. Identifiers are never truncated: an entry with a longer one is omitted. `schema`: one
   * schema as JSON; `icon`: its address, which may be a data URL; `rest`: all other members together.
   */
  item: {
    rest: 1_000_000,
    name: 1_024,
    uri: 8_192,
    title: 1_000,
    description: 20_000,
    schema: 1_000_000,
    icons: 20,
    icon: 1_000_000,
    arguments: 100,
  },
  /**
   * What is stored about servers between sessions: `entries` of each list, with truncated texts; entries with longer names or
   * URIs are omitted. `server` and `all`: characters as JSON. `key`: the key of a recently used item.
   */
  remembered: { entries: 200, name: 500, uri: 2_000, text: 300, server: 200_000, all: 500_000, key: 2_000 },
  /**
   * The audit log. Characters of one text in a record, and of `request` and `answer` (`body`); members of a record's detail.
   * `fileBytes`: of each of its two files. `waiting…`: what waits for a disk that cannot be written to. `shown`: records in the view.
   */
  audit: {
    text: 4_000,
    body: 20_000,
    members: 64,
    fileBytes: 5_000_000,
    waitingRecords: 10_000,
    waitingCharacters: 5_000_000,
    shown: 50_000,
  },
  /** Consecutive requests of one server that a person refuses before it is muted. */
  questions: { refusals: 3 },
  /** Name and instructions of a server, in characters. */
  server: { name: 1_000, instructions: 100_000 },
  /** Recorded server processes; see `processLedger`. */
  ledger: { entries: 1_000, bytes: 64 * 1024 },
  /** What is displayed at once; the rest can be opened as a file. */
  shown: {
    /** One JSON value. `text`: characters of one string in it. */
    json: { depth: 64, members: 10_000, characters: 500_000, text: 100_000 },
    /** One result in its panel. */
    result: { characters: 500_000, blocks: 500, members: 10_000, mediaBytes: 20_000_000 },
    /** One sampling request in the consent panel, which can only be approved as a whole. */
    review: { characters: 2_000_000, blocks: 1_000, members: 50_000, tools: 500 },
    /** Rows of one branch of the tree, or of one quick pick. */
    rows: 20_000,
    /** Completion values of one argument. */
    choices: 1_000,
    /** Contents of one resource. */
    contents: 1_000,
    /** Characters of a result opened in an editor or copied as Markdown. */
    document: 5_000_000,
    /** Markdown that is rendered; longer text, or more tokens, is shown as plain text. */
    markdown: { characters: 100_000, tokens: 20_000 },
    /** One description or message in a tooltip, and in a document about it. */
    tooltip: 1_500,
    /** Arguments of a call, in a question about it. */
    arguments: 460,
    text: 100_000,
  },
  /** The sign-in dialog: characters of the scopes that are listed; the others are counted. */
  signIn: { shownRights: 1_000 },
  /**
   * Icons that are fetched: bytes, pixels of each side, number for one server, concurrent requests, redirects, milliseconds. In
   * the tree an icon has at most `rowCharacters` of Base64, since VS Code sends all rows at once; tooltips have no such limit.
   */
  icon: {
    bytes: 64 * 1024,
    side: 1_024,
    perServer: 50,
    concurrentRequests: 4,
    redirects: 3,
    milliseconds: 10_000,
    rowCharacters: 16_000,
  },
  /** A schema of a server that values are checked against. */
  schema: { members: 20_000, characters: 1_000_000, depth: 200 },
  /** A value that is sent to the checker process. */
  checkedValue: { members: 100_000, characters: 4_000_000, depth: 500 },
  /** One validation. `steps` is for this process, `milliseconds` and `megabytes` for the checker process. */
  check: { steps: 100_000, milliseconds: 1_000, megabytes: 128, problems: 50, problemCharacters: 300 },
  /** One definition that is pinned: a longer one is refused; above `keptCharacters` only its digest is stored. */
  definition: { characters: 4_000_000, keptCharacters: 64_000 },
  /** Pinned definitions of one server. `versions`: accepted versions of one definition. */
  pins: { definitions: 10_000, keptCharacters: 4_000_000, versions: 20 },
  /**
   * The description of a changed definition: `compared` characters; `steps`, `depth` and `changes` for each member of the
   * definition; `excerpt` characters of the old and the new text.
   */
  difference: { compared: 256_000, steps: 10_000, depth: 40, changes: 10, excerpt: 300 },
  /** A recorded session: of the file, lines, and members of all of its messages. */
  session: { bytes: 128 * 1024 ** 2, entries: 250_000, members: 5_000_000 },
  /** Names of one list, and lists, that are stored to mark new entries. In a longer list nothing is marked. */
  seen: { items: 20_000, lists: 200 },
} as const;

/** Limits that the settings can change for one server; see {@link limits}. */
export interface ServerLimits {
  readonly messageBytes: number;
  readonly members: number;
}

/** @returns the limits of one message of a server, with the `overrides` of its settings */
export function messageLimits(overrides: Partial<ServerLimits> = {}): MessageLimits {
  const { messageBytes = limits.message.bytes, members = limits.message.members } = overrides;
  return { ...limits.message, bytes: messageBytes, members };
}
