import { canonicalJson } from '../../base/digest.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ToolView } from '../../shared/toolMessages.ts';

/** What has changed within so many milliseconds was not read. */
const readingMs = 1_000;

/** A tool that changes so often within so many milliseconds keeps changing. */
const flood = { changes: 3, ms: 10_000 };

export const toolChanged = 'The server has just changed this tool. Check it and press Call again.';

/** The server gets the name of a tool alone: no call could be bound to the definition that was shown. */
export const toolKeepsChanging =
  'The server keeps changing this tool, so it was not called. Try again when it stays the same, or stop the server.';

export const argumentsChanged = 'The arguments have changed. Check them and press Call again.';

/** Numbers the definitions that the pages of a tool show: a call says which one it was made with. */
export class ShownDefinition {
  /** See {@link ToolView.revision}. */
  revision = 0;
  #text = '';
  /** The latest changes, the last one first. */
  #changedAt: readonly number[] = [];

  /** @param now milliseconds */
  show(view: Omit<ToolView, 'revision'>, now: number): ToolView {
    const text = canonicalJson({ ...view, state: undefined, notices: undefined });
    if (text !== this.#text) {
      if (this.#text !== '') this.#changedAt = [now, ...this.#changedAt].slice(0, flood.changes);
      this.#text = text;
      this.revision += 1;
    }
    return { ...view, revision: this.revision };
  }

  /** What to say where the tool has changed since the person saw it. @param now milliseconds */
  changeNote(now: number): string {
    const before = this.#changedAt[flood.changes - 1] ?? -Infinity;
    return now - before < flood.ms ? toolKeepsChanging : toolChanged;
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
    const [changedAt = -Infinity] = this.#changedAt;
    if (called.revision !== this.revision || now - changedAt < readingMs) return this.changeNote(now);
    return canonicalJson(called.args) === canonicalJson(args) ? undefined : argumentsChanged;
  }
}
