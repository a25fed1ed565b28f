/** One line or paragraph of a tooltip or of the details document. `text` may come from the server: plain text, unbounded. */
export interface Fact {
  readonly name?: string;
  readonly text: string;
}
