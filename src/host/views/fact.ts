/** One line or paragraph of a tooltip or of the details document. All texts may come from the server: plain text, unbounded. */
export interface Fact {
  readonly name?: string;
  readonly text: string;
  /** Several things under one name, one line each; `text` stands before them, and may be empty. */
  readonly items?: readonly string[];
  /** For the details document only. */
  readonly isDetail?: true;
}
