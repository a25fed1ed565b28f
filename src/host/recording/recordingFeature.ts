import { homedir } from 'node:os';
import { basename } from 'node:path';
import { commands, Uri, window, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { CommandIds } from '../commandIds.ts';
import { fileName } from '../platform/fileName.ts';
import { countOf, notificationText, singleLine } from '../platform/displayText.ts';
import { asPreview, showWith } from '../platform/documents.ts';
import { showError } from '../platform/showError.ts';
import { pickServer } from '../servers/pickServer.ts';
import type { RecordedServers } from '../servers/recordedServers.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { type RecordingFile, takeRecordingFile } from '../../transport/stdio/recordingFile.ts';
import { sessionExtension } from '../../transport/replay/recordedSession.ts';
import { SessionRecorder } from '../../workshop/sessions/sessionRecorder.ts';

interface RecordingPorts {
  readonly registry: ServerRegistry;
  readonly recorded: RecordedServers;
  readonly actions: Pick<ServerActions, 'start' | 'restart'>;
  readonly clock: Clock;
  /** The version of Patchbay. */
  readonly version: string;
}

interface Recording {
  readonly label: string;
  readonly target: Uri;
  readonly recorder: SessionRecorder;
  readonly file: RecordingFile;
}

const add = 'Add Recording as MCP Server';
const stop = 'Stop Recording';

/** Records sessions of servers to files that the person chooses. */
export class RecordingFeature implements Disposable {
  readonly #ports: RecordingPorts;
  /** By the path of the file: it has one recording at a time. */
  readonly #recordings = new Map<string, Recording>();

  constructor(ports: RecordingPorts) {
    this.#ports = ports;
  }

  /** *Record Session…*: the argument is a row of the tree, a label or nothing. */
  async record(argument: unknown): Promise<void> {
    const { registry, recorded, actions } = this.#ports;
    const host = await pickServer(registry, argument, {
      placeholder: 'Record a session of which server? It is started again.',
      whenNone: 'No server can be recorded: each is recorded already, or disabled.',
      isApplicable: ({ isRecorded, isDisabled }) => !isRecorded && !isDisabled,
      acts: true,
    });
    if (host === undefined) return;
    const { label } = host;
    refuseRecorded(host);
    const target = await this.#askFile(label);
    if (target === undefined) return;
    // Another recording of it may have begun while the person chose a file.
    refuseRecorded(host);
    const recording = this.#begin(label, target, await takeRecordingFile(target.fsPath));
    // A recording without its first messages could not be played.
    await (host.server.state.kind === 'running' ? actions.restart(label) : actions.start(label));
    if (host.server.state.kind !== 'running') return this.#finish(recording, 'The server did not start.');
    if (recorded.isRecorded(label)) void this.#say(recording);
  }

  /** *Stop Recording*: the server continues. */
  async stop(argument: unknown): Promise<void> {
    const host: HostServer | undefined = await pickServer(this.#ports.registry, argument, {
      placeholder: 'Stop recording which server?',
      whenNone: 'No server is recorded.',
      isApplicable: ({ isRecorded }) => isRecorded,
    });
    const recording = [...this.#recordings.values()].find(({ label }) => label === host?.label);
    await recording?.recorder.stop();
  }

  dispose(): void {
    const { recorded } = this.#ports;
    recorded.written = Promise.all([...this.#recordings.values()].map(({ recorder }) => recorder.stop()));
  }

  /** @throws {PatchbayError} `configuration` for a name or a place that cannot be used */
  async #askFile(label: string): Promise<Uri | undefined> {
    const folder = workspace.workspaceFolders?.[0]?.uri ?? Uri.file(homedir());
    const target = await window.showSaveDialog({
      title: `Record a Session of ${notificationText(label, 60)}: the Server Is Started Again`,
      defaultUri: Uri.joinPath(folder, `${fileName(label)}${sessionExtension}`),
      saveLabel: 'Record',
    });
    if (target === undefined) return undefined;
    if (target.scheme !== 'file')
      throw new PatchbayError('configuration', 'A session is recorded to a file on disk only.');
    // It replaces a file: by mistake, only another recording.
    if (!target.path.endsWith(sessionExtension))
      throw new PatchbayError('configuration', `The name of a recorded session must end with ${sessionExtension}.`);
    if (this.#recordings.has(target.fsPath))
      throw new PatchbayError('configuration', `${basename(target.fsPath)} is being written by another recording.`);
    return target;
  }

  #begin(label: string, target: Uri, file: RecordingFile): Recording {
    const { recorded, clock, version } = this.#ports;
    const recorder = new SessionRecorder({
      clock,
      writer: version,
      write: file.write,
      onEnd: (problem) => void this.#finish(recording, problem).catch(showError),
    });
    const recording: Recording = { label, target, recorder, file };
    this.#recordings.set(target.fsPath, recording);
    recorded.set(label, recorder.open);
    return recording;
  }

  async #say(recording: Recording): Promise<void> {
    const name = basename(recording.target.fsPath);
    const text = `Recording what goes to and from ${notificationText(recording.label, 60)} to ${name}.`;
    const answer = await window.showInformationMessage(text, stop);
    if (answer === stop) await recording.recorder.stop();
  }

  /** Called at the end of a recording, whatever ends it. */
  async #finish({ label, target, recorder, file }: Recording, problem: string | undefined): Promise<void> {
    if (!this.#recordings.delete(target.fsPath)) return;
    this.#ports.recorded.set(label, undefined);
    const lines = await recorder.stop();
    await file.release();
    const name = basename(target.fsPath);
    const why = problem === undefined ? '' : `${problem} `;
    if (lines === 0) {
      void window.showWarningMessage(notificationText(`${why}Nothing of ${label} was recorded.`, 1_000));
      return;
    }
    const text = notificationText(`${why}Recorded ${countOf(lines, 'line')} of ${label} in ${name}.`, 1_000);
    await showWith(target, 'default', asPreview);
    const answer = await window.showInformationMessage(text, add);
    if (answer === add) await commands.executeCommand(CommandIds.addReplay, target);
  }
}

/** @throws {PatchbayError} `configuration` for a server that has a recording */
function refuseRecorded({ isRecorded, label }: HostServer): void {
  if (isRecorded) throw new PatchbayError('configuration', `"${singleLine(label)}" is recorded already.`);
}
