import { canonicalJson } from '../../base/canonicalJson.ts';
import type { Clock } from '../../base/clock.ts';
import { sha256 } from '../../base/digest.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { describeProblem } from '../../base/schemaCheck.ts';
import type { CallToolResult, Tool } from '../../protocol/mcp/tools.ts';
import type { ProtocolSession } from '../../protocol/revisions/session.ts';
import { recordedRefusals } from '../auditLog.ts';
import { definitionsOf } from '../listedDefinitions.ts';
import { createMinuteCount } from '../minuteCount.ts';
import { sendToolCall } from '../tasks/sendToolCall.ts';
import type { TaskBook } from '../tasks/taskBook.ts';
import type { UsedServer, UseGate } from '../useGate.ts';
import type { UseOrigin } from '../useGuard.ts';
import type { Caller, ToolCallOptions, ToolCallPorts } from './ports.ts';
import { checkResult, InvalidResultError } from './resultCheck.ts';

/** The one way to a tool of a server, whoever calls it: checks the arguments, asks, calls, checks the result, records. */
export interface ToolCalls {
  /**
   * @throws {PatchbayError} `invalidArguments`, `declined`; {@link InvalidResultError}; what a request throws; cancellation
   */
  call(name: string, args: object, options: ToolCallOptions): Promise<CallToolResult>;
  /**
   * Waits for the result of a task, and checks it by what the server lists then.
   * @throws {InvalidResultError}
   */
  taskResult(id: string, onNote?: (note: string) => void): Promise<CallToolResult>;
}

/** What calls need of their server. */
export interface ToolCallsOptions {
  readonly gate: Pick<UseGate, 'pass' | 'server'>;
  readonly tasks: Pick<TaskBook, 'adopt' | 'result' | 'tasks'>;
  readonly logger: Logger;
}

export function createToolCalls(
  { toolCalls, clock }: { readonly toolCalls: ToolCallPorts; readonly clock: Clock },
  options: ToolCallsOptions,
): ToolCalls {
  return new Gate({ ...options.gate.server, ...toolCalls, ...options, clock });
}

interface CalledServer extends ToolCallsOptions, ToolCallPorts, UsedServer {
  readonly clock: Clock;
}

/** What was agreed to, of one run of the server. */
interface Agreement {
  readonly session: ProtocolSession;
  /** The same list gives the same array. */
  readonly definitions: readonly Tool[];
  readonly tool: Tool | undefined;
  /** In a few words for the record. */
  readonly how: string;
}

class Gate implements ToolCalls {
  readonly #options: CalledServer;
  readonly #refusals;

  constructor(options: CalledServer) {
    this.#options = options;
    this.#refusals = createMinuteCount(options.clock);
  }

  async call(name: string, given: object, options: ToolCallOptions): Promise<CallToolResult> {
    const { gate, tasks, validator, label } = this.#options;
    const { caller = 'extension' } = options;
    const onNote = this.#noted(name, options.onNote);
    const call = new OpenCall(this.#options, name, caller, options, onNote);
    try {
      const args = call.take(given);
      const result = await gate.pass(
        { kind: 'tools', key: name, what: `tool ${name}`, ask: () => call.ask(args) },
        { ...options, origin: origins[caller] },
        (session) => {
          options.onSend?.();
          return sendToolCall(session, tasks, { name, arguments: args }, options);
        },
      );
      await checkResult(validator, { server: label, tool: call.tool, onNote }, result);
      this.#record(call, result.isError ? 'tool error' : 'done');
      return result;
    } catch (error) {
      this.#record(call, call.refusal ?? outcomeOf(error));
      throw error;
    }
  }

  async taskResult(id: string, onNote?: (note: string) => void): Promise<CallToolResult> {
    const { label, contents, listing, validator, tasks } = this.#options;
    const name = tasks.tasks.find((task) => task.id === id)?.tool ?? '';
    const result = await tasks.result(id);
    await listing('tools');
    const [tool] = definitionsOf(contents(), 'tools', name) as readonly Tool[];
    await checkResult(validator, { server: label, tool, onNote: this.#noted(name, onNote) }, result);
    return result;
  }

  #noted(name: string, onNote: ToolCallOptions['onNote']): (note: string) => void {
    return (note) => {
      this.#options.logger.warn(`${name}: ${note}`);
      onNote?.(note);
    };
  }

  /** A flood of refusals must not wash the rest of the record away. */
  #record(call: OpenCall, outcome: string): void {
    const { audit, label } = this.#options;
    if (audit.isKept === false) return;
    if (call.refusal !== undefined && this.#refusals.add(label) > recordedRefusals) return;
    call.describe((facts) => {
      audit.record({ server: label, action: 'toolCall', outcome, detail: { tool: call.name, ...facts } });
    });
  }
}

type Facts = Readonly<Record<string, string | number>>;

/** One call until it is sent. */
class OpenCall {
  readonly name: string;
  readonly #server: CalledServer;
  readonly #caller: Caller;
  readonly #options: ToolCallOptions;
  readonly #onNote: (note: string) => void;
  /** Size and digest of the arguments, where they are kept: there as a rule before the call is over. */
  #facts: Facts | Promise<Facts> = {};
  #agreement: Agreement | undefined;
  #unchecked: string | undefined;
  /** Why nothing was sent, in a word or two. */
  refusal: string | undefined;

  constructor(
    server: CalledServer,
    name: string,
    caller: Caller,
    options: ToolCallOptions,
    onNote: (note: string) => void,
  ) {
    this.#server = server;
    this.name = name;
    this.#caller = caller;
    this.#options = options;
    this.#onNote = onNote;
  }

  /** The definition under which it was allowed. */
  get tool(): Tool | undefined {
    return this.#agreement?.tool;
  }

  /** @returns the arguments as they are sent, which nobody can change any more while a question is open */
  take(given: object): JsonObject {
    const args = this.#caller === 'program' ? (given as JsonObject) : this.#copy(given);
    if (this.#server.audit.isKept !== false) {
      const describing = describeArguments(args);
      this.#facts = describing;
      void describing.then((facts) => (this.#facts = facts));
    }
    return args;
  }

  /** See {@link Passage.ask}: nothing is left to ask where what was allowed is what the server still lists. */
  ask(args: JsonObject): Promise<void> | undefined {
    const session = this.#server.session();
    const definitions = definitionsOf(this.#server.contents(), 'tools', this.name) as readonly Tool[];
    const agreed = this.#agreement;
    if (agreed?.session === session && agreed.definitions === definitions) return undefined;
    return this.#examine(args, session, definitions);
  }

  /** Tells what is to be recorded of it, now if that is known already: nobody waits for a digest. */
  describe(tell: (facts: Facts) => void): void {
    const how = this.#agreement?.how;
    const own = { calledBy: this.#caller, ...(how !== undefined && { allowed: how }) };
    if (this.#facts instanceof Promise) void this.#facts.then((facts) => tell({ ...own, ...facts }));
    else tell({ ...own, ...this.#facts });
  }

  #copy(given: object): JsonObject {
    let args: unknown;
    try {
      args = JSON.parse(JSON.stringify(given));
    } catch (error) {
      throw this.#refuse(`they cannot be written as JSON: ${messageOf(error)}`);
    }
    if (!isRecord(args)) throw this.#refuse('they are not an object');
    return args as JsonObject;
  }

  async #examine(args: JsonObject, session: ProtocolSession, definitions: readonly Tool[]): Promise<void> {
    const { label, approve } = this.#server;
    const { signal, tool: wanted } = this.#options;
    const identity = this.#server.identity();
    const known = wanted === undefined ? undefined : findSame(definitions, wanted);
    const tool = known ?? definitions[0];
    const agreed = this.#agreement;
    // Listed again, and nothing of it has changed: what was allowed holds.
    if (agreed?.session === session && agreed.definitions.length === definitions.length && isSame(agreed.tool, tool)) {
      this.#agreement = { ...agreed, definitions };
      return;
    }
    const unchecked = await this.#check(tool, args);
    try {
      const how = await approve({
        server: label,
        identity,
        name: this.name,
        tool,
        namesakes: definitions.length,
        args,
        caller: this.#caller,
        isSeen: this.#caller === 'form' && known !== undefined,
        unchecked,
        signal,
      });
      this.#agreement = { session, definitions, tool, how };
    } catch (error) {
      this.refusal = signal?.aborted === true ? 'cancelled' : 'declined';
      throw error;
    }
  }

  /** @returns why nothing is known of the arguments, where that is so */
  async #check(tool: Tool | undefined, args: JsonObject): Promise<string | undefined> {
    const { validator, label } = this.#server;
    if (tool === undefined) return 'the server lists no tool of this name';
    if (tool.omittedSchemas?.includes('inputSchema') === true) return 'the schema is too large';
    const validation = await validator.validate(label, tool.inputSchema, args);
    if (validation.kind === 'valid') return undefined;
    if (validation.kind === 'invalid') {
      const problems = validation.problems.slice(0, 5).map(describeProblem).join('; ');
      if (this.#caller !== 'program') throw this.#refuse(problems);
      // It answers for what it sends, and may well want to see how a server takes what does not fit.
      this.#onNote(this.#misfit(problems));
      return undefined;
    }
    if (this.#unchecked !== validation.reason)
      this.#onNote(`The arguments were not checked against the tool's input schema: ${validation.reason}.`);
    this.#unchecked = validation.reason;
    return validation.reason;
  }

  #refuse(why: string): PatchbayError {
    this.refusal = 'invalid arguments';
    return new PatchbayError('invalidArguments', this.#misfit(why));
  }

  #misfit(why: string): string {
    return `The arguments do not fit the tool "${this.name}": ${why}.`;
  }
}

/** Whose use it is to whoever guards definitions. */
const origins: Readonly<Record<Caller, UseOrigin>> = {
  form: 'person',
  again: 'person',
  command: 'person',
  extension: 'extension',
  program: 'extension',
};

function findSame(definitions: readonly Tool[], wanted: Tool): Tool | undefined {
  return definitions.find((tool) => tool === wanted) ?? definitions.find((tool) => isSame(tool, wanted));
}

function isSame(one: Tool | undefined, other: Tool | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one === other || canonicalJson(one) === canonicalJson(other);
}

/** Never the arguments themselves, which may hold secrets: their size in bytes of UTF-8 and their SHA-256, as canonical JSON. */
async function describeArguments(args: JsonObject): Promise<Facts> {
  const text = canonicalJson(args);
  return { argumentBytes: new TextEncoder().encode(text).length, argumentsSha256: await sha256(text) };
}

function outcomeOf(error: unknown): string {
  return error instanceof InvalidResultError
    ? 'done, but the result breaks its output schema'
    : `failed: ${messageOf(error)}`;
}
