import type { JsonPreview } from '../base/jsonPreview.ts';
import { createMessageReader, type MessageOf, oneOf, text, truth, wholeNumber } from './messageReader.ts';

/** A row of the list. Its texts are short, readable, and without secrets. */
export interface TrafficRowView {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly server: string;
  readonly direction: 'sent' | 'received';
  readonly isOfApp: boolean;
  /** The method, or what else it is. */
  readonly method: string;
  readonly subject: string;
  readonly status: string;
  readonly tone: 'good' | 'bad' | 'open' | 'quiet';
  readonly durationMs?: number | undefined;
  /** Characters of JSON; absent for what is no message. */
  readonly size?: number | undefined;
}

export const trafficActions = {
  again: 'Send Again',
  edit: 'Edit and Send',
  tool: 'Show Tool',
  call: 'Show Call',
  log: 'Show Log at This Moment',
  copyRequest: 'Copy Request',
  copyAnswer: 'Copy Answer',
} as const;

export type TrafficAction = keyof typeof trafficActions;

export interface TrafficDetail {
  readonly row: TrafficRowView;
  /** When the answer came; absent without one. */
  readonly endedAt?: number | undefined;
  /** The text of a note, or why there is no answer. */
  readonly text?: string | undefined;
  readonly request?: JsonPreview | undefined;
  readonly answer?: JsonPreview | undefined;
  readonly notices: readonly string[];
  readonly actions: readonly TrafficAction[];
}

export type TrafficToPanel =
  | {
      readonly type: 'state';
      /** Rows that were sent with another one are out of date. */
      readonly version: number;
      /** Rows that match, and all that are kept. */
      readonly count: number;
      readonly total: number;
      /** Rows at the beginning that are gone since the filter was set. */
      readonly removed: number;
      /** Older rows are no longer kept. */
      readonly isCut: boolean;
      /** The selected row, and where it is in the list; -1 for nowhere. */
      readonly selected?: { readonly id: number; readonly index: number } | undefined;
      readonly isSearching: boolean;
      /** The tab was open before the window was reloaded: what it had then is gone. */
      readonly isRestored: boolean;
    }
  | {
      readonly type: 'rows';
      readonly version: number;
      readonly from: number;
      /** `null` for one that is no longer kept. */
      readonly rows: readonly (TrafficRowView | null)[];
    }
  | { readonly type: 'detail'; readonly detail: TrafficDetail }
  /** Replaces the filter of the page, which sends it back. @param select the id of a row to go to */
  | {
      readonly type: 'filter';
      readonly filter: string;
      readonly select?: number | undefined;
    };

const id = wholeNumber(1);

/** Checks a message of the page. */
export const readTrafficMessage = createMessageReader({
  ready: {},
  view: { filter: text, showsPings: truth, sort: oneOf('time', 'slowest'), isPaused: truth },
  rows: { from: wholeNumber(), to: wholeNumber() },
  select: { id },
  act: { id, action: oneOf('again', 'edit', 'tool', 'call', 'log', 'copyRequest', 'copyAnswer') },
  copy: { text },
  clear: {},
  export: { format: oneOf('jsonl', 'har') },
});

export type TrafficFromPanel = MessageOf<typeof readTrafficMessage>;
