import { type Tab, TabInputText, window } from 'vscode';
import { linkAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import type { OwnAnswer, OwnAnswered, SamplingHandler } from '../../client/sampling/samplingHandler.ts';
import { defaultSamplingLimits } from '../../client/sampling/samplingPolicy.ts';
import { costOf } from '../../client/sampling/samplingRecord.ts';
import type { SamplingContent, SamplingMessage } from '../../protocol/mcp/sampling.ts';
import { notificationText } from '../platform/displayText.ts';
import { showError } from '../platform/showError.ts';
import { createTextDocuments, tabName, type TextDocuments } from '../platform/textDocuments.ts';
import { blockToMarkdown, joinMarkdown } from '../results/contentMarkdown.ts';
import { type AnswerDocument, type AnswerEnd, createAnswerDocument } from './answerDocument.ts';
import { withCallProgress } from './callProgress.ts';
import { type AskModel, defaultQuestion, type ModelSubject, toModelRequest } from './modelQuestion.ts';
import { personalSetting } from '../platform/settings.ts';

/** What asking a model needs of the host. */
export interface ModelAskerOptions {
  /** The gate that servers' requests pass too. */
  readonly ask: SamplingHandler['ask'];
  readonly clock: Clock;
  /** What open apps of a server say of what they show: it goes before the subject. */
  readonly appContext: (server: string) => readonly SamplingMessage[];
}

/** Asks models for the person, and shows the answers. */
export interface ModelAsker extends Disposable {
  readonly askModel: AskModel;
}

const scheme = 'patchbay-answer';

const missingText = 'This answer was not kept. Ask the model again.\n';

/** Loaded with the first question to a model. Disposing it stops the models that are answering. */
export function createModelAsker({ ask, clock, appContext }: ModelAskerOptions): ModelAsker {
  const store = new DisposableStore();
  const documents = store.add(createTextDocuments({ scheme, missingText }));
  let asked = 0;

  async function askModel(subject: ModelSubject): Promise<void> {
    const { server, title, about } = subject;
    const question = subject.needsQuestion ? await askQuestion(title) : undefined;
    const request = toModelRequest(
      { messages: [...appContext(server), ...subject.messages] },
      question,
      maximumTokens(),
    );
    asked += 1;
    const id = String(asked);
    const progress = { title: `Asking a model about ${title}`, clock, asksFirst: true };
    await withCallProgress(progress, async (cancelled, _report, begin) => {
      const abort = linkAbort(cancelled);
      const stop = store.add(toDisposable(() => abort.abort(new CancelledError())));
      const tab = createAnswerTab({ documents, title, id, clock, onClose: () => stop.dispose() });
      const own: OwnAnswer = {
        onBegin({ name }) {
          begin();
          tab.begin(name);
        },
        onText: (piece) => tab.append(piece),
        onFailure: (message) => tab.fail(message),
      };
      try {
        const context = { server, cause: about, signal: abort.signal };
        const answered = await ask(request, context, own);
        tab.end(toEnd(answered, abort.signal.aborted));
      } finally {
        tab.dispose();
        store.delete(stop);
        abort.dispose();
      }
    });
  }

  return { askModel, dispose: () => store.dispose() };
}

/** @throws {CancelledError} if the person types none */
async function askQuestion(title: string): Promise<string> {
  const question = await window.showInputBox({
    title: `Ask a Model About ${notificationText(title, 60)}`,
    prompt: 'Before anything is sent, you see all of it.',
    value: defaultQuestion,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? 'Type a question.' : undefined),
  });
  if (question === undefined) throw new CancelledError();
  return question;
}

/** Above this number of tokens, the gate refuses any request. */
function maximumTokens(): number {
  const set = personalSetting('sampling.maxTokens');
  return typeof set === 'number' && set > 0 ? set : defaultSamplingLimits.maximumTokens;
}

function toEnd({ result, model, spent }: OwnAnswered, isStopped: boolean): AnswerEnd {
  return {
    text: joinMarkdown(result.content.filter(isShowable).map(blockToMarkdown)).trimEnd(),
    model: model?.name,
    spent: spent && { ...spent, dollars: costOf(model, spent) },
    isStopped,
    isCutOff: result.stopReason === 'maxTokens',
  };
}

/** The request offered no tools, so an answer that calls one cannot be shown. */
function isShowable(
  content: SamplingContent,
): content is Exclude<SamplingContent, { type: 'tool_use' | 'tool_result' }> {
  return content.type !== 'tool_use' && content.type !== 'tool_result';
}

interface AnswerTabOptions {
  readonly documents: TextDocuments;
  readonly title: string;
  /** Tells the document from others of the same title. */
  readonly id: string;
  readonly clock: Clock;
  /** The person closes the document while the model writes. */
  readonly onClose: () => void;
}

/** The document of one answer, in an editor that opens when the model starts. Once closed, it gets no more text. */
function createAnswerTab({ documents, title, id, clock, onClose }: AnswerTabOptions): AnswerDocument {
  const path = `Answer about ${tabName(title)}.md`;
  let isWriting = false;
  let isOpen = false;

  const document = createAnswerDocument({ clock, write: (text) => void (isOpen && documents.set(path, id, text)) });

  function open(): void {
    if (isOpen) return;
    isOpen = true;
    documents.show(documents.set(path, id, ''), { preview: false }).catch(showError);
  }

  // VS Code keeps a text document for minutes after its last tab was closed.
  const watch = window.tabGroups.onDidChangeTabs(({ closed }) => {
    if (!isOpen || !closed.some((tab) => shows(tab, id))) return;
    // A tab that moves to another group closes in the first.
    if (window.tabGroups.all.some(({ tabs }) => tabs.some((tab) => shows(tab, id)))) return;
    isOpen = false;
    if (isWriting) onClose();
  });

  return {
    begin(model) {
      isWriting = true;
      open();
      document.begin(model);
    },
    append: (piece) => document.append(piece),
    fail(message) {
      isWriting = false;
      document.fail(message);
    },
    end(end) {
      // An answer that the person wrote has no beginning.
      if (end.model === undefined) open();
      isWriting = false;
      document.end(end);
    },
    dispose() {
      watch.dispose();
      document.dispose();
    },
  };
}

function shows({ input }: Tab, id: string): boolean {
  return input instanceof TabInputText && input.uri.scheme === scheme && input.uri.query === id;
}
