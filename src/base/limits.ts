/**
 * How much of what comes from outside is accepted, each group for one boundary. What goes beyond is refused or cut there,
 * with words that name the limit. The tables in the README and in src/README.md list the same numbers.
 */
export const limits = {
  /** A configuration file, an env file, or a setting; `problems` are those reported of one file. */
  configuration: { bytes: 1024 * 1024, depth: 64, members: 5_000, problems: 100 },
  /** A file of another client that a person imports from, which may hold much besides servers. */
  import: { bytes: 4 * 1024 * 1024, depth: 64, members: 500_000 },
  /** One list of a server, such as its tools. */
  list: { pages: 1_000, items: 200_000, problems: 100 },
} as const;
