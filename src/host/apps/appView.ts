import { previewJson, printPreview } from '../../base/jsonPreview.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { codeLine, noReach, reachInWords } from '../../client/apps/appReach.ts';
import type { MuteKind, Mutes } from '../../client/mutes.ts';
import type { AppCallView, AppState, AppTarget, AppView } from '../../shared/appMessages.ts';
import type { WholePastCall } from '../calls/callRecord.ts';
import { toolResultToMarkdown } from '../results/contentMarkdown.ts';
import type { AppQuestion } from './appLoader.ts';
import type { AppRun, LoadedApp, ShownCall } from './appRun.ts';

export type Stage =
  | { readonly kind: 'idle'; readonly shown: AppState }
  | { readonly kind: 'loading' }
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
      return { kind: 'asking', isChanged: stage.question.isChanged, isCode: stage.question.isCode, id: stage.id };
    case 'running':
      return { kind: 'shown' };
  }
}

const loadedCode = 'You are not asked again when code that it loads from elsewhere changes.';

interface TabFacts extends Pick<
  AppView,
  'notices' | 'blocked' | 'muted' | 'isKeptFromCode' | 'logged' | 'isFilling' | 'isWide'
> {
  readonly stage: Stage;
  readonly app: LoadedApp | undefined;
  readonly shownCall: TabCall;
}

export function toAppView({ server, tool }: AppTarget, facts: TabFacts): AppView {
  const { stage, app, shownCall, notices, ...shown } = facts;
  const asked = stage.kind === 'asking' ? stage.question : undefined;
  const reach = reachInWords(asked?.reach ?? app?.reach ?? noReach);
  const loadsCode = asked?.isCode === true && reach.places.length > 0;
  return {
    server,
    tool,
    title: asked?.title ?? app?.title ?? tool,
    state: stateOf(stage, server),
    reach: asked?.isCode === true ? { places: [], permissions: [codeLine] } : reach,
    notices: [...(asked?.refused ?? app?.notices ?? []), ...(loadsCode ? [loadedCode] : []), ...notices],
    isInvented: shownCall.call?.isInvented === true,
    ...shown,
    call: shownCall.view,
    question: stage.kind === 'running' ? stage.run?.questions.current : undefined,
    hasBorder: app?.resource.metadata.prefersBorder === true,
  };
}

const mutedLines: Readonly<Record<MuteKind, string>> = {
  calls: 'Tool calls',
  questions: 'Questions to you and requests for a model',
};

/** What of a server's apps is refused without a question. */
export function mutedOf(server: string, mutes: Pick<Mutes, 'muted'>): readonly string[] {
  return mutes.muted.filter((muted) => muted.server === server).map(({ what }) => mutedLines[what]);
}

/** Characters of a call above its app; the tab of the tool has all of it. */
const shownCharacters = 20_000;

export function viewed(call: ShownCall | undefined): TabCall {
  if (call === undefined) return {};
  const { args, end } = call;
  const result = end?.kind === 'result' ? toolResultToMarkdown(end.result) : end?.reason;
  const view = {
    args: truncateWithCount(printPreview(previewJson(args).json, 0), shownCharacters),
    result: result && truncateWithCount(result, shownCharacters),
  };
  return { call, view };
}

/** A call of the history. @returns `undefined` where its arguments were not kept */
export function toShownCall({ identity, args, answer, omitted }: WholePastCall): ShownCall | undefined {
  if (args === undefined) return undefined;
  if (answer?.kind === 'result') return { identity, args, end: answer };
  const reason = answer?.error.message ?? omitted[0] ?? 'The call was cancelled.';
  return { identity, args, end: { kind: 'cancelled', reason } };
}
