import { realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { type FileSystemWatcher, RelativePattern, Uri, workspace } from 'vscode';
import { raceAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { limits } from '../../base/limits.ts';
import { describeLookAlikes } from '../../base/lookAlike.ts';
import type { Logger } from '../../base/logger.ts';
import type { ConfigurationProblem } from '../../config/configurationProblem.ts';
import type { ConfigurationSource, ConfiguredServer } from '../../config/configuredServer.ts';
import type { InputOwner, ResolvedLaunch } from '../../config/createLaunchPlan.ts';
import type { LoadedSource } from '../../config/mergeConfiguration.ts';
import type { ResolvedInput } from '../../config/expandVariables.ts';
import type { RequestedBy } from './requester.ts';
import {
  configurationFileAt,
  loadConfiguration,
  type LoadedConfiguration,
  openFolders,
  userSource,
  watchedPattern,
} from './configurationFiles.ts';
import type { PromptContext, InputStore } from './inputStore.ts';
import { readTextFile } from '../platform/readTextFile.ts';

export interface ConfigurationSnapshot {
  /** Unchanged servers are the same objects in the next snapshot. */
  readonly servers: readonly ConfiguredServer[];
  /** By URI. Contains every file that exists. */
  readonly files: ReadonlyMap<string, FileProblems>;
  /**
   * Problems in the settings `patchbay.servers`, `patchbay.inputs` and `patchbay.serverOptions`. They are logged: the
   * Problems view shows files only.
   */
  readonly settingProblems: readonly ConfigurationProblem[];
  /** The number of errors and warnings in files, as the Problems view shows them. */
  readonly problemCount: number;
}

export interface FileProblems {
  /** The text as it was read, which the offsets of the problems refer to. */
  readonly text: string;
  readonly problems: readonly ConfigurationProblem[];
}

/** Reads the configuration, follows its changes, and makes launch plans of definitions. */
export interface ConfigurationService extends Disposable {
  readonly snapshot: ConfigurationSnapshot;
  readonly onDidChange: Event<ConfigurationSnapshot>;
  /** The server that is configured under a label now. */
  readonly get: (label: string) => ConfiguredServer | undefined;
  /** How the label of a server could be taken for that of another, in a few words; `undefined` for nearly all. */
  readonly lookAlike: (label: string) => string | undefined;
  /** Reads everything again. Resolves when `snapshot` is current. */
  refresh(): Promise<void>;
  /**
   * Replaces the variables of a definition but for its inputs, and asks nothing.
   * @throws {PatchbayError} `configuration`, or the reason of the signal
   */
  describe(server: ConfiguredServer, signal: AbortSignal): Promise<ResolvedLaunch>;
  /**
   * Replaces the variables of a definition, and asks for inputs that have no value yet.
   * @param requestedBy called before each question
   * @throws {PatchbayError} `configuration`; an {@link UnrequestedStartError} if no one can be asked; a CancelledError when
   * the person closes an input; or the reason of the signal
   */
  resolve(server: ConfiguredServer, requestedBy: () => RequestedBy, signal: AbortSignal): Promise<ResolvedLaunch>;
}

export interface ConfigurationServiceOptions {
  /** The demo server, if the setting asks for it. */
  readonly demo: () => LoadedSource | undefined;
  readonly inputs: InputStore;
  /** The environment for `${env:NAME}`: the one that servers get. */
  readonly environment: () => Promise<Readonly<Record<string, string | undefined>>>;
  readonly userHome: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Waits for further events: an editor that saves by renaming causes three. */
const debounceMs = 100;
const emptySnapshot: ConfigurationSnapshot = { servers: [], files: new Map(), settingProblems: [], problemCount: 0 };

/** Follows all changes from now on. Call `refresh()` once for the first reading. */
export function createConfigurationService(options: ConfigurationServiceOptions): ConfigurationService {
  const store = new DisposableStore();
  const onDidChange = store.add(new Emitter<ConfigurationSnapshot>());
  let snapshot = emptySnapshot;
  let byLabel: ReadonlyMap<string, ConfiguredServer> = new Map();
  let sources: readonly LoadedSource[] = [];
  let latest: Promise<void> | undefined;

  function refresh(): Promise<void> {
    // `read` calls this after its first await: `latest` is then this promise, or that of a later call.
    const reading: Promise<void> = read(() => (latest === reading ? undefined : latest));
    latest = reading;
    return reading;
  }

  /** @param newer the later call that replaces this one, if any */
  async function read(newer: () => Promise<void> | undefined): Promise<void> {
    const loaded = await loadConfiguration(options.demo(), sources);
    if (store.isDisposed) return;
    const instead = newer();
    if (instead !== undefined) return instead;
    sources = loaded.sources;
    const next = toSnapshot(loaded, snapshot);
    if (isSameSnapshot(snapshot, next)) return;
    if (!isEqual(snapshot.settingProblems, next.settingProblems)) {
      for (const { message } of next.settingProblems) options.logger.warn(`Settings: ${message}`);
    }
    snapshot = next;
    byLabel = new Map(next.servers.map((server) => [server.label, server]));
    onDidChange.fire(snapshot);
  }

  store.add(
    watchConfiguration(options.clock, () => {
      refresh().catch((error: unknown) =>
        options.logger.error(`The configuration cannot be read: ${messageOf(error)}`),
      );
    }),
  );
  return {
    get snapshot() {
      return snapshot;
    },
    onDidChange: onDidChange.event,
    get: (label) => byLabel.get(label),
    lookAlike: (label) => describeLookAlikes(snapshot.servers.map((server) => server.label)).get(label),
    refresh,
    describe: (server, signal) =>
      raceAbort(
        resolveLaunch(server, () => sources, options),
        signal,
      ),
    resolve: (server, requestedBy, signal) =>
      raceAbort(
        resolveLaunch(server, () => sources, options, { requestedBy, signal }),
        signal,
      ),
    dispose: () => store.dispose(),
  };
}

/** @param asking who is asked for inputs; absent to leave them as they are written */
async function resolveLaunch(
  server: ConfiguredServer,
  sources: () => readonly LoadedSource[],
  { inputs, environment, userHome }: ConfigurationServiceOptions,
  asking?: PromptContext,
): Promise<ResolvedLaunch> {
  const { label } = server;
  const resolveInput = async (id: string, target: string, owner: InputOwner): Promise<ResolvedInput> => {
    const source = owner === 'user' ? userSource : server.source;
    const input = sources()
      .find((loaded) => isSameSource(loaded.source, source))
      ?.parsed.inputs.find((known) => known.id === id);
    const user = { label, target };
    if (input !== undefined)
      return asking === undefined ? inputs.describe(source, input, user) : inputs.resolve(source, input, user, asking);
    const place = source.kind === 'user' ? 'your setting "patchbay.inputs"' : `"inputs" of ${source.title}`;
    const message = `Server "${label}" cannot be started: the input "${id}" is not defined in ${place}.`;
    throw new PatchbayError('configuration', message);
  };
  const { createLaunchPlan } = await import('../../config/createLaunchPlan.ts');
  return createLaunchPlan(server, {
    folders: openFolders(),
    userHome,
    pathSeparator: sep,
    environment: await environment(),
    resolveInput,
    leavesInputs: asking === undefined,
    realPath: realSocketPath,
    readTextFile: async (path) => {
      const text = await readTextFile(Uri.file(path), limits.configuration.bytes);
      if (text === undefined) throw new Error('there is no such file');
      return text;
    },
  });
}

/** @returns the path without symbolic links; of a socket that does not exist yet, that of its folder */
async function realSocketPath(path: string): Promise<string> {
  // A named pipe has no links.
  if (!path.startsWith('/')) return path;
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return join(folder, basename(path));
}

function watchConfiguration(clock: Clock, onChange: () => void): Disposable {
  const store = new DisposableStore();
  const watchers = store.add(new DisposableStore());
  const readings = store.add(new Coalescer(clock, () => debounceMs, onChange));
  const schedule = (): void => readings.postpone();
  /** A file saved in the editor is whole: only further events wait. */
  const saved = (): void => (readings.isWaiting() ? readings.postpone() : readings.request());
  const watchFolders = (): void => {
    watchers.clear();
    for (const folder of workspace.workspaceFolders ?? []) {
      watchers.add(
        watchFiles(workspace.createFileSystemWatcher(new RelativePattern(folder, watchedPattern)), schedule),
      );
    }
  };
  // Setting up a watcher takes time, which must not delay activation or the first reading.
  store.add(clock.after(0, watchFolders));
  store.add(
    workspace.onDidChangeWorkspaceFolders(() => {
      watchFolders();
      schedule();
    }),
  );
  // Faster than the watcher, and reliable: file watching can be excluded or fail.
  store.add(workspace.onDidSaveTextDocument(({ uri }) => configurationFileAt(uri) !== undefined && saved()));
  store.add(workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('patchbay') && schedule()));
  store.add(workspace.onDidGrantWorkspaceTrust(schedule));
  return store;
}

function watchFiles(watcher: FileSystemWatcher, onChange: () => void): Disposable {
  const store = new DisposableStore();
  store.add(watcher);
  store.add(watcher.onDidChange(onChange));
  store.add(watcher.onDidCreate(onChange));
  store.add(watcher.onDidDelete(onChange));
  return store;
}

function toSnapshot(loaded: LoadedConfiguration, previous: ConfigurationSnapshot): ConfigurationSnapshot {
  const files = new Map<string, FileProblems>();
  const settingProblems: ConfigurationProblem[] = [...loaded.optionProblems];
  for (const [index, { source }] of loaded.sources.entries()) {
    const problems = loaded.problems[index] ?? [];
    if (source.uri === undefined) settingProblems.push(...problems);
    else files.set(source.uri, { problems, text: loaded.texts.get(source.uri) ?? '' });
  }
  const inFiles = [...files.values()].flatMap(({ problems }) => problems);
  const known = new Map(previous.servers.map((server) => [server.label, server]));
  return {
    servers: loaded.servers.map((server) => {
      const before = known.get(server.label);
      return before !== undefined && isEqual(before, server) ? before : server;
    }),
    files,
    settingProblems,
    problemCount: inFiles.filter(({ severity }) => severity !== 'information').length,
  };
}

function isSameSnapshot(left: ConfigurationSnapshot, right: ConfigurationSnapshot): boolean {
  const isSameList =
    left.servers.length === right.servers.length &&
    left.servers.every((server, index) => server === right.servers[index]);
  return (
    isSameList && isEqual([...left.files], [...right.files]) && isEqual(left.settingProblems, right.settingProblems)
  );
}

function isSameSource(left: ConfigurationSource, right: ConfigurationSource): boolean {
  return left.kind === right.kind && left.uri === right.uri;
}

/** Both are plain data with members in the same order: equal texts mean equal values. */
function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
