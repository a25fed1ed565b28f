/**
 * How much of what comes from outside is accepted, each group for one boundary. What goes beyond is refused or cut there,
 * with words that name the limit. The tables in the README and in src/README.md list the same numbers.
 */
export const limits = {
  /** One list of a server, such as its tools. */
  list: { pages: 1_000, items: 200_000, problems: 100 },
} as const;
