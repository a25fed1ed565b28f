import type { AppCallView, AppState, AppTarget, AppView } from '../../shared/appMessages.ts';
import type { WholePastCall } from '../calls/callRecord.ts';
import type { AppQuestion, ReadApp } from './appLoader.ts';
import type { AppRun, ShownCall } from './appRun.ts';
import { reachLines, viewCall } from './appText.ts';

export type Stage =
  /** Nothing of the app runs. */
  | { readonly kind: 'idle'; readonly shown: AppState }
  /** It is being read. */
  | { readonly kind: 'loading' }
  /** The person is asked what it may reach. */
  | {
      readonly kind: 'asking';
      readonly id: number;
      readonly question: AppQuestion;
      readonly answer: (isAllowed: boolean) => void;
    }
  /** `run` is its document, once the page for it is there. */
  | { readonly kind: 'running'; readonly run: AppRun | undefined }
  /** The document was asked to end, and may still answer; `ended` resolves when it is gone. */
  | { readonly kind: 'ending'; readonly run: AppRun; readonly shown: AppState; readonly ended: Promise<void> };

export interface TabCall {
  readonly call?: ShownCall | undefined;
  /** That call as text, made once: a result may be long, and the page is told of every change. */
  readonly view?: AppCallView | undefined;
  /** Of that call in the history. */
  readonly id?: string | undefined;
}

/** What the page shows in a stage. @param server the label of the server of the app */
export function stateOf(stage: Stage, server: string): AppState {
  switch (stage.kind) {
    case 'idle':
    case 'ending':
      return stage.shown;
    case 'loading':
      return { kind: 'loading', text: `Reading it from ${server}…` };
    case 'asking':
      return { kind: 'asking', isChanged: stage.question.isChanged, id: stage.id };
    case 'running':
      return { kind: 'shown' };
  }
}

interface TabFacts extends Pick<AppView, 'notices' | 'blocked' | 'isFilling'> {
  readonly stage: Stage;
  /** The app that was read last. */
  readonly loaded: ReadApp | undefined;
  readonly shownCall: TabCall;
}

export function toAppView({ server, tool }: AppTarget, facts: TabFacts): AppView {
  const { stage, loaded, shownCall, notices, blocked, isFilling } = facts;
  const asked = stage.kind === 'asking' ? stage.question : undefined;
  const reach = asked?.reach ?? loaded?.app.reach;
  return {
    server,
    tool,
    title: loaded?.app.title ?? tool,
    state: stateOf(stage, server),
    reach: reach === undefined ? [] : reachLines(reach),
    notices: [...(asked?.refused ?? loaded?.notices ?? []), ...notices],
    isInvented: shownCall.call?.isInvented === true,
    blocked,
    call: shownCall.view,
    question: stage.kind === 'running' ? stage.run?.questions.current : undefined,
    hasBorder: loaded?.hasBorder === true,
    isFilling,
  };
}

export function viewed(call: ShownCall | undefined): TabCall {
  return { call, view: call && viewCall(call) };
}

/** A call of the history. @returns `undefined` where its arguments were not kept */
export function toShownCall({ identity, args, answer, omitted }: WholePastCall): ShownCall | undefined {
  if (args === undefined) return undefined;
  if (answer?.kind === 'result') return { identity, args, end: answer };
  const reason = answer?.error.message ?? omitted[0] ?? 'The call was cancelled.';
  return { identity, args, end: { kind: 'cancelled', reason } };
}
