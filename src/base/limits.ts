/** What one message, or one body that holds JSON, may have at most. */
export interface MessageLimits {
  readonly bytes: number;
  /** Entries of lists and members of objects, as `JsonScan` counts them. */
  readonly members: number;
  /** Levels of lists and objects inside each other. */
  readonly depth: number;
  /** Levels that are kept of a message, see `cutDeepJson`; absent: all. */
  readonly keptDepth?: number;
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
  /**
   * Files that trust covers: those looked for of one command line, and bytes of one that is read. From `rememberedBytes` on
   * a digest is kept for `rememberedFiles` files.
   */
  trust: { files: 200, digestBytes: 1024 ** 3, rememberedBytes: 256 * 1024, rememberedFiles: 100 },
  /** What a trust question shows in its dialog, which has no scrollbar; the rest is in a document. */
  trustQuestion: { lines: 28, columns: 46, lineLength: 180, changes: 6, warnings: 10 },
  /** One message of a server. */
  message: { bytes: 100 * 1024 ** 2, members: 500_000, depth: 10_000, keptDepth: 512 } satisfies MessageLimits,
  /** Messages in one array (2025-03-26); of those beyond it, answers are still taken. */
  batch: { entries: 1_000 },
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
  /** One list of a server, such as its tools; `characters` as JSON. A server has five, so that it has five times that. */
  list: { pages: 1_000, items: 200_000, characters: 32_000_000, problems: 100 },
  /**
   * One entry of a list, in characters. What identifies it is never cut: the entry is left out instead. `schema` is one of its
   * schemas as JSON, `icon` the address of one, which may hold the picture itself, `rest` all that is not named here.
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
   * What is remembered of servers between windows: of each list so many entries, texts cut, long names and URIs left out;
   * `server` and `all` are characters as JSON. `key` is the name under which something used lately is known.
   */
  remembered: { entries: 200, name: 500, uri: 2_000, text: 300, server: 200_000, all: 500_000, key: 2_000 },
  /** Characters of one text in a record of the audit log. */
  audit: { text: 4_000 },
  /** Questions of one server in a row that a person refuses before it is muted. */
  questions: { refusals: 3 },
  /** What a server says of itself, in characters. */
  server: { name: 1_000, instructions: 100_000 },
  /** Started servers that are on record; see `processLedger`. */
  ledger: { entries: 1_000 },
  /** What is shown at once; the rest opens as a file. */
  shown: {
    /** One JSON value. `text` is the most characters of one text in it. */
    json: { depth: 64, members: 10_000, characters: 500_000, text: 100_000 },
    /** One result in its panel. */
    result: { characters: 500_000, blocks: 500, members: 10_000, mediaBytes: 20_000_000 },
    /** One request for a model in the consent panel, which can only be approved whole. */
    review: { characters: 2_000_000, blocks: 1_000, members: 50_000, tools: 500 },
    /** Rows of one branch of the tree, or of one list to choose from. */
    rows: 20_000,
    /** Values of one argument to choose from. */
    choices: 1_000,
    /** Values in the arguments that a tool's schema suggests. */
    suggested: 500,
    /** Contents of one resource. */
    contents: 1_000,
    /** Characters of a result opened in an editor or copied as Markdown. */
    document: 5_000_000,
    /** Markdown that is drawn as such; longer text, or more elements, is shown as it is. */
    markdown: { characters: 100_000, tokens: 20_000 },
    /** One description or message in a tooltip, and in a document about it. */
    tooltip: 1_500,
    text: 100_000,
  },
  /** The question before a sign-in: characters of the rights that are shown, the others are counted. */
  signIn: { shownRights: 1_000 },
  /**
   * Icons that are fetched from a server: bytes and pixels of each side, how many of one server, and milliseconds. Rows of the
   * tree take `rowCharacters` of Base64 each, since all rows of a list go to the window at once; tooltips take all.
   */
  icon: {
    bytes: 64 * 1024,
    side: 1_024,
    ofServer: 50,
    atOnce: 4,
    redirects: 3,
    milliseconds: 10_000,
    rowCharacters: 16_000,
  },
  /** A schema of a server that values are checked against. */
  schema: { members: 20_000, characters: 1_000_000, depth: 200 },
  /** A value that is sent to the process that checks. */
  checkedValue: { members: 100_000, characters: 4_000_000, depth: 500 },
  /** One check. `steps` bound a check in this process, `milliseconds` and `megabytes` one in the process that checks. */
  check: { steps: 100_000, milliseconds: 1_000, megabytes: 128, problems: 50, problemCharacters: 300 },
  /** One definition that is used: a longer one is refused, one whose text is not kept is known by its digest alone. */
  definition: { characters: 4_000_000, keptCharacters: 64_000 },
  /** What is kept of used definitions, for each server. `versions` is how many of one definition a person may have agreed to. */
  pins: { definitions: 10_000, keptCharacters: 4_000_000, versions: 20 },
  /**
   * What is said of a change: `compared` characters at most; for each member of a definition so many steps, so deep, so many
   * changes; `excerpt` characters of each side.
   */
  difference: { compared: 256_000, steps: 10_000, depth: 40, changes: 10, excerpt: 300 },
  /** Names of one list, and lists, remembered to tell what is new. In a longer list nothing is marked. */
  seen: { items: 20_000, lists: 200 },
} as const;

/** What a person can set for one server, where it needs more, or less; see `limits`. */
export interface ServerLimits {
  readonly messageBytes: number;
  readonly members: number;
  readonly depth: number;
  /** Characters of one list as JSON. */
  readonly listCharacters: number;
  readonly items: number;
}

export interface ListLimits {
  readonly pages: number;
  readonly items: number;
  readonly characters: number;
  readonly problems: number;
}

export function messageLimits(overrides: Partial<ServerLimits> = {}): MessageLimits {
  const { bytes, members, depth } = limits.message;
  const keptDepth = overrides.depth ?? limits.message.keptDepth;
  const maximumDepth = Math.max(depth, keptDepth);
  return {
    bytes: overrides.messageBytes ?? bytes,
    members: overrides.members ?? members,
    depth: maximumDepth,
    keptDepth,
  };
}

export function listLimits(overrides: Partial<ServerLimits> = {}): ListLimits {
  const { items, characters } = limits.list;
  return { ...limits.list, items: overrides.items ?? items, characters: overrides.listCharacters ?? characters };
}
