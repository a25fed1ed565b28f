import { sep } from 'node:path';
import { raceAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { PatchbayError } from '../../base/errors.ts';
import { definitionsOf } from '../../client/contents.ts';
import type { AnswersInRun } from '../../client/serverRequests/answersInRun.ts';
import { isSameDefinition } from '../../client/toolCalls/toolCalls.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { createRedactor } from '../../secrets/redactor.ts';
import type { ToolAnswer } from '../../workshop/savedCalls/judgeResult.ts';
import type {
  CallTestOptions,
  SavedCallsFile,
  SavedCallsPort,
  TestedCall,
} from '../../workshop/savedCalls/runSavedCalls.ts';
import type { SavedCallTest } from '../../workshop/savedCalls/savedCallTests.ts';
import { type SavedCallFile, savedCallFiles } from '../calls/savedCallFiles.ts';
import { findServer } from '../invocation/contentTarget.ts';
import { askSafely } from '../platform/dialogs.ts';
import { countOf, singleLine } from '../platform/displayText.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import type { WindowSecrets } from '../servers/windowSecrets.ts';
import { snapshotFiles } from './snapshotFiles.ts';

export interface SavedCallRunPorts {
  readonly registry: ServerRegistry;
  readonly clock: Clock;
  readonly validator: SchemaValidator;
  readonly knownSecrets: Pick<WindowSecrets, 'collector'>;
  readonly answersInRun: AnswersInRun;
}

/** Who wants a run: the person, or a restart of the server after which the person wants one. */
export type RunOrigin = 'person' | 'restart';

/**
 * One run of saved calls: it starts their servers, asks once about all calls that may delete or change data, and calls through the gate
 * for calls. What is allowed in it ends with it.
 */
export class SavedCallRun {
  readonly #ports: SavedCallRunPorts;
  readonly #origin: RunOrigin;
  readonly #signal: AbortSignal;
  /** Why a server of the run cannot be called. */
  readonly #failed = new Map<string, unknown>();
  /** Definitions of tools that may delete or change data, and that the person has agreed to call. */
  readonly #agreed: { readonly server: string; readonly tool: Tool }[] = [];

  constructor(ports: SavedCallRunPorts, origin: RunOrigin, signal: AbortSignal) {
    this.#ports = ports;
    this.#origin = origin;
    this.#signal = signal;
  }

  /** Starts the servers of the tests, and asks what has to be asked. Rejects only with a cancellation. */
  async prepare(tests: readonly SavedCallTest[]): Promise<void> {
    const runnable = tests.filter(({ faults }) => faults.length === 0);
    for (const label of new Set(runnable.map(({ server }) => server))) await this.#start(label);
    const risky = runnable.filter((test) => this.#destructiveTools(test).length > 0);
    if (risky.length === 0 || this.#origin !== 'person') return;
    const answer = await raceAbort(askSafely(destructiveQuestion(risky)), this.#signal);
    if (answer !== 'Call Them') return;
    for (const test of risky)
      for (const tool of this.#destructiveTools(test)) this.#agreed.push({ server: test.server, tool });
  }

  /** The port of the run for the calls of one file. */
  async portFor({ folder, path }: SavedCallFile): Promise<SavedCallsPort> {
    const { validator, knownSecrets } = this.#ports;
    const collector = await knownSecrets.collector();
    await collector.collect();
    return {
      validator,
      redactor: createRedactor(collector.current()),
      readSnapshot: (snapshot) => snapshotFiles.read(folder.path, snapshot),
      callTool: (call, options) => this.#call(call, options, path),
    };
  }

  async #start(label: string): Promise<void> {
    try {
      const host = findServer(this.#ports.registry, label);
      // After a restart, no one is asked.
      await (this.#origin === 'person'
        ? host.start('person', this.#signal, 'tools')
        : host.server.start(this.#signal, 'tools'));
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
        askInForm: async (asked) =>
          this.#agreed.some(
            ({ server, tool: agreed }) => server === asked.server && isSameDefinition(agreed, asked.tool),
          )
            ? 'once'
            : undefined,
        onSend: () => {
          sentAt = clock.now();
          answering = answersInRun.begin(call.server, call.tool, answers, source);
        },
        onInvalid: (error) => problems.push(...error.problems),
      });
      return { result, durationMs: clock.now() - sentAt, problems };
    } finally {
      answering?.dispose();
    }
  }

  /** The definitions of its tool, if one of them may delete or change data according to its server. */
  #destructiveTools({ server, tool }: SavedCallTest): readonly Tool[] {
    const host = this.#ports.registry.get(server);
    const tools = host === undefined ? [] : toolsOf(host, tool);
    return tools.some(({ annotations }) => annotations?.destructiveHint === true) ? tools : [];
  }
}

function toolsOf({ server }: HostServer, name: string): readonly Tool[] {
  return definitionsOf(server.contents, 'tools', name) as readonly Tool[];
}

const shownCalls = 12;

function destructiveQuestion(tests: readonly SavedCallTest[]) {
  const lines = tests.slice(0, shownCalls).map(({ server, tool, call, case: name }) => {
    const which = name === undefined ? call : `${call}: ${name}`;
    return `• ${singleLine(tool, 60)} of ${singleLine(server, 40)} (“${singleLine(which, 60)}”)`;
  });
  const more = tests.length > lines.length ? [`and ${tests.length - lines.length} more`] : [];
  return {
    message: `Call tools that may delete or change data? The run has ${countOf(tests.length, 'such call')}.`,
    detail: `Their servers say so of these tools. The answer holds for this run only.\n\n${[...lines, ...more].join('\n')}`,
    safe: 'Skip Them',
    actions: ['Call Them'],
  } as const;
}

/** A file with the folders of this workspace, for a run. */
export function toTestFile({ folder, path }: SavedCallFile, text: string): SavedCallsFile {
  const folders = savedCallFiles.files().map((each) => each.folder);
  return { path, text, folder, folders, pathSeparator: sep === '\\' ? '\\' : '/' };
}
