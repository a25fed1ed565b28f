import { canonicalJson, sha256 } from '../../base/digest.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { describeProblem, type Validation } from '../../base/schemaCheck.ts';
import type { CallToolResult, Tool } from '../../protocol/mcp/tools.ts';
import type { ProtocolSession } from '../../protocol/session/session.ts';
import { maximumRecordedRefusals, MinuteCounter } from '../auditLog.ts';
import { definitionsOf } from '../contents.ts';
import type { Clock } from '../../base/clock.ts';
import type { TaskManager } from '../tasks/taskManager.ts';
import type { CallOptions, ServerUseRequest, UseDispatcher, UsedServer, UseOrigin } from '../useDispatcher.ts';
import { type Caller, isOwnCall, type ResultFindings, type ToolCallOptions, type ToolCallPorts } from './ports.ts';
import { type InvalidResultError, sendToolCall, validateResult } from './sendToolCall.ts';
import { copyExactly, holdsDigits } from '../../base/exactIntegers.ts';

/** An approval, valid for one run of the server and these definitions. */
interface Agreement {
  readonly session: ProtocolSession;
  /** The same list gives the same array. */
  readonly definitions: readonly Tool[];
  readonly tool: Tool | undefined;
  /** How it was approved, in a few words for the audit log. */
  readonly how: string;
}

/** Every tool call of one server passes here: validates arguments, asks for approval, calls, validates the result, records. */
export class ToolCalls {
  readonly server: UsedServer;
  readonly ports: ToolCallPorts;
  readonly logger: Logger;
  readonly #dispatcher: UseDispatcher;
  readonly #taskManager: TaskManager;
  readonly #refusals: MinuteCounter;

  constructor(dispatcher: UseDispatcher, taskManager: TaskManager, ports: ToolCallPorts, clock: Clock, logger: Logger) {
    this.server = dispatcher.server;
    this.ports = ports;
    this.logger = logger;
    this.#dispatcher = dispatcher;
    this.#taskManager = taskManager;
    this.#refusals = new MinuteCounter(clock);
  }

  /**
   * Calls a tool.
   * @throws {PatchbayError} `invalidArguments`, `declined`; {@link InvalidResultError} without `onInvalid`; what a request throws;
   *   cancellation
   */
  async call(name: string, given: object, options: ToolCallOptions): Promise<CallToolResult> {
    const call = new PendingToolCall(this, name, options);
    let result: CallToolResult;
    let broken: InvalidResultError | undefined;
    try {
      const args = call.copyArguments(given);
      result = await this.#dispatcher.dispatchUnrecorded(call, call.use, (session) => {
        options.onSend?.();
        return sendToolCall(session, this.#taskManager, { name, arguments: args }, options);
      });
      call.noteRounded(result);
      // Most results are validated at once, or have no schema: they must not wait a turn.
      const validating = call.tool?.outputSchema && this.#validate(call.tool, result, (note) => call.note(note));
      broken = validating instanceof Promise ? await validating : validating;
    } catch (error) {
      this.#record(call, call.refusal ?? `failed: ${messageOf(error)}`);
      throw error;
    }
    if (broken === undefined) this.#record(call, result.isError ? 'tool error' : 'done');
    else this.#record(call, 'done, but the result does not match the output schema');
    return reported(result, broken, options);
  }

  /**
   * Waits for the result of a task, and validates it against the tool's current definition.
   * @throws {InvalidResultError} without `onInvalid`
   */
  async taskResult(id: string, findings: ResultFindings = {}): Promise<CallToolResult> {
    const { contents, pendingList } = this.server;
    const name = this.#taskManager.list.get(id)?.tool ?? '';
    const result = await this.#taskManager.list.result(id);
    await pendingList('tools');
    const [tool] = definitionsOf(contents(), 'tools', name) as readonly Tool[];
    const broken = await this.#validate(tool, result, (note) => {
      this.logger.warn(`${name}: ${note}`);
      findings.onNote?.(note);
    });
    return reported(result, broken, findings);
  }

  #validate(tool: Tool | undefined, result: CallToolResult, onNote: (note: string) => void) {
    return validateResult(this.ports.validator, this.server.label, tool, result, onNote);
  }

  /** Limits recorded refusals, so that a flood of them does not push other entries out of the audit log. */
  #record(call: PendingToolCall, outcome: string): void {
    const { audit, label } = this.server;
    if (audit.isKept === false) return;
    if (call.refusal !== undefined && this.#refusals.increment(label) > maximumRecordedRefusals) return;
    call.describe((facts) => {
      audit.record({ server: label, action: 'toolCall', outcome, detail: { tool: call.key, ...facts } });
    });
  }
}

type AuditFacts = Readonly<Record<string, string | number>>;

/** One call until it is sent. Created for every call, so it creates what it may need only when it needs it. */
class PendingToolCall implements ServerUseRequest {
  readonly kind = 'tools';
  readonly key: string;
  readonly #calls: ToolCalls;
  readonly #caller: Caller;
  readonly #options: ToolCallOptions;
  #args: JsonObject = {};
  /** Size and digest of the arguments, if the audit log stores them: usually ready before the call ends. */
  #facts: Promise<AuditFacts> | undefined;
  #agreement: Agreement | undefined;
  #unchecked: string | undefined;
  /** Why nothing was sent, in one or two words. */
  refusal: string | undefined;

  constructor(calls: ToolCalls, name: string, options: ToolCallOptions) {
    this.#calls = calls;
    this.key = name;
    this.#caller = options.caller ?? 'extension';
    this.#options = options;
  }

  get what(): string {
    return `tool ${this.key}`;
  }

  get use(): CallOptions {
    const { signal, onQuestion } = this.#options;
    const origin = origins[this.#caller];
    return { origin, onQuestion, ...(signal !== undefined && { signal }) };
  }

  get tool(): Tool | undefined {
    return this.#agreement?.tool;
  }

  /** @returns a copy of the arguments, which the caller cannot change while a question is open */
  copyArguments(given: object): JsonObject {
    const args = this.#copy(given);
    if (this.#calls.server.audit.isKept !== false) this.#facts = describeArguments(args);
    this.#args = args;
    return args;
  }

  note(note: string): void {
    this.#calls.logger.warn(`${this.key}: ${note}`);
    this.#options.onNote?.(note);
  }

  /** Code gets numbers, where a person is shown the digits. */
  noteRounded({ structuredContent }: CallToolResult): void {
    if (origins[this.#caller] === 'extension' && holdsDigits(structuredContent))
      this.note('The structured content has integers beyond 2^53, which are rounded for the code that called.');
  }

  /** See {@link ServerUseRequest.confirm}: an approval is valid as long as the server lists the same definitions. */
  confirm(): Promise<void> | undefined {
    const session = this.#calls.server.session();
    const definitions = definitionsOf(this.#calls.server.contents(), 'tools', this.key) as readonly Tool[];
    const agreed = this.#agreement;
    if (agreed?.session === session && agreed.definitions === definitions) return undefined;
    return this.#examine(session, definitions);
  }

  /** Passes the facts for the audit log to `tell`, as soon as they are there: the call does not wait for a digest. */
  describe(tell: (facts: AuditFacts) => void): void {
    const how = this.#agreement?.how;
    const { app } = this.#options;
    const own = { calledBy: this.#caller, ...(app && { app: app.uri }), ...(how !== undefined && { allowed: how }) };
    if (this.#facts === undefined) tell(own);
    else void this.#facts.then((facts) => tell({ ...own, ...facts }));
  }

  #copy(given: object): JsonObject {
    let args: unknown;
    try {
      args = copyExactly(given);
    } catch (error) {
      throw this.#refuse(`they cannot be written as JSON: ${messageOf(error)}`);
    }
    if (!isRecord(args)) throw this.#refuse('they are not an object');
    return args as JsonObject;
  }

  /** Validates and asks for approval; in this turn if neither has to wait. */
  #examine(session: ProtocolSession, definitions: readonly Tool[]): Promise<void> | undefined {
    const chosen = this.#options.tool;
    const known = chosen === undefined ? undefined : findSameDefinition(definitions, chosen);
    const tool = known ?? definitions[0];
    const agreed = this.#agreement;
    // Listed again without a change: the approval is still valid.
    if (
      agreed?.session === session &&
      agreed.definitions.length === definitions.length &&
      isSameDefinition(agreed.tool, tool)
    ) {
      this.#agreement = { ...agreed, definitions };
      return undefined;
    }
    const isSeen = isOwnCall(this.#caller) && known !== undefined;
    // The server gets the name alone, and may call any of them.
    const isDestructive = definitions.some(({ annotations }) => annotations?.destructiveHint === true);
    const identity = this.#calls.server.identity();
    const agree = (how: string): void => void (this.#agreement = { session, definitions, tool, how });
    const approve = (validation: Validation): Promise<void> | undefined => {
      const how = this.#calls.ports.approve({
        server: this.#calls.server.label,
        identity,
        name: this.key,
        tool,
        sameNameCount: definitions.length,
        args: this.#args,
        caller: this.#caller,
        app: this.#options.app,
        isSeen,
        isDestructive,
        askInForm: this.#options.askInForm,
        unchecked: this.#assertValid(validation),
        signal: this.#options.signal,
      });
      if (how instanceof Promise)
        return how.then(agree, (error: unknown) => {
          this.refusal = this.#options.signal?.aborted === true ? 'cancelled' : 'declined';
          throw error;
        });
      agree(how);
      return undefined;
    };
    const validation = this.#validate(tool);
    return validation instanceof Promise ? validation.then(approve) : approve(validation);
  }

  #validate(tool: Tool | undefined): Validation | Promise<Validation> {
    if (tool === undefined) return { kind: 'unsupported', reason: 'the server lists no tool of this name' };
    if (tool.omittedSchemas?.includes('inputSchema') === true)
      return { kind: 'unsupported', reason: 'the schema is too large' };
    return this.#calls.ports.validator.validate(this.#calls.server.label, tool.inputSchema, this.#args);
  }

  /**
   * @returns why the arguments could not be checked; `undefined` if they were
   * @throws {PatchbayError} `invalidArguments`
   */
  #assertValid(validation: Validation): string | undefined {
    if (validation.kind === 'valid') return undefined;
    if (validation.kind === 'invalid') {
      const shown = validation.problems.slice(0, 5);
      const problems = shown.map((problem) => describeProblem(problem, this.#args, 'They')).join(' ');
      if (this.#caller !== 'program') throw this.#refuse(problems);
      // A program is responsible for its arguments, and may test how a server handles invalid ones.
      this.note(this.#describeMismatch(problems));
      return undefined;
    }
    if (this.#unchecked !== validation.reason)
      this.note(`The arguments were not checked against the tool's input schema: ${validation.reason}.`);
    this.#unchecked = validation.reason;
    return validation.reason;
  }

  #refuse(why: string): PatchbayError {
    this.refusal = 'invalid arguments';
    return new PatchbayError('invalidArguments', this.#describeMismatch(why));
  }

  #describeMismatch(why: string): string {
    return `The arguments do not fit the tool "${this.key}". ${why}`;
  }
}

/** The origin of the use, for the guard of definitions. */
const origins: Readonly<Record<Caller, UseOrigin>> = {
  form: 'person',
  again: 'person',
  test: 'person',
  command: 'person',
  extension: 'extension',
  app: 'extension',
  program: 'extension',
};

function findSameDefinition(definitions: readonly Tool[], chosen: Tool): Tool | undefined {
  return definitions.find((tool) => tool === chosen) ?? definitions.find((tool) => isSameDefinition(tool, chosen));
}

/** But for icons, which are not kept with what was shown, and say nothing of the use. */
export function isSameDefinition(one: Tool | undefined, other: Tool | undefined): boolean {
  if (one === undefined || other === undefined || one === other) return one === other;
  const counted = (tool: Tool): string => canonicalJson({ ...tool, icons: undefined });
  return counted(one) === counted(other);
}

/** Size in bytes of UTF-8 and SHA-256 of the arguments as canonical JSON; not the arguments, which may contain secrets. */
async function describeArguments(args: JsonObject): Promise<AuditFacts> {
  const text = canonicalJson(args);
  return { argumentBytes: new TextEncoder().encode(text).length, argumentsSha256: await sha256(text) };
}

/** @throws `broken` without `onInvalid` */
function reported(
  result: CallToolResult,
  broken: InvalidResultError | undefined,
  { onInvalid }: ResultFindings,
): CallToolResult {
  if (broken === undefined) return result;
  if (onInvalid === undefined) throw broken;
  onInvalid(broken);
  return result;
}
