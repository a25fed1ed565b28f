import { sep } from 'node:path';
import { raceAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { definitionsOf } from '../../client/contents.ts';
import type { AnswersInRun } from '../../client/serverRequests/answersInRun.ts';
import { isSameDefinition } from '../../client/toolCalls/toolCalls.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { createRedactor } from '../../secrets/redactor.ts';
import type { ToolAnswer } from '../../workshop/savedCalls/judgeResult.ts';
import type {
  CallTestOptions,
  SavedCallResult,
  SavedCallsFile,
  SavedCallsPort,
  TestedCall,
} from '../../workshop/savedCalls/runSavedCalls.ts';
import { sentBy } from '../../workshop/savedCalls/runSavedCalls.ts';
import type { SavedCallTest } from '../../workshop/savedCalls/savedCallTests.ts';
import { askAboutCalls, type CallQuestion } from './askAboutCalls.ts';
import type { RunOrigin } from './testSource.ts';
import { type SavedCallFile, savedCallFiles } from '../calls/savedCallFiles.ts';
import { findServer } from '../invocation/contentTarget.ts';
import { singleLine } from '../platform/displayText.ts';
import { definitionKey } from '../servers/restartChoices.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import type { WindowSecrets } from '../servers/windowSecrets.ts';
import { snapshotFiles } from '../calls/snapshotFiles.ts';

export interface SavedCallRunPorts {
  readonly registry: ServerRegistry;
  readonly clock: Clock;
  readonly validator: SchemaValidator;
  readonly knownSecrets: Pick<WindowSecrets, 'collector'>;
  readonly answersInRun: AnswersInRun;
}

/**
 * One run of saved calls: it asks once about calls that the person has not seen, and about those that may delete or change data; then it
 * starts their servers, again where they run older code, and calls through the gate for calls.
 */
export class SavedCallRun {
  readonly #ports: SavedCallRunPorts;
  readonly #agreed: Set<string>;
  readonly #origin: RunOrigin;
  readonly #signal: AbortSignal;
  /** Why a server of the run cannot be called. */
  readonly #failed = new Map<string, unknown>();
  /** What the calls of tests may do in this run, by the ids of the tests. */
  readonly #allowed = new Map<string, AllowedTest>();
  /** What was not what the person has written when a call ended, by the ids of the tests. */
  readonly #outdated = new Map<string, string>();

  /** @param agreed calls that the person has seen and agreed to in this window, see {@link sentTo} */
  constructor(ports: SavedCallRunPorts, agreed: Set<string>, origin: RunOrigin, signal: AbortSignal) {
    this.#ports = ports;
    this.#agreed = agreed;
    this.#origin = origin;
    this.#signal = signal;
  }

  /** Asks what has to be asked, and starts the servers of the tests. Rejects only with a cancellation. */
  async prepare(tests: readonly SavedCallTest[]): Promise<void> {
    // As they are now: while a question is open, another server may take a name.
    const runnable = tests
      .filter(({ faults }) => faults.length === 0)
      .map((test) => ({ test, sent: sentTo(this.#ports.registry, test), key: this.#keyOf(test) }));
    // Without its server, a call fails by itself.
    const unseen = runnable.filter(({ sent, key }) => key !== undefined && !this.#agreed.has(sent));
    for (const each of runnable)
      if (!unseen.includes(each)) this.#allowed.set(each.test.id, { key: each.key, tools: [] });
    // Other extensions, and models in them, can begin a run of what a folder has written.
    if (unseen.length > 0 && this.#mayAsk && (await this.#ask('unseen', unseen)))
      for (const { test, sent, key } of unseen) {
        this.#agreed.add(sent);
        this.#allowed.set(test.id, { key, tools: 'any' });
      }
    const allowed = runnable.filter(({ test }) => this.#allowed.has(test.id));
    for (const label of new Set(allowed.map(({ test }) => test.server))) await this.#start(label);
    const risky = allowed.flatMap(({ test, key }) => {
      const tools = this.#allowed.get(test.id)?.tools === 'any' ? [] : this.#destructiveTools(test);
      return tools.length === 0 ? [] : [{ test, key, tools }];
    });
    if (risky.length === 0 || !this.#mayAsk) return;
    if (!(await this.#ask('destructive', risky))) return;
    for (const { test, key, tools } of risky) this.#allowed.set(test.id, { key, tools });
  }

  get #mayAsk(): boolean {
    return this.#origin === 'command' || this.#origin === 'selection';
  }

  #ask(question: CallQuestion, about: readonly { readonly test: SavedCallTest }[]): Promise<boolean> {
    const tests = about.map(({ test }) => test);
    return raceAbort(askAboutCalls(question, tests), this.#signal);
  }

  /** The port of the run for the calls of one file. */
  async portFor({ folder, path }: SavedCallFile): Promise<SavedCallsPort> {
    const { validator, knownSecrets } = this.#ports;
    const collector = await knownSecrets.collector();
    const { secrets } = await collector.collect();
    return {
      validator,
      redactor: createRedactor(secrets),
      readSnapshot: (snapshot) => snapshotFiles.read(folder.path, snapshot),
      callTool: (call, options) => this.#call(call, options, path),
    };
  }

  /** A result of a process that runs something older than what is saved: never a plain pass. */
  marked(result: SavedCallResult): SavedCallResult {
    const old = this.#outdated.get(result.id);
    const { verdict, failures, place } = result;
    if (old === undefined || verdict === 'notRun') return result;
    const message = [result.message, old].filter(Boolean).join('\n');
    if (verdict === 'passed') return { ...result, verdict: 'warning', message };
    return { ...result, message, failures: [...failures, { message: old, line: place?.line ?? 1 }] };
  }

  async #start(label: string): Promise<void> {
    try {
      const host = findServer(this.#ports.registry, label);
      if (this.#mayAsk && host.server.state.kind === 'running' && outdated(host) !== undefined)
        await raceAbort(host.restart('person'), this.#signal);
      if (this.#mayAsk) await host.start('person', this.#signal, 'tools');
      else if (host.server.state.kind === 'running') await host.server.start(this.#signal, 'tools');
      else throw new CancelledError(`The server "${label}" does not run. Run its calls alone, which starts it.`);
    } catch (error) {
      this.#signal.throwIfAborted();
      this.#failed.set(label, error);
    }
  }

  async #call(call: TestedCall, { signal, answers }: CallTestOptions, source: string): Promise<ToolAnswer> {
    const failure = this.#failed.get(call.server);
    if (failure !== undefined) throw failure;
    const { registry, clock, answersInRun } = this.#ports;
    const host = findServer(registry, call.server);
    const allowed = this.#allowed.get(call.id);
    // Another server may have taken the name while a question was open.
    if (allowed === undefined || allowed.key !== definitionKey(host))
      throw new CancelledError(this.#mayAsk ? 'You did not agree to this call.' : notSeen);
    const [tool] = toolsOf(host, call.tool);
    if (tool === undefined)
      throw new PatchbayError('notFound', `The server "${call.server}" lists no tool "${call.tool}".`);
    const problems: string[] = [];
    let sentAt = clock.now();
    let answering: ReturnType<AnswersInRun['begin']> | undefined;
    try {
      const result = await host.server.callTool(call.tool, call.arguments, {
        caller: 'test',
        signal,
        tool,
        // Asked once for the whole run, with the definitions of that moment.
        askInForm: async (asked) => (isAllowed(allowed, asked.tool) ? 'once' : undefined),
        onSend: () => {
          sentAt = clock.now();
          answering = answersInRun.begin(call.server, call.tool, answers, source);
        },
        onInvalid: (error) => problems.push(...error.problems),
      });
      return { result, durationMs: clock.now() - sentAt, problems };
    } finally {
      const old = outdated(host);
      if (old !== undefined) this.#outdated.set(call.id, old);
      answering?.dispose();
    }
  }

  /** The definitions of its tool, if one of them may delete or change data according to its server. */
  #destructiveTools({ server, tool }: SavedCallTest): readonly Tool[] {
    const host = this.#ports.registry.get(server);
    const tools = host === undefined ? [] : toolsOf(host, tool);
    return tools.some(({ annotations }) => annotations?.destructiveHint === true) ? tools : [];
  }

  #keyOf({ server }: SavedCallTest): string | undefined {
    const host = this.#ports.registry.get(server);
    return host && definitionKey(host);
  }
}

/** @returns what changed since its process was started, as a sentence with what to do; `undefined` where nothing has */
function outdated({ isStale, development }: Pick<HostServer, 'isStale' | 'development'>): string | undefined {
  const changed = isStale ? 'its configuration' : development?.staleFile && singleLine(development.staleFile, 100);
  return changed && `This ran on code from before ${changed} changed. Restart the server, then run it again.`;
}

/** `any`: the person has just agreed to the call, whatever its server says of the tool. */
interface AllowedTest {
  /** Of its server, see {@link definitionKey}. */
  readonly key: string | undefined;
  readonly tools: readonly Tool[] | 'any';
}

function isAllowed({ tools }: AllowedTest, asked: Tool | undefined): boolean {
  return tools === 'any' || tools.some((tool) => isSameDefinition(tool, asked));
}

/** What a test sends and to which server, as a text that changes with either. */
export function sentTo(registry: Pick<ServerRegistry, 'get'>, test: SavedCallTest): string {
  const host = registry.get(test.server);
  return JSON.stringify([host && definitionKey(host), sentBy(test)]);
}

const notSeen = 'You have not tested this call in this window. Run it alone: then you are asked.';

function toolsOf({ server }: HostServer, name: string): readonly Tool[] {
  return definitionsOf(server.contents, 'tools', name) as readonly Tool[];
}

/** A file with the folders of this workspace, for a run. */
export function toTestFile({ folder, path }: SavedCallFile, text: string): SavedCallsFile {
  const folders = savedCallFiles.files().map((each) => each.folder);
  return { path, text, folder, folders, pathSeparator: sep === '\\' ? '\\' : '/' };
}
