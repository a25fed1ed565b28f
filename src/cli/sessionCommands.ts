import { resolve } from 'node:path';
import { createSystemClock } from '../base/clock.ts';
import { isPatchbayError } from '../base/errors.ts';
import { tapTransport } from '../client/trace/tappedChannel.ts';
import { sessionExtension } from '../transport/replay/recordedSession.ts';
import { createReplay } from '../transport/replay/createReplay.ts';
import { takeRecordingFile } from '../transport/stdio/recordingFile.ts';
import type { CloseReason } from '../transport/transport.ts';
import { SessionRecorder } from '../workshop/sessions/sessionRecorder.ts';
import { version } from '../../package.json';
import type { Invocation } from './arguments.ts';
import { exitCodes, UsageError } from './exitCodes.ts';
import type { Output } from './output.ts';
import { openServers } from './serverHost.ts';
import { servePipe } from './servePipe.ts';
import { findTargets, type Surroundings } from './targets.ts';

const usage = 'Use this command as the server of a client: as the "command" and "args" in its configuration.';
const hint = `Waiting for the messages of a client on standard input. ${usage}`;

/** Passes messages between a client and a server, and writes them to a file without secrets. */
export async function recordCommand(
  invocation: Invocation,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<number> {
  const { cwd, output } = surroundings;
  const path = resolve(cwd, invocation.positionals.file ?? '');
  // It replaces a file: by mistake, only another recording.
  if (!path.endsWith(sessionExtension))
    throw new UsageError(`The name of a recorded session ends with ${sessionExtension}.`);
  const [target] = await findTargets(invocation, surroundings);
  if (target === undefined) return exitCodes.usage;
  await using host = openServers([target], output);
  const { label } = target;
  const plan = await host.planOf(target);
  const file = await takeRecordingFile(path);
  const transport = await host.createTransport(plan, target.options.limits);
  if (output.isVerbose) transport.onLog(({ text }) => output.note(host.redactor.text(text)));
  const recorder = new SessionRecorder({
    clock: createSystemClock(),
    writer: version,
    write: file.write,
    onEnd: (problem) => problem !== undefined && output.note(problem),
  });
  const channel = tapTransport(transport, { label, plan, open: recorder.open });
  try {
    return codeOf(await servePipe(transport, channel, pipeOf(output), signal), output);
  } catch (error) {
    if (signal.aborted || isPatchbayError(error, 'configuration')) throw error;
    output.note(host.describe(error));
    return exitCodes.unreachable;
  } finally {
    const count = await recorder.stop();
    await file.release();
    output.note(`Recorded ${count === 1 ? '1 line' : `${count} lines`}.`);
    if (process.stdin.bytesRead === 0) output.note(`No message of a client came on standard input. ${usage}`);
  }
}

/** Is the server of a recorded session. */
export async function replayCommand(
  { positionals, options }: Invocation,
  { cwd, output }: Surroundings,
  signal: AbortSignal,
): Promise<number> {
  const { mode = 'lenient' } = options;
  if (mode !== 'lenient' && mode !== 'strict') throw new UsageError('"--mode" is lenient or strict.');
  const transport = createReplay(resolve(cwd, positionals.file ?? ''), mode, createSystemClock());
  transport.onLog(({ text }) => output.note(text));
  return codeOf(await servePipe(transport, transport, pipeOf(output), signal), output);
}

function pipeOf({ note }: Output): Parameters<typeof servePipe>[2] {
  if (process.stdin.isTTY) note(hint);
  return { input: process.stdin, output: process.stdout, note };
}

/** @param reason `undefined` where the client has ended, as it should be */
function codeOf(reason: CloseReason | undefined, { note }: Output): number {
  if (reason === undefined || reason.kind === 'requested') return exitCodes.fine;
  note(reason.kind === 'failed' ? reason.error.message : `The server has ended with code ${reason.code}.`);
  return exitCodes.unreachable;
}
