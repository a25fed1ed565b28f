import { window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isCancellation, isPatchbayError, messageOf, PatchbayError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { getOrMake } from '../../base/memoize.ts';
import { createSlices } from '../../base/slices.ts';
import type { Contents } from '../../client/contents.ts';
import type { ResolvedCode, ResolvedFile } from '../../config/resolvedCode.ts';
import type { ResolvedLaunch } from '../../config/createLaunchPlan.ts';
import { openFolders } from '../configuration/configurationFiles.ts';
import type { ConfigurationService } from '../configuration/configurationService.ts';
import type { TrustService } from '../configuration/trust.ts';
import { escapeIcons, notificationText, singleLine } from '../platform/displayText.ts';
import { showError } from '../platform/showError.ts';
import type { DevelopmentState, DevelopmentStates } from '../servers/developmentStates.ts';
import type { RestartChoices } from '../servers/restartChoices.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { needsApproval } from '../servers/serverStatus.ts';
import { CodeWatcher, listFiles, type SavedFiles } from './codeWatcher.ts';
import { describeChanges } from './describeChanges.ts';
import { pausedWords, RestartBudget } from './restartBudget.ts';
import { FileStates } from './fileStates.ts';
import { codeOf, shownPath, watchedByGlobs, type WatchedCode } from './watchedFiles.ts';

export interface DevelopmentPorts {
  readonly registry: Pick<ServerRegistry, 'servers' | 'get' | 'onDidChangeState' | 'onDidChangeServers'>;
  readonly configuration: Pick<ConfigurationService, 'resolve'>;
  readonly trust: Pick<TrustService, 'load'>;
  readonly states: DevelopmentStates;
  readonly choices: RestartChoices;
  readonly log: (label: string) => Logger;
  readonly clock: Clock;
}

/** A server whose code is in an open folder, from its start until it is stopped. */
interface Developed {
  readonly watcher: CodeWatcher;
  /** The files that the process was started from; `undefined` until they are known. */
  baseline: ResolvedCode | undefined;
  files: FileStates | undefined;
  readonly budget: RestartBudget;
  /** Counts the restarts; while one is on its way, `isRestarting`. */
  restart: number;
  isRestarting: boolean;
  /** What was listed before the first of the restarts that failed. */
  before: Contents | undefined;
  wasOffered: boolean;
}

/** Restarts servers when their code is saved, and says which run with code that has changed since. Loaded with the first server that runs. */
export class Development implements Disposable {
  readonly #ports: DevelopmentPorts;
  readonly #store = new DisposableStore();
  readonly #servers = new Map<string, Developed>();

  constructor(ports: DevelopmentPorts) {
    const { registry } = ports;
    this.#ports = ports;
    this.#store.add(registry.onDidChangeState(({ label, state }) => this.#follow(label, state.kind)));
    this.#store.add(
      registry.onDidChangeServers(() => {
        for (const label of this.#servers.keys()) if (registry.get(label) === undefined) this.#end(label);
      }),
    );
    for (const { label, server } of registry.servers) this.#follow(label, server.state.kind);
  }

  /** The person lets a server restart whenever its code is saved: no question about its files in the workspace follows. */
  async turnOn(host: HostServer): Promise<void> {
    const { configured, label } = host;
    const { choices } = this.#ports;
    const launches = await this.#ports.trust.load();
    const hadFreeFiles = launches.filesMayChange(configured);
    const asking = { requestedBy: () => 'person' as const, signal: new AbortController().signal };
    await launches.allowFileChanges(configured, await this.#launchOf(host), asking);
    await choices.set(host, hadFreeFiles ? 'kept' : 'on');
    this.#update(label, { restartsOnSave: true });
    const name = escapeIcons(`“${singleLine(label, 60)}”`);
    // The status bar cuts off more.
    window.setStatusBarMessage(`${name} restarts when its code is saved, without a question.`, 8_000);
    const { staleFile } = this.#ports.states.of(label) ?? {};
    if (staleFile !== undefined) await this.#restart(label, staleFile, true);
  }

  async turnOff(host: HostServer): Promise<void> {
    const { choices, trust } = this.#ports;
    const choice = choices.of(host);
    await choices.set(host, 'off');
    this.#update(host.label, { restartsOnSave: false, pausedBecause: undefined });
    if (choice !== 'on') return;
    const baseline = this.#servers.get(host.label)?.baseline;
    await (await trust.load()).askAboutFiles(host.configured, await this.#launchOf(host), baseline);
  }

  dispose(): void {
    for (const label of this.#servers.keys()) this.#end(label);
    this.#store.dispose();
  }

  #follow(label: string, kind: HostServer['server']['state']['kind']): void {
    const known = this.#servers.get(label);
    const isOurs = known?.isRestarting === true;
    // A restart passes through it where the server did not run.
    if (kind === 'stopped') return isOurs ? undefined : this.#end(label);
    if (kind !== 'running' && known !== undefined)
      this.#update(label, { changes: undefined, staleFile: undefined, failure: undefined });
    // The code that does not start is watched too.
    if (kind === 'running' || (kind === 'failed' && known === undefined)) void this.#begin(label, isOurs);
  }

  /** A process was started: its files are known from now on. */
  async #begin(label: string, isOurs: boolean): Promise<void> {
    const { registry, log, choices, states, trust, clock } = this.#ports;
    const host = registry.get(label);
    if (host === undefined || host.configured.source.kind === 'demo' || needsApproval(host)) return;
    try {
      const launch = await this.#launchOf(host);
      const launches = await trust.load();
      const facts = await launches.startedFrom(host.configured, launch);
      if (facts === undefined || registry.get(label) !== host || host.server.state.kind === 'stopped') return;
      const isOn = choices.isOn(host);
      const { watched, unwatched } = watchedOf(host, facts, isOn);
      for (const glob of unwatched) log(label).warn(`Not watched, as it leads out of the folder: ${glob}`);
      if (watched.length === 0) return this.#end(label);
      const entry = getOrMake(this.#servers, label, () => newEntry(clock, (saved) => void this.#saved(label, saved)));
      if (!isOurs) entry.budget.reset();
      entry.files?.end();
      const files = new FileStates((path) => launches.digestOf(path), namedFiles(facts));
      Object.assign(entry, { baseline: facts, files });
      entry.watcher.watch(watched);
      states.set(label, { restartsOnSave: isOn, changes: isOurs ? states.of(label)?.changes : undefined });
      await files.read(await listFiles(watched));
      const missed = await changedSince(files, facts);
      if (missed.length > 0 && entry.files === files) await this.#saved(label, { paths: missed, isByPerson: false });
    } catch (error) {
      if (!isCancellation(error)) log(label).debug(() => `Its files are not watched: ${messageOf(error)}`);
    }
  }

  /** A burst of changes is over. */
  async #saved(label: string, { paths, isByPerson }: SavedFiles): Promise<void> {
    const entry = this.#servers.get(label);
    const host = this.#ports.registry.get(label);
    const [path = ''] = paths;
    // A changed definition asks by itself.
    if (entry === undefined || host === undefined || host.server.state.kind === 'stopped' || host.isStale) return;
    const isPaused = this.#ports.states.of(label)?.pausedBecause !== undefined;
    if (!this.#ports.choices.isOn(host) || isPaused) return this.#markStale(host, entry, paths);
    const { files } = entry;
    if (!isByPerson && (await files?.hasNews(paths)) === false) return;
    // For a process that goes on, as the new one does not start.
    void files?.compare(paths);
    await this.#restart(label, shown(path), isByPerson);
  }

  /** Files that are as they were at the start, after an undo, are not stale. */
  async #markStale({ label, server }: HostServer, { files }: Developed, paths: readonly string[]): Promise<void> {
    const changed = await files?.compare(paths);
    // Another process may run by now.
    if (server.state.kind !== 'running' || this.#servers.get(label)?.files !== files) return;
    if (changed === undefined) this.#update(label, { staleFile: undefined, failure: undefined });
    else this.#update(label, { staleFile: shown(changed) });
  }

  /** A restart that is on its way gives way to this one: the code that it starts is not the last any more. */
  async #restart(label: string, file: string, isByPerson: boolean): Promise<void> {
    const { registry, states, log, clock } = this.#ports;
    const host = registry.get(label);
    const entry = this.#servers.get(label);
    if (host === undefined || entry === undefined) return;
    if (isByPerson) entry.budget.reset();
    if (!entry.budget.take(clock.now(), entry.isRestarting)) {
      log(label).warn(`Restart on save: ${pausedWords}`);
      return this.#update(label, { staleFile: file, pausedBecause: pausedWords });
    }
    const restart = (entry.restart += 1);
    const isLast = (): boolean => entry.restart === restart;
    entry.isRestarting = true;
    // What is remembered of a server that does not run has names only.
    if (!host.server.isRemembered) entry.before ??= host.server.contents;
    try {
      await host.server.replace(`The server was restarted because ${file} changed.`);
      await host.server.start();
      if (isLast()) await this.#report(host, entry, file, isLast);
    } catch (error) {
      if (isLast()) this.#failed(host, entry, file, error);
    }
    if (!isLast()) return;
    entry.isRestarting = false;
    entry.budget.ended(clock.now());
    const { kind } = host.server.state;
    if (kind === 'stopped') this.#end(label);
    else if (kind === 'running' && states.of(label)?.failure === undefined) states.restarted(label);
  }

  async #report({ label, server }: HostServer, entry: Developed, file: string, isWanted: () => boolean): Promise<void> {
    const nextSlice = createSlices(this.#ports.clock, nextTurn);
    const changes = await describeChanges(entry.before ?? server.contents, server.contents, nextSlice);
    if (!isWanted()) return;
    entry.before = undefined;
    const lines = changes.lines.length === 0 ? ['What it offers is the same.'] : changes.lines;
    const words = { words: changes.words, lines: [`Restarted because ${singleLine(file, 100)} changed.`, ...lines] };
    this.#ports.log(label).info(words.lines.join(' '));
    this.#update(label, { changes: words, staleFile: undefined, failure: undefined });
  }

  #failed(host: HostServer, entry: Developed, file: string, error: unknown): void {
    const { label, server } = host;
    if (isCancellation(error)) return;
    this.#ports.log(label).warn(`Restart on save after a change of ${singleLine(file, 100)}: ${messageOf(error)}`);
    if (server.state.kind !== 'running' || !isPatchbayError(error)) return;
    const isRefused = isPatchbayError(error, 'needsTrust');
    this.#update(label, { staleFile: file, changes: undefined, failure: isRefused ? undefined : error });
    if (!isRefused) return;
    if (!entry.wasOffered) void this.#offer(host, file);
    entry.wasOffered = true;
  }

  /** The folder wants the restarts, and the person has not said that its files may change: asked once in a window. */
  async #offer(host: HostServer, file: string): Promise<void> {
    const turnOn = 'Restart on Save';
    const message = `${singleLine(file, 100)} changed, which the server “${singleLine(host.label, 60)}” runs. Restart it now and whenever its code is saved? Changes of its files in this workspace then ask nothing.`;
    if ((await window.showInformationMessage(notificationText(message, 600), turnOn)) !== turnOn) return;
    await this.turnOn(host).catch((error: unknown) => !isCancellation(error) && showError(error));
  }

  #launchOf(host: HostServer): Promise<ResolvedLaunch> {
    return this.#ports.configuration.resolve(host.configured, undefined, new AbortController().signal);
  }

  #update(label: string, changes: Partial<DevelopmentState>): void {
    const { states } = this.#ports;
    const known = states.of(label);
    if (known !== undefined) states.set(label, { ...known, ...changes });
  }

  #end(label: string): void {
    const entry = this.#servers.get(label);
    entry?.files?.end();
    entry?.watcher.dispose();
    this.#servers.delete(label);
    this.#ports.states.set(label, undefined);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function newEntry(clock: Clock, saved: (files: SavedFiles) => void): Developed {
  return {
    watcher: new CodeWatcher(clock, saved),
    baseline: undefined,
    files: undefined,
    budget: new RestartBudget(),
    restart: 0,
    isRestarting: false,
    before: undefined,
    wasOffered: false,
  };
}

/** @throws {PatchbayError} `notFound` for a server whose code is not in an open folder */
export function checkDeveloped({ label, development }: HostServer): void {
  if (development !== undefined) return;
  const message = `Start the server "${label}" first. It can restart on save if its program or script is a file in an open folder.`;
  throw new PatchbayError('notFound', message);
}

function watchedOf(host: HostServer, facts: ResolvedCode, isOn: boolean): WatchedCode {
  const code = codeOf(facts);
  const { options, source } = host.configured;
  const folder = source.folder?.path ?? code[0]?.base;
  const { watch } = options.dev ?? {};
  return isOn && folder !== undefined && watch !== undefined
    ? watchedByGlobs(watch, folder, code)
    : { watched: code, unwatched: [] };
}

/** What was saved between the start and the first look of the watcher. */
async function changedSince(files: FileStates, facts: ResolvedCode): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const { path, digest, isInFolder } of namedFiles(facts))
    if (isInFolder && digest !== '' && (await files.hasNews([path]))) changed.push(path);
  return changed;
}

function namedFiles({ program, files }: ResolvedCode): readonly ResolvedFile[] {
  return [...(program === undefined ? [] : [program]), ...files];
}

/** A path as people know it. */
function shown(path: string): string {
  return shownPath(
    path,
    openFolders().map((folder) => folder.path),
  );
}
