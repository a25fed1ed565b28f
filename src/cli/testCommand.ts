import { withoutSecrets } from '../workshop/checks/withoutSecrets.ts';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { createSystemClock } from '../base/clock.ts';
import { messageOf, PatchbayError } from '../base/errors.ts';
import { JsonRpcError } from '../protocol/jsonRpc.ts';
import { createValidator } from '../headless.ts';
import { readOrdinaryFile } from '../transport/stdio/ordinaryFile.ts';
import type { CallAnswers } from '../workshop/savedCalls/callAnswers.ts';
import type { ToolAnswer } from '../workshop/savedCalls/judgeResult.ts';
import { snapshotLimits } from '../workshop/savedCalls/resultSnapshot.ts';
import {
  runSavedCalls,
  type CallTestOptions,
  type SavedCallResult,
  type SavedCallsFile,
  type SavedCallsPort,
  type TestedCall,
} from '../workshop/savedCalls/runSavedCalls.ts';
import { savedCallLimits } from '../workshop/savedCalls/savedCallText.ts';
import { version } from '../../package.json';
import type { Invocation } from './arguments.ts';
import { exitCodes, UsageError } from './exitCodes.ts';
import { loadServers } from './loadServers.ts';
import { writeReport } from './writeReport.ts';
import { createSnapshotWriter } from './snapshotWriter.ts';
import { openServers, type ServerHost } from './serverHost.ts';
import { type Surroundings, targetsOf } from './targets.ts';

const usualFile = '.vscode/mcp-calls.json';

/** What answers requests of the server that is called now. */
interface CurrentCall {
  readonly server: string;
  readonly answers: CallAnswers;
}

export async function testCommand(
  { positionals, options }: Invocation,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<number> {
  const { cwd, output } = surroundings;
  const path = resolve(cwd, positionals.file ?? usualFile);
  const file = await readFile(path);
  const found = await loadServers(cwd, options.config);
  for (const problem of found.problems) output.note(problem);
  let current: CurrentCall | undefined;
  const answersFor = (server: string): CallAnswers | undefined =>
    current?.server === server ? current.answers : undefined;
  await using host = openServers(targetsOf(found, options, surroundings), output, {
    onSampling: async (request, { server }) => {
      const answer = answersFor(server)?.sampling(request);
      if (answer === undefined) throw new JsonRpcError(-1, 'The saved call has no answer to this request.');
      return answer;
    },
    onElicitation: async (request, { server }) => answersFor(server)?.elicitation(request) ?? { action: 'decline' },
  });
  using validator = createDisposableValidator();
  const unreachable = new Set<string>();
  const port: SavedCallsPort = {
    validator,
    get redactor() {
      return host.redactor;
    },
    readSnapshot: async (snapshot) =>
      // Characters of a snapshot have at most four bytes.
      readOrdinaryFile(join(file.folder.path, snapshot), 4 * snapshotLimits.characters).catch(() => undefined),
    ...(options.flags.has('update-snapshots') && {
      writeSnapshot: createSnapshotWriter(file.folder.path, (name) => output.note(`Snapshot written: ${name}`)),
    }),
    async callTool(call, callOptions) {
      current = { server: call.server, answers: callOptions.answers };
      return await callOnce(host, call, callOptions, unreachable).finally(() => (current = undefined));
    },
  };
  const results: SavedCallResult[] = [];
  for await (const result of runSavedCalls(file, port, { signal })) results.push(result);
  signal.throwIfAborted();
  const suites = [
    { name: relative(cwd, path) || path, results: results.map((result) => withoutSecrets(result, host.redactor)) },
  ];
  const report = { suites, version, folder: cwd, isStrict: options.flags.has('strict') };
  const code = await writeReport(report, options, output);
  return unreachable.size > 0 ? exitCodes.unreachable : code;
}

async function readFile(path: string): Promise<SavedCallsFile> {
  const parent = dirname(path);
  const folder = path.endsWith(join(sep, usualFile)) ? dirname(parent) : parent;
  const context = { folder: { name: '', path: folder }, folders: [], pathSeparator: sep } as const;
  try {
    return { ...context, path, text: await readOrdinaryFile(path, savedCallLimits.bytes) };
  } catch (error) {
    throw new UsageError(`The file of saved calls ${path} ${messageOf(error)}.`);
  }
}

async function callOnce(
  { servers }: ServerHost,
  { server: label, tool, arguments: args }: TestedCall,
  { signal }: CallTestOptions,
  unreachable: Set<string>,
): Promise<ToolAnswer> {
  const server = servers.get(label);
  if (server === undefined)
    throw new PatchbayError('notFound', `there is no server "${label}" in the configuration files.`);
  try {
    await server.start(signal);
  } catch (error) {
    if (!signal.aborted) unreachable.add(label);
    throw error;
  }
  const clock = createSystemClock();
  let [sentAt, problems]: [number, readonly string[]] = [clock.now(), []];
  const result = await server.callTool(tool, args, {
    caller: 'program',
    signal,
    onSend: () => (sentAt = clock.now()),
    onInvalid: (error) => (problems = error.problems),
  });
  return { result, durationMs: clock.now() - sentAt, problems };
}

function createDisposableValidator() {
  const validator = createValidator();
  return Object.assign(validator, { [Symbol.dispose]: () => validator.dispose() });
}
