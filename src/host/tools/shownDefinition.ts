import { canonicalJson } from '../../base/digest.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ToolView } from '../../shared/toolMessages.ts';

/** What has changed within so many milliseconds was not read. */
const readingMs = 1_000;

export const toolChanged = 'The server has just changed this tool. Check it and press Call again.';

export const argumentsChanged = 'The arguments have changed. Check them and press Call again.';

/** Numbers the definitions that the pages of a tool show: a call says which one it was made with. */
export class ShownDefinition {
  /** See {@link ToolView.revision}. */
  revision = 0;
  #text = '';
  #changedAt = -Infinity;

  /** @param now milliseconds */
  show(view: Omit<ToolView, 'revision'>, now: number): ToolView {
    const text = canonicalJson({ ...view, state: undefined, notices: undefined });
    if (text !== this.#text) {
      if (this.#text !== '') this.#changedAt = now;
      this.#text = text;
      this.revision += 1;
    }
    return { ...view, revision: this.revision };
  }

  /**
   * @param called what a page showed when the person called
   * @returns why the person has not seen what would be sent, as a note for them; `undefined` if they have
   */
  whyUnseen(
    called: { readonly args: JsonObject; readonly revision: number },
    args: JsonObject | undefined,
    now: number,
  ): string | undefined {
    if (called.revision !== this.revision || now - this.#changedAt < readingMs) return toolChanged;
    return canonicalJson(called.args) === canonicalJson(args) ? undefined : argumentsChanged;
  }
}
