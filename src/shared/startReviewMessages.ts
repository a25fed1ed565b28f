import { createMessageReader, indexes, type MessageOf, wholeNumber } from './messageReader.ts';

/** One server that needs a yes. All texts have hidden characters written out, and are whole. */
export interface StartRow {
  readonly label: string;
  /** What it runs as it would be typed, or where it connects. */
  readonly line: string;
  readonly origin: string;
  /** One sentence each. A server with any is not chosen at first. */
  readonly warnings: readonly string[];
  readonly details: readonly StartSection[];
  /** Why it is not chosen at first, and what to do, in place of a yes that this page could take or beside it. */
  readonly note: string | undefined;
  /** It can be chosen here. */
  readonly canStart: boolean;
  readonly isChosen: boolean;
}

export interface StartSection {
  readonly title: string;
  readonly lines: readonly string[];
}

/** `turn` counts what was shown: an answer is for one turn alone. */
export interface StartReviewToPanel {
  readonly type: 'show';
  readonly turn: number;
  readonly rows: readonly StartRow[];
}

/** Checks a message from the page. @returns `undefined` for one that is not valid in all parts: nothing starts then */
export const readStartReviewMessage = createMessageReader({
  ready: {},
  /** The indexes of the chosen rows. */
  start: { turn: wholeNumber(), chosen: indexes },
  cancel: {},
});

export type StartReviewFromPanel = MessageOf<typeof readStartReviewMessage>;
