import type { ElicitRequest, ElicitResult } from '../../protocol/mcp/elicitation.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import type { FormContent } from '../../schema/flatForm.ts';

interface FileAnswer {
  /** Of the file, from 1. */
  readonly line: number;
  /** The message must contain it. */
  readonly match: string | undefined;
}

export interface ElicitationAnswer extends FileAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content: FormContent | undefined;
}

export interface SamplingAnswer extends FileAnswer {
  readonly text: string;
}

/** What the file answers to requests that come while the call is on its way, each once. */
export interface FileAnswers {
  readonly elicitation: readonly ElicitationAnswer[];
  readonly sampling: readonly SamplingAnswer[];
}

/** A model that a server is told of when the file has answered. */
const fileModel = 'saved-call';

/** The answers of one run of one call. Each is given once: the first one that fits. */
export class CallAnswers {
  readonly #left: Set<FileAnswer>;
  readonly #answers: FileAnswers;

  constructor(answers: FileAnswers) {
    this.#answers = answers;
    this.#left = new Set([...answers.elicitation, ...answers.sampling]);
  }

  /** Those that nothing has asked for. */
  get unused(): readonly FileAnswer[] {
    return [...this.#left];
  }

  /**
   * Answers a question of the server. A page is never "visited" by a file: it can only be declined.
   * @returns `undefined` for one that the file has no answer to: it is for the person
   */
  elicitation(request: ElicitRequest): ElicitResult | undefined {
    const isPage = request.mode === 'url';
    const fitting = this.#answers.elicitation.filter(({ action }) => !isPage || action !== 'accept');
    const answer = this.#take(fitting, request.message);
    if (answer === undefined) return undefined;
    const { action, content } = answer;
    return action === 'accept' ? { action, content: content ?? {} } : { action };
  }

  /** Answers a request for a model with a text of the file. @returns see {@link elicitation} */
  sampling({ messages }: SamplingRequest): SamplingResult | undefined {
    const last = messages.at(-1)?.content ?? [];
    const asked = last.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    const answer = this.#take(this.#answers.sampling, asked);
    if (answer === undefined) return undefined;
    const { text } = answer;
    return { role: 'assistant', content: [{ type: 'text', text }], model: fileModel, stopReason: 'endTurn' };
  }

  #take<T extends FileAnswer>(answers: readonly T[], message: string): T | undefined {
    const found = answers.find(
      (answer) => this.#left.has(answer) && (answer.match === undefined || message.includes(answer.match)),
    );
    if (found !== undefined) this.#left.delete(found);
    return found;
  }
}
