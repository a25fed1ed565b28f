/** A folder that the server may work in, as a `file` URI (2025-11-25, Client Features / Roots, "Root"). */
export interface Root {
  readonly uri: string;
  readonly name?: string;
}

export interface ListRootsResult {
  readonly roots: readonly Root[];
}
