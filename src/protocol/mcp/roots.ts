/** A folder the server may work in. `uri` always has the scheme `file` (roots, "Root"). */
export interface Root {
  readonly uri: string;
  readonly name?: string;
}

/** The answer to `roots/list`. */
export interface ListRootsResult {
  readonly roots: readonly Root[];
}
