import { isRecord, isString, type JsonObject, parseJson } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { modelLimits } from '../base/modelLimits.ts';
import { truncate } from '../base/truncate.ts';
import type { SamplingContent, SamplingResult } from '../protocol/mcp/sampling.ts';
import type { ModelCall } from './callOptions.ts';
import type { FinishPart, StreamPart } from './languageModel.ts';
import { connectionFailure, failureOf, type ModelContext, shownWords } from './modelFailures.ts';
import { type ModelAnswer, ModelError, type TokenUsage } from './modelGateway.ts';
import { toolUseMeta } from './prompt.ts';
import { StopFilter, type TextFilter, ThoughtFilter } from './textFilters.ts';

type ToolCallPart = Extract<StreamPart, { type: 'tool-call' }>;

/** Puts an answer together from the parts in which it streams. */
export class AnswerReader {
  readonly #call: ModelCall;
  readonly #context: ModelContext;
  readonly #onText: (text: string) => void;
  readonly #thoughts: TextFilter;
  readonly #stops: StopFilter;
  readonly #content: SamplingContent[] = [];
  readonly #ids = new Set<string>();
  /** Characters that may still come: of text, thoughts and inputs of tools. */
  #room: number;
  #text = '';
  #model: string;
  #isCut = false;
  #finish: FinishPart | undefined;
  /** The last event with an error, as the provider sent it. */
  #rawError: unknown;
  /** The Responses API said that its answer is not whole. */
  #isIncomplete = false;

  constructor(call: ModelCall, context: ModelContext, onText: (text: string) => void) {
    const { charactersPerToken, spareCharacters } = modelLimits.answer;
    this.#call = call;
    this.#context = context;
    this.#onText = onText;
    this.#thoughts = context.endpoint.api === 'openai-chat' ? new ThoughtFilter() : noFilter;
    this.#stops = new StopFilter(call.stopSequences);
    this.#room = call.maxTokens * charactersPerToken + spareCharacters;
    // Where the provider does not say which one answered.
    this.#model = context.model;
  }

  /**
   * @returns false when the answer is complete before the stream is: the rest is not wanted
   * @throws {ModelError} for what is no answer
   */
  read(part: StreamPart): boolean {
    if (part.type === 'text-delta') return this.#readText(part.delta);
    if (part.type === 'reasoning-delta') return this.#takeRoom(part.delta.length);
    if (part.type === 'error') throw this.#failureOf(part.error);
    if (part.type === 'tool-input-delta' && !this.#takeRoom(part.delta.length)) throw this.#tooLongCall();
    if (part.type === 'tool-call' && part.providerExecuted !== true) this.#readToolCall(part);
    if (part.type === 'response-metadata') this.#readModel(part.modelId);
    if (part.type === 'raw') this.#readRaw(part.rawValue);
    if (part.type === 'finish') this.#finish = part;
    // All other parts are not part of the answer.
    return true;
  }

  /** @throws {ModelError} when what arrived is not a whole answer */
  finish(): ModelAnswer {
    const isEnded = this.#isCut || this.#stops.isStopped;
    const reason = this.#finish?.finishReason;
    if (!isEnded && (reason === undefined || (reason.unified === 'other' && reason.raw === undefined))) {
      throw connectionFailure(undefined, true, this.#context);
    }
    this.#passOn(this.#stops.push(this.#thoughts.end()));
    if (!this.#stops.isStopped) this.#passOn(this.#stops.end());
    if (!isEnded && reason?.unified === 'content-filter') throw this.#refusal();
    const usage = readUsage(this.#finish?.usage);
    const stopReason = this.#stopReason(reason);
    this.#closeText();
    if (this.#content.length === 0) throw this.#emptyAnswer(stopReason);
    if (!isEnded && reason?.unified === 'error') throw this.#failed('failed in the middle of the answer.');
    const result = { role: 'assistant', content: this.#content, model: this.#model, stopReason } as const;
    return { result: this.#withinTokens(result, usage), usage };
  }

  #takeRoom(characters: number): boolean {
    this.#room -= characters;
    if (this.#room < 0) this.#isCut = true;
    return this.#room >= 0;
  }

  #readText(delta: string): boolean {
    const fitting = truncate(delta, Math.max(0, this.#room));
    const hasRoom = this.#takeRoom(delta.length);
    this.#passOn(this.#stops.push(this.#thoughts.push(fitting)));
    return hasRoom && !this.#stops.isStopped;
  }

  #passOn(text: string): void {
    if (text === '') return;
    this.#text += text;
    this.#onText(text);
  }

  #closeText(): void {
    if (this.#text.trim() !== '') this.#content.push({ type: 'text', text: this.#text });
    this.#text = '';
  }

  #readToolCall({ toolCallId, toolName, input, providerMetadata }: ToolCallPart): void {
    const { key } = this.#context;
    this.#passOn(this.#stops.push(this.#thoughts.end()));
    this.#closeText();
    const name = this.#call.names.toOffered(toolName);
    if (name === undefined) {
      const shown = shownWords(toolName.slice(0, limits.id.characters), key);
      throw this.#failed(`calls the tool "${shown}", which was not offered to it.`);
    }
    const read = readInput(input);
    if (read === undefined) {
      const advice = `Its maximum of ${this.#call.maxTokens} tokens may be too low.`;
      throw this.#failed(
        `calls the tool "${shownWords(name, key)}" with an input that is not a whole JSON object. ${advice}`,
      );
    }
    if (this.#ids.size >= modelLimits.answer.toolCalls) throw this.#tooLongCall();
    const id = this.#uniqueId(toolCallId);
    this.#content.push({ type: 'tool_use', id, name, input: read, ...toolUseMeta(providerMetadata) });
  }

  /** Ids are kept, as the server sends them back; a provider may repeat one, or send none. */
  #uniqueId(wanted: string): string {
    const isUsable = wanted !== '' && wanted.length <= limits.id.characters && !this.#ids.has(wanted);
    const id = isUsable ? wanted : `call_${this.#ids.size + 1}_${this.#content.length + 1}`;
    this.#ids.add(id);
    return id;
  }

  #readModel(id: unknown): void {
    if (isString(id) && id !== '') this.#model = truncate(id, limits.server.name);
  }

  #readRaw(value: unknown): void {
    if (!isRecord(value)) return;
    // The package for Gemini does not pass it on.
    this.#readModel(value['modelVersion']);
    const { response } = value;
    // Some servers give no reason for it, and the package takes the answer for a whole one then.
    if (isRecord(response) && response['status'] === 'incomplete') this.#isIncomplete = true;
    const isFailure = value['type'] === 'error' || value['type'] === 'response.failed';
    if (isFailure || (value['error'] !== undefined && value['error'] !== null)) this.#rawError = value;
  }

  #failureOf(error: unknown): ModelError {
    const context = this.#context;
    const thrown = findModelError(error);
    if (thrown !== undefined) return thrown;
    if (this.#rawError !== undefined) return failureOf({ body: this.#rawError }, context);
    const message = error instanceof Error ? error.message : '';
    if (/without a finish reason/.test(message)) return connectionFailure(undefined, true, context);
    if (error instanceof Error)
      return this.#failed(`does not answer as its API says: ${shownWords(message, context.key)}`);
    return failureOf({ body: error }, context);
  }

  #stopReason(reason: FinishPart['finishReason'] | undefined): string {
    if (this.#stops.isStopped) return 'stopSequence';
    if (this.#isCut || reason?.unified === 'length') return 'maxTokens';
    if (this.#content.some(({ type }) => type === 'tool_use')) return 'toolUse';
    if (reason?.raw === 'stop_sequence') return 'stopSequence';
    if (this.#isIncomplete) return 'maxTokens';
    return reason?.unified === 'other' ? shownWords(truncate(reason.raw ?? '', 100), undefined) : 'endTurn';
  }

  #refusal(): ModelError {
    const context = this.#context;
    const details = this.#finish?.providerMetadata?.['anthropic']?.['stopDetails'];
    const explanation = isRecord(details) ? details['explanation'] : undefined;
    const raw = this.#finish?.finishReason.raw ?? '';
    // A refusal of OpenAI comes as text; what came before a filter stepped in is not one.
    const isText = raw === 'stop' || raw === '';
    const words = shownWords(isString(explanation) ? explanation : isText ? this.#text : '', context.key);
    const because = raw === '' || raw === 'stop' ? '' : ` (${shownWords(raw, context.key)})`;
    const said = words === '' ? '' : ` It says: “${words}”`;
    return new ModelError(
      'refused',
      `${context.endpoint.title} refuses to answer, or broke off because of the content${because}.${said}`,
    );
  }

  #emptyAnswer(stopReason: string): ModelError {
    return stopReason === 'maxTokens'
      ? this.#failed(`used all ${this.#call.maxTokens} tokens, possibly on reasoning. Raise the limit.`)
      : this.#failed(`gave an empty answer (${stopReason}): try again, or choose another model.`);
  }

  #tooLongCall(): ModelError {
    return this.#failed('calls tools with more than was asked for: the request was ended.');
  }

  /** @param what what the endpoint does, as the end of a sentence about it */
  #failed(what: string): ModelError {
    return new ModelError('failed', `${this.#context.endpoint.title} ${what}`);
  }

  /**
   * Cuts a text for which its provider counts more tokens than were asked for, in proportion.
   * @throws {ModelError} `failed`, when it is not only a text
   */
  #withinTokens(result: SamplingResult, { outputTokens = 0 }: TokenUsage): SamplingResult {
    const { maxTokens } = this.#call;
    if (outputTokens <= maxTokens) return result;
    const [first, ...others] = result.content;
    if (first?.type !== 'text' || others.length > 0)
      throw this.#failed(`does not keep to the maximum of ${maxTokens} tokens: it used ${outputTokens}.`);
    const text = truncate(first.text, Math.max(1, Math.floor((first.text.length * maxTokens) / outputTokens)));
    return { ...result, content: [{ ...first, text }], stopReason: 'maxTokens' };
  }
}

const noFilter: TextFilter = { push: (piece) => piece, end: () => '' };

/** @returns the error that was thrown by what a provider package called; packages may wrap it */
export function findModelError(error: unknown): ModelError | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if (current instanceof ModelError) return current;
    current = current.cause;
  }
  return undefined;
}

/** @returns `undefined` for what was broken off, or never JSON */
function readInput(text: string): JsonObject | undefined {
  const value = parseJson(text.trim() === '' ? '{}' : text);
  return isRecord(value) ? (value as JsonObject) : undefined;
}

function readUsage(usage: FinishPart['usage'] | undefined): TokenUsage {
  return { inputTokens: readCount(usage?.inputTokens?.total), outputTokens: readCount(usage?.outputTokens?.total) };
}

/** The packages say 0 where a provider does not say how many; no request has none. */
function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
