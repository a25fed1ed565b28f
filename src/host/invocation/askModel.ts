import { type Tab, TabInputText, window } from 'vscode';
import { linkAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import type { OwnAnswer } from '../../client/sampling/ports.ts';
import type { OwnAnswered, SamplingHandler } from '../../client/sampling/samplingHandler.ts';
import { defaultSamplingLimits } from '../../client/sampling/samplingRules.ts';
import { costOf } from '../../client/sampling/samplingRecord.ts';
import type { SamplingMessage } from '../../protocol/mcp/sampling.ts';
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
      const tab = new AnswerTab(documents, title, id, clock, () => stop.dispose());
      const own: OwnAnswer = {
        onBegin({ name }) {
          begin();
          tab.begin(name);
        },
        onText: (piece) => tab.append(piece),
        onFailure: (message) => tab.fail(message),
      };
      try {
        tab.end(await ask(request, { server, cause: about, signal: abort.signal }, own), abort.signal.aborted);
      } finally {
        tab.dispose();
        store.delete(stop);
        abort.dispose();
      }
    });
  }

  return { askModel, dispose: (): void => store.dispose() };
}

async function askQuestion(title: string): Promise<string> {
  const question = await window.showInputBox({
    title: `Ask a Model About ${notificationText(title, 60)}`,
    prompt: 'You see everything before it is sent.',
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

/** Milliseconds between two updates: an editor compares all of the text with what it shows. */
const intervalMs = 100;

const maximumCharacters = limits.shown.result.characters;

/**
 * The document of one answer, in an editor that opens when the model starts, or with an answer that the person wrote. It is updated
 * at a limited rate and has a maximum length. Once closed while the model writes, it gets no more text.
 */
export class AnswerTab implements Disposable {
  readonly #documents: Pick<TextDocuments, 'set' | 'show'>;
  readonly #title: string;
  readonly #id: string;
  readonly #clock: Clock;
  readonly #watch: Disposable;
  #text = '';
  #isWriting = false;
  #isOpen = false;
  #isClosed = false;
  #pause: Disposable | undefined;

  /**
   * @param id tells the document from others of the same title
   * @param onClose called when the person closes the document while the model writes
   */
  constructor(
    documents: Pick<TextDocuments, 'set' | 'show'>,
    title: string,
    id: string,
    clock: Clock,
    onClose: () => void,
  ) {
    this.#documents = documents;
    this.#title = title;
    this.#id = id;
    this.#clock = clock;
    // VS Code keeps a text document for minutes after its last tab was closed.
    this.#watch = window.tabGroups.onDidChangeTabs(({ closed }) => {
      const shows = ({ input }: Tab): boolean =>
        input instanceof TabInputText && input.uri.scheme === scheme && input.uri.query === id;
      // A tab that moves to another group closes in the first.
      if (!this.#isOpen || !closed.some(shows) || window.tabGroups.all.some(({ tabs }) => tabs.some(shows))) return;
      this.#isOpen = false;
      this.#isClosed = this.#isWriting;
      if (this.#isClosed) onClose();
    });
  }

  /** The model starts, or starts over. @param model its name */
  begin(model: string): void {
    this.#stopWaiting();
    this.#isWriting = true;
    this.#text = '';
    this.#write(`_${inlineCode(model)} is writing…_\n`);
  }

  append(piece: string): void {
    if (this.#text.length >= maximumCharacters) return;
    this.#text = truncate(this.#text + piece, maximumCharacters);
    this.#pause ??= this.#clock.after(intervalMs, () => {
      this.#pause = undefined;
      this.#write(this.#text);
    });
  }

  fail(message: string): void {
    if (this.#isWriting) this.#finish(`The model did not answer: ${singleLine(message, modelLimits.answer.words)}`);
  }

  end(answered: OwnAnswered, isStopped: boolean): void {
    // The request offered no tools, so an answer that calls one cannot be shown.
    const parts = answered.result.content.flatMap((block) =>
      block.type === 'tool_use' || block.type === 'tool_result' ? [] : [blockToMarkdown(block)],
    );
    const whole = joinMarkdown(parts).trimEnd();
    this.#text = truncate(whole, maximumCharacters);
    const isShort = this.#text.length === whole.length;
    const notes = describeEnd(answered, isStopped);
    this.#finish([...(isShort ? [] : ['The rest is too long to be shown.']), ...notes].join(' '));
  }

  dispose(): void {
    this.#watch.dispose();
    this.#stopWaiting();
  }

  #stopWaiting(): void {
    this.#pause?.dispose();
    this.#pause = undefined;
  }

  /** Below a line, which a heading of the text above it cannot take for its own. */
  #finish(note: string): void {
    this.#stopWaiting();
    this.#isWriting = false;
    this.#write(this.#text === '' ? `_${note}_\n` : `${this.#text.trimEnd()}\n\n---\n\n_${note}_\n`);
  }

  #write(text: string): void {
    if (this.#isClosed) return;
    const uri = this.#documents.set(`Answer about ${tabName(this.#title)}.md`, this.#id, readableText(text));
    if (!this.#isOpen) this.#documents.show(uri, { preview: false }).catch(showError);
    this.#isOpen = true;
  }
}

function describeEnd({ result, model, spent }: OwnAnswered, isStopped: boolean): readonly string[] {
  if (model === undefined) return ['Written by you.'];
  const cost = spent === undefined ? [] : describeCost(spent, costOf(model, spent));
  return [
    ...(isStopped ? ['You stopped the model.'] : []),
    ...(result.stopReason === 'maxTokens' ? ['Cut off at the token limit that you set.'] : []),
    `${[`Model: ${inlineCode(model.name)}`, ...cost].join(' · ')}.`,
  ];
}

function describeCost(
  { inputTokens, outputTokens, areEstimated }: NonNullable<OwnAnswered['spent']>,
  dollars: number | undefined,
): readonly string[] {
  const about = areEstimated ? 'about ' : '';
  const tokens = `${about}${formatCount(inputTokens)} tokens sent, ${about}${formatCount(outputTokens)} received`;
  return dollars === undefined ? [tokens] : [tokens, `${about}$${dollars.toFixed(dollars < 1 ? 4 : 2)}`];
}
