import { isRecord, type JsonObject, type UnknownRecord } from '../base/json.ts';
import type { LinePart } from '../base/lineDifference.ts';
import type { SchemaProblem } from '../base/schemaCheck.ts';
import { type Sent, sentOf } from './exactMessages.ts';
import {
  createMessageReader,
  type MessageOf,
  number,
  objectOf,
  oneOf,
  type Read,
  text,
  truth,
  valuePath,
  wholeNumber,
} from './messageReader.ts';
import { resultMessages, type ResultView, type TextStyle } from './resultMessages.ts';
import type { ShownPlace } from './stackPlaces.ts';

/** A tool as its page shows it. All texts but the notices are the server's. */
export interface ToolView {
  readonly server: string;
  readonly name: string;
  readonly title: string;
  readonly description: string | undefined;
  /** What the server claims of the tool. */
  readonly claims: readonly ToolClaim[];
  /** A sentence on tasks, where the tool supports or needs them. */
  readonly taskSupport: string | undefined;
  /** A sentence on its app, or on that it is for apps only. */
  readonly app?: string | undefined;
  /** What other hosts would do with the tool; absent where nothing was found. */
  readonly findings?: readonly ToolFinding[] | undefined;
  readonly schema: UnknownRecord;
  /** Sentences of Patchbay, for instance that the tool is shown as it was last seen. */
  readonly notices: readonly string[];
  /**
   * The call can start the server; `label` is on the button if it does not run: "Start and Call". `replaced`: another server has
   * the label now, and the page shows nothing but that.
   */
  readonly state: 'running' | 'starting' | 'stopped' | 'missing' | 'replaced';
  /** Another number for another definition: a call says which one it was made with. */
  readonly revision: number;
}

/** Something about a tool that matters to other hosts. All texts are Patchbay's, names in them are fit to be shown. */
export interface ToolFinding {
  /** A host refuses or drops the tool. */
  readonly isRefused: boolean;
  readonly text: string;
  readonly sources: readonly { readonly title: string; readonly url: string }[];
}

/** One annotation of a tool, in words. `icon` is the name of a codicon. */
export interface ToolClaim {
  readonly icon: string;
  readonly label: string;
  readonly detail: string;
}

/** The call that the page is about now. */
export type CallView =
  /**
   * `note`: what became of the last press of *Call*, where there is no outcome. `isInvalid`: the schema objects to the arguments, and the
   * first that is wrong gets the focus.
   */
  | { readonly kind: 'idle'; readonly note?: string; readonly isInvalid?: boolean }
  /** Until the call is sent: the server starts, or a question is open. `isAsked`: about its definition, which has changed. */
  | { readonly kind: 'waiting'; readonly isAsked?: true }
  /** Until *Call* is pressed once more, which sends `confirm` with this `id`. */
  | { readonly kind: 'confirm'; readonly id: number; readonly reason: ConfirmReason; readonly canRemember: boolean }
  | {
      readonly kind: 'running';
      /** The server's words, and percent if it gave a total. */
      readonly progress?: { readonly message: string; readonly percent?: number };
    };

export const invalidArguments = 'The tool was not called. Correct the arguments first.';

/** `destructive`: the server says so of the tool. `changed`: it has changed the tool since *Call* was pressed. */
export type ConfirmReason = 'destructive' | 'changed';

export type OutcomeView = OutcomeBase &
  (
    | { readonly kind: 'result'; readonly result: ResultView }
    /** The server answered with an error of the protocol, or there was none. `detail` is JSON or more text, to be folded. */
    | {
        readonly kind: 'error';
        readonly title: string;
        readonly message: string;
        readonly detail?: string;
        readonly places?: readonly ShownPlace[];
      }
    | { readonly kind: 'cancelled' }
    | { readonly kind: 'declined'; readonly message: string }
    /** A call of the history whose answer is not there. */
    | { readonly kind: 'notKept'; readonly message: string }
  );

/** What came before a restart, and what came now, where they differ. */
export type EarlierOutcome =
  | { readonly isSame: true }
  | { readonly isSame: false; readonly then: ComparedSide; readonly now: ComparedSide };

export interface ComparedSide {
  readonly parts: readonly LinePart[];
  readonly isError: boolean;
}

interface OutcomeBase {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** From the request to the answer; absent if nothing was sent. */
  readonly durationMs?: number;
  /** Shown again from the history. */
  readonly isPast?: boolean;
  /** It is there because the tab was opened, not because the person has chosen it. */
  readonly isRestored?: boolean;
  /** It was called again after a restart. */
  readonly before?: EarlierOutcome;
  /** Its messages can be shown, or why they are not there. */
  readonly hasExchange?: boolean;
}

/** How a call has ended, in a sentence. */
export function outcomeSentence(outcome: OutcomeView): string {
  switch (outcome.kind) {
    case 'result': {
      const { body } = outcome.result;
      return body.kind === 'toolResult' && body.isError ? 'The tool reported an error.' : 'Result received.';
    }
    case 'error':
      return `${outcome.title}.`;
    case 'cancelled':
      return 'The call was cancelled.';
    case 'declined':
      return 'The tool was not called.';
    case 'notKept':
      return outcome.message;
  }
}

/** How a call in the history ended, in one word. */
export type CallOutcome = 'done' | 'toolError' | 'error' | 'cancelled' | 'declined';

export const outcomeWords: Readonly<Record<CallOutcome, string>> = {
  done: 'done',
  toolError: 'the tool reported an error',
  error: 'failed',
  cancelled: 'cancelled',
  declined: 'not allowed',
};

/** An argument of a call in a short line. */
export interface ArgumentWords {
  readonly text: string;
  /** It is not as in the calls of the tool before and after this one. */
  readonly differs: boolean;
}

export interface PastCallRow {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly durationMs?: number;
  readonly outcome: CallOutcome;
  /** The arguments in the order of the call, cut; or why there are none. */
  readonly words: readonly ArgumentWords[];
}

export interface HistoryView {
  readonly entries: readonly PastCallRow[];
  /** Older ones that are not listed. */
  readonly more: number;
  /** False if the person has switched the history off. */
  readonly isKept: boolean;
}

export interface SavedCallView {
  readonly name: string;
  readonly description: string | undefined;
}

export type ToolToPanel =
  | { readonly type: 'tool'; readonly view: ToolView }
  /** The document has changed, and not by this page. `problem` says why its text is no object, in place of `args`. */
  | { readonly type: 'arguments'; readonly args: Sent<JsonObject> }
  | { readonly type: 'broken'; readonly problem: string }
  /** What the schema objects to in the arguments last sent or received; `note` if they were not checked. */
  | { readonly type: 'problems'; readonly problems: readonly SchemaProblem[]; readonly note?: string }
  | { readonly type: 'call'; readonly call: CallView }
  /** `undefined` clears the result. Without a `textStyle`, texts are drawn by their type. */
  | {
      readonly type: 'outcome';
      readonly outcome: OutcomeView | undefined;
      readonly textStyle?: TextStyle | undefined;
    }
  /** The arguments of the outcome in one line, where the form has others now. */
  | { readonly type: 'outcomeOf'; readonly summary: string | undefined }
  /** Whether the last call is made again after a restart on save; not offered for a server whose code is not in the workspace. */
  | { readonly type: 'callsAgain'; readonly isOffered: boolean; readonly isOn: boolean }
  | { readonly type: 'history'; readonly history: HistoryView }
  | { readonly type: 'saved'; readonly calls: readonly SavedCallView[] }
  /** Moves the focus to the first field: the person has opened the tool. */
  | { readonly type: 'focus' }
  /** The tab is hidden, and its page may go: it says `left` if it holds nothing that the extension does not have. */
  | { readonly type: 'leave' }
  /** All is shown again after the page had gone. */
  | { readonly type: 'return'; readonly place: PagePlace };

const pagePlace = { top: number, control: text };

/** Where a person is in a page: how far it is scrolled, in pixels, and the id of the control with the focus, or nothing. */
export type PagePlace = { readonly [Part in keyof typeof pagePlace]: Read<(typeof pagePlace)[Part]> };

export const historyAction = oneOf('show', 'edit', 'again', 'compare', 'exchange', 'copyAs', 'save', 'forget');

/** What can be done with a call of the history. */
export type HistoryAction = Read<typeof historyAction>;

const fillSource = oneOf('selection', 'clipboard', 'file', 'path', 'resource', 'recent');

/** Where the text of a field can come from. */
export type FillSource = Read<typeof fillSource>;

const argumentsObject = sentOf((value): value is JsonObject => isRecord(value));

/** Checks a message from the page of a tool. @returns `undefined` for an invalid message, which callers ignore */
export const readToolMessage = createMessageReader({
  ...resultMessages,
  edit: { args: argumentsObject },
  /** Calls with what the page shows: nothing is called where that is no longer what the extension has. */
  call: { args: argumentsObject, revision: wholeNumber() },
  /** The second press. `remember`: no further one for this tool. */
  confirm: { id: wholeNumber(), remember: truth },
  callsAgain: { isOn: truth },
  cancel: {},
  /** Shows the question that a call waits for. */
  showNotifications: {},
  startServer: {},
  /** Opens a source of a finding that is shown. */
  openSource: { url: text },
  openJson: {},
  /** Opens the tab of this tool for the server that has the label now. */
  openTool: {},
  /** Fills the value at `path`; the extension answers with `arguments`. */
  fill: { path: valuePath, source: fillSource },
  fillDefaults: {},
  /** Fills the form with the arguments of the last call. */
  fillLast: {},
  saveCall: {},
  /** Copies the call with the arguments last sent, in a form that the person chooses. */
  copyAs: {},
  /** Fills the form with a saved call. */
  openSaved: { name: text },
  history: { id: text, action: historyAction },
  /** Forgets the calls of this tool. */
  forgetHistory: {},
  /** Shows the calls of all tools. */
  allCalls: {},
  /** The page holds these arguments, and nothing else that the extension does not have. */
  left: { place: objectOf(pagePlace), args: argumentsObject },
});

export type ToolFromPanel = MessageOf<typeof readToolMessage>;
