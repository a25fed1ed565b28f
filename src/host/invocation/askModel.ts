import { type Tab, TabInputText, window } from 'vscode';
import { linkAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import type { OwnAnswer } from '../../client/sampling/ports.ts';
import type { OwnAnswered, SamplingHandler } from '../../client/sampling/samplingHandler.ts';
import { defaultSamplingLimits } from '../../client/sampling/samplingRules.ts';
import { costOf } from '../../client/sampling/samplingRecord.ts';
import type { SamplingContent, SamplingMessage } from '../../protocol/mcp/sampling.ts';
import { notificationText, singleLine } from '../platform/displayText.ts';
import { showError } from '../platform/showError.ts';
import { createTextDocuments, tabName, type TextDocuments } from '../platform/textDocuments.ts';
import { blockToMarkdown, joinMarkdown, inlineCode } from '../results/contentMarkdown.ts';
import { withCallProgress } from './callProgress.ts';
import { defaultQuestion, type ModelSubject, toModelRequest } from './modelQuestion.ts';
import { personalSetting } from '../platform/settings.ts';
import { limits } from '../../base/limits.ts';
import { modelLimits } from '../../base/modelLimits.ts';
import { formatCount, truncate } from '../../base/truncate.ts';
import { readableText } from '../../base/visibleText.ts';

export interface ModelAskerOptions {
  /** The gate that servers' requests pass too. */
  readonly ask: SamplingHandler['ask'];
  readonly clock: Clock;
  /** What open apps of a server say of what they show: it goes before the subject. */
  readonly appContext: (server: string) => readonly SamplingMessage[];
}

const scheme = 'patchbay-answer';

const missingText = 'This answer was not kept. Ask the model again.\n';

/** Loaded with the first question to a model. Disposing it stops the models that are answering. */
export function createModelAsker({ ask, clock, appContext }: ModelAskerOptions) {
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
      const tab = createAnswerTab(documents, title, id, clock, () => stop.dispose());
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

  return { askModel, dispose: (): void => store.dispose() };
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

/**
 * The document of one answer, in an editor that opens when the model starts, or with an answer that the person wrote. Once
 * closed while the model writes, it gets no more text.
 * @param id tells the document from others of the same title
 * @param onClose called when the person closes the document while the model writes
 */
function createAnswerTab(documents: TextDocuments, title: string, id: string, clock: Clock, onClose: () => void) {
  const path = `Answer about ${tabName(title)}.md`;
  let isOpen = false;
  let isStopped = false;

  const document = createAnswerDocument((text) => {
    if (isStopped) return;
    const uri = documents.set(path, id, text);
    if (!isOpen) documents.show(uri, { preview: false }).catch(showError);
    isOpen = true;
  }, clock);

  // VS Code keeps a text document for minutes after its last tab was closed.
  const watch = window.tabGroups.onDidChangeTabs(({ closed }) => {
    if (!isOpen || !closed.some((tab) => shows(tab, id))) return;
    // A tab that moves to another group closes in the first.
    if (window.tabGroups.all.some(({ tabs }) => tabs.some((tab) => shows(tab, id)))) return;
    isOpen = false;
    isStopped = document.isWriting();
    if (isStopped) onClose();
  });

  function dispose(): void {
    watch.dispose();
    document.dispose();
  }
  return { ...document, dispose };
}

function shows({ input }: Tab, id: string): boolean {
  return input instanceof TabInputText && input.uri.scheme === scheme && input.uri.query === id;
}

export interface AnswerEnd {
  readonly text: string;
  /** The name of the model; `undefined` if the person wrote the answer. */
  readonly model: string | undefined;
  readonly spent: AnswerCost | undefined;
  readonly isStopped: boolean;
  /** The answer has as many tokens as it was allowed to have. */
  readonly isCutOff: boolean;
}

export interface AnswerCost {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly areEstimated: boolean;
  /** US dollars; `undefined` where the price is not known. */
  readonly dollars: number | undefined;
}

/** Milliseconds between two updates: an editor compares all of the text with what it shows. */
const intervalMs = 100;

const maximumCharacters = limits.shown.result.characters;

/**
 * The text of a document in which a model writes. It is updated at a limited rate and has a maximum length.
 * @param writeExactly sets the whole text of the document
 */
export function createAnswerDocument(writeExactly: (text: string) => void, clock: Clock) {
  const write = (written: string): void => writeExactly(readableText(written));
  let text = '';
  let isWriting = false;
  let pause: Disposable | undefined;

  function stopWriting(): void {
    pause?.dispose();
    pause = undefined;
  }

  function finish(note: string): void {
    stopWriting();
    isWriting = false;
    write(withNote(text, note));
  }

  return {
    /** The model starts, or starts over. @param model its name */
    begin(model: string): void {
      stopWriting();
      isWriting = true;
      text = '';
      write(`_${inlineCode(model)} is writing…_\n`);
    },
    append(piece: string): void {
      if (text.length >= maximumCharacters) return;
      text = truncate(text + piece, maximumCharacters);
      pause ??= clock.after(intervalMs, () => {
        pause = undefined;
        write(text);
      });
    },
    /** The model did not answer. @param message a full sentence */
    fail(message: string): void {
      if (isWriting) finish(`The model did not answer: ${singleLine(message, modelLimits.answer.words)}`);
    },
    end(end: AnswerEnd): void {
      text = truncate(end.text, maximumCharacters);
      const isShort = text.length === end.text.length;
      finish([...(isShort ? [] : ['The rest is too long to be shown.']), ...describeEnd(end)].join(' '));
    },
    isWriting: (): boolean => isWriting,
    dispose: stopWriting,
  };
}

/** Below a line, which a heading of the text above it cannot take for its own. */
function withNote(text: string, note: string): string {
  return text === '' ? `_${note}_\n` : `${text.trimEnd()}\n\n---\n\n_${note}_\n`;
}

function describeEnd({ model, spent, isStopped, isCutOff }: AnswerEnd): readonly string[] {
  if (model === undefined) return ['Written by you.'];
  return [
    ...(isStopped ? ['You stopped the model.'] : []),
    ...(isCutOff ? ['Cut off, as it has as many tokens as you allowed.'] : []),
    `${[`Model: ${inlineCode(model)}`, ...(spent === undefined ? [] : describeCost(spent))].join(' · ')}.`,
  ];
}

function describeCost({ inputTokens, outputTokens, areEstimated, dollars }: AnswerCost): readonly string[] {
  const about = areEstimated ? 'about ' : '';
  const tokens = `${about}${formatCount(inputTokens)} tokens sent, ${about}${formatCount(outputTokens)} received`;
  return dollars === undefined ? [tokens] : [tokens, `${about}$${dollars.toFixed(dollars < 1 ? 4 : 2)}`];
}
