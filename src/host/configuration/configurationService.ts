import { realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { Uri, workspace } from 'vscode';
import { raceAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { limits } from '../../base/limits.ts';
import { describeLookAlikes } from '../../base/lookAlike.ts';
import type { Logger } from '../../base/logger.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import type { InputOwner, ResolvedLaunch } from '../../config/createLaunchPlan.ts';
import type { LoadedSource } from '../../config/mergeConfiguration.ts';
import type { ResolvedInput } from '../../config/expandVariables.ts';
import {
  configurationFileAt,
  type ConfigurationSnapshot,
  loadConfiguration,
  openFolders,
  userSource,
  watchedPlaces,
} from './configurationFiles.ts';
import type { RequestedBy } from './requester.ts';
import type { PromptContext, InputStore } from './inputStore.ts';
import { readTextFile } from '../platform/readTextFile.ts';

interface ConfigurationServiceOptions {
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

/**
 * Reads the configuration, follows its changes, and makes launch plans of definitions. Follows all changes from now on; call
 * `refresh()` once for the first reading.
 */
export class ConfigurationService implements Disposable {
  readonly #options: ConfigurationServiceOptions;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<ConfigurationSnapshot>());
  #snapshot: ConfigurationSnapshot = {
    servers: [],
    files: new Map(),
    settingProblems: [],
    problemCount: { files: 0, settings: 0 },
  };
  #byLabel: ReadonlyMap<string, ConfiguredServer> = new Map();
  #sources: readonly LoadedSource[] = [];
  #latest: Promise<void> | undefined;

  readonly onDidChange = this.#onDidChange.event;

  constructor(options: ConfigurationServiceOptions) {
    this.#options = options;
    const fail = (error: unknown): void =>
      options.logger.error(`The configuration cannot be read: ${messageOf(error)}`);
    this.#store.add(watchConfiguration(options.clock, () => void this.refresh().catch(fail)));
  }

  /** Unchanged servers are the same objects in the next snapshot. */
  get snapshot(): ConfigurationSnapshot {
    return this.#snapshot;
  }

  readonly get = (label: string): ConfiguredServer | undefined => this.#byLabel.get(label);

  /** How the label of a server could be taken for that of another, in a few words; `undefined` for nearly all. */
  readonly lookAlike = (label: string): string | undefined =>
    describeLookAlikes(this.#snapshot.servers.map((server) => server.label)).get(label);

  /** Reads everything again. Resolves when `snapshot` is current. */
  refresh(): Promise<void> {
    // `#read` calls this after its first await: `#latest` is then this promise, or that of a later call.
    const reading: Promise<void> = this.#read(() => (this.#latest === reading ? undefined : this.#latest));
    this.#latest = reading;
    return reading;
  }

  /**
   * Replaces the variables of a definition, and asks for inputs that have no value yet.
   * @param requestedBy called before each question; without it, inputs stay as they are written
   * @throws {PatchbayError} `configuration`; an {@link UnrequestedStartError} if no one can be asked; a CancelledError when
   * the person closes an input; or the reason of the signal
   */
  resolve(
    server: ConfiguredServer,
    requestedBy: (() => RequestedBy) | undefined,
    signal: AbortSignal,
  ): Promise<ResolvedLaunch> {
    return raceAbort(this.#resolve(server, requestedBy && { requestedBy, signal }), signal);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** @param newer the later call that replaces this one, if any */
  async #read(newer: () => Promise<void> | undefined): Promise<void> {
    const loaded = await loadConfiguration(this.#options.demo(), this.#sources);
    if (this.#store.isDisposed) return;
    const instead = newer();
    if (instead !== undefined) return instead;
    this.#sources = loaded.sources;
    const before = this.#snapshot;
    const servers = loaded.snapshot.servers.map((server) => {
      const known = this.get(server.label);
      return known !== undefined && isEqual(known, server) ? known : server;
    });
    const next = { ...loaded.snapshot, servers };
    if (isEqual(textsOf(before), textsOf(next))) return;
    if (!isEqual(before.settingProblems, next.settingProblems)) {
      for (const { message } of next.settingProblems) this.#options.logger.warn(`Settings: ${message}`);
    }
    this.#snapshot = next;
    this.#byLabel = new Map(servers.map((server) => [server.label, server]));
    this.#onDidChange.fire(next);
  }

  async #resolve(server: ConfiguredServer, asking: PromptContext | undefined): Promise<ResolvedLaunch> {
    const { inputs, environment, userHome } = this.#options;
    const { label } = server;
    const resolveInput = async (id: string, target: string, owner: InputOwner): Promise<ResolvedInput> => {
      const { kind, uri, title } = owner === 'user' ? userSource : server.source;
      const loaded = this.#sources.find(({ source }) => source.kind === kind && source.uri === uri);
      const input = loaded?.parsed.inputs.find((known) => known.id === id);
      if (loaded === undefined || input === undefined) {
        const place = kind === 'user' ? 'your setting "patchbay.inputs"' : `"inputs" of ${title}`;
        const message = `Server "${label}" cannot be started: the input "${id}" is not defined in ${place}.`;
        throw new PatchbayError('configuration', message);
      }
      const user = { label, target };
      if (asking === undefined) return inputs.describe(loaded.source, input, user);
      return inputs.resolve(loaded.source, input, user, asking);
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
  const readings = store.add(new Coalescer(clock, debounceMs, onChange));
  const schedule = (): void => readings.postpone();
  const watchFolders = (): void => {
    watchers.clear();
    for (const pattern of watchedPlaces()) {
      const watcher = watchers.add(workspace.createFileSystemWatcher(pattern));
      for (const on of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) watchers.add(on(schedule));
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
  store.add(
    workspace.onDidSaveTextDocument(({ uri }) => {
      if (configurationFileAt(uri) === undefined) return;
      // A file saved in the editor is whole: only further events wait.
      if (readings.isWaiting()) schedule();
      else readings.request();
    }),
  );
  store.add(workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('patchbay') && schedule()));
  store.add(workspace.onDidGrantWorkspaceTrust(schedule));
  return store;
}

function textsOf({ servers, files, settingProblems }: ConfigurationSnapshot): readonly unknown[] {
  return [servers, [...files], settingProblems];
}

/** Both are plain data with members in the same order: equal texts mean equal values. */
function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
