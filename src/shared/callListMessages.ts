import { createMessageReader, type MessageOf, text } from './messageReader.ts';
import { historyAction, type PastCallRow } from './toolMessages.ts';

/** A call in the list of all calls of the workspace. */
export interface ListedCall extends PastCallRow {
  readonly server: string;
  readonly tool: string;
  /** What has become of the server: another one, or none, has the label now. */
  readonly since: 'same' | 'changed' | 'removed';
}

/** All calls that are kept, the newest first; `isKept` is false if the person has switched the history off. */
export interface CallListToPanel {
  readonly type: 'calls';
  readonly calls: readonly ListedCall[];
  readonly isKept: boolean;
}

/** Checks a message from the list of calls. @returns `undefined` for an invalid message, which callers ignore */
export const readCallListMessage = createMessageReader({
  ready: {},
  history: { id: text, action: historyAction },
  /** Forgets all calls, after a question. */
  forgetAll: {},
  openSetting: {},
});

export type CallListFromPanel = MessageOf<typeof readCallListMessage>;
