import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { limits } from '../../base/limits.ts';
import { modelLimits } from '../../base/modelLimits.ts';
import { formatCount, truncate } from '../../base/truncate.ts';
import { readableText } from '../../base/visibleText.ts';
import { inlineCode } from '../results/contentMarkdown.ts';
import { singleLine } from '../platform/displayText.ts';

/** How an answer ended. */
export interface AnswerEnd {
  /** The whole answer as Markdown. */
  readonly text: string;
  /** The name of the model; `undefined` if the person wrote the answer. */
  readonly model: string | undefined;
  readonly spent: AnswerCost | undefined;
  readonly isStopped: boolean;
  /** The answer has as many tokens as it was allowed to have. */
  readonly isCutOff: boolean;
}

/** What an answer took. */
export interface AnswerCost {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly areEstimated: boolean;
  /** US dollars; `undefined` where the price is not known. */
  readonly dollars: number | undefined;
}

/** The text of a document in which a model writes. */
export interface AnswerDocument extends Disposable {
  /** The model starts, or starts over. @param model its name */
  begin(model: string): void;
  append(piece: string): void;
  /** The model did not answer. @param message a full sentence */
  fail(message: string): void;
  end(end: AnswerEnd): void;
}

/** What a document needs. */
export interface AnswerDocumentOptions {
  /** Sets the whole text of the document. */
  readonly write: (text: string) => void;
  readonly clock: Clock;
}

/** Milliseconds between two updates: an editor compares all of the text with what it shows. */
const intervalMs = 100;

const maximumCharacters = limits.shown.result.characters;

/** Creates the text, which is updated at a limited rate and has a maximum length. */
export function createAnswerDocument({ write: writeExactly, clock }: AnswerDocumentOptions): AnswerDocument {
  const write = (written: string): void => writeExactly(readableText(written));
  let text = '';
  let pause: Disposable | undefined;

  function stopWriting(): void {
    pause?.dispose();
    pause = undefined;
  }

  function finish(note: string): void {
    stopWriting();
    write(withNote(text, note));
  }

  return {
    begin(model) {
      stopWriting();
      text = '';
      write(`_${inlineCode(model)} is writing…_\n`);
    },
    append(piece) {
      if (text.length >= maximumCharacters) return;
      text = truncate(text + piece, maximumCharacters);
      pause ??= clock.after(intervalMs, () => {
        pause = undefined;
        write(text);
      });
    },
    fail: (message) => finish(`The model did not answer: ${singleLine(message, modelLimits.answer.words)}`),
    end(end) {
      text = truncate(end.text, maximumCharacters);
      const isShort = text.length === end.text.length;
      finish([...(isShort ? [] : ['The rest is too long to be shown.']), ...describeEnd(end)].join(' '));
    },
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
