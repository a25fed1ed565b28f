import { RelativePattern, Uri, window, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isCancellation, isPatchbayError, messageOf, PatchbayError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { getOrMake } from '../../base/memoize.ts';
import type { Contents } from '../../client/contents.ts';
import type { ResolvedCode } from '../../config/resolvedCode.ts';
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
import { describeChanges } from './describeChanges.ts';
import { pausedWords, RestartBudget } from './restartBudget.ts';
import { changedFile, codeOf, isForeign, shownPath, watchedByGlobs, type WatchedFiles } from './watchedFiles.ts';

export interface DevelopmentPorts {
  readonly registry: Pick<ServerRegistry, 'servers' | 'get' | 'onDidChangeState' | 'onDidChangeServers'>;
  readonly configuration: Pick<ConfigurationService, 'resolve'>;
  readonly trust: Pick<TrustService, 'load'>;
  readonly states: DevelopmentStates;
  readonly choices: RestartChoices;
  readonly log: (label: string) => Logger;
  readonly clock: Clock;
}

/** Files that are saved together, or by a checkout, come within so many milliseconds of each other. */
const burstMs = 150;
/** Files of a burst that are remembered. */
const maximumFiles = 200;

/** A server whose code is in an open folder, from its start until it is stopped. */
interface Developed {
  watchers: DisposableStore;
  /** The files that the process was started from; `undefined` until they are known. */
  baseline: ResolvedCode | undefined;
  readonly budget: RestartBudget;
  /** Paths that have changed, and those that do not count. */
  readonly changed: Set<string>;
  readonly excepted: Set<string>;
  isRestarting: boolean;
  /** A file that was saved during a restart. */
  again: string | undefined;
  /** What was listed before the first of the restarts that failed. */
  before: Contents | undefined;
  wasOffered: boolean;
}

/** Restarts servers when their code is saved, and says which run with code that has changed since. Loaded with the first server that runs. */
export class Development implements Disposable {
  readonly #ports: DevelopmentPorts;
  readonly #store = new DisposableStore();
  readonly #servers = new Map<string, Developed>();
  readonly #bursts: Coalescer<string>;

  constructor(ports: DevelopmentPorts) {
    const { registry, clock } = ports;
    this.#ports = ports;
    this.#bursts = this.#store.add(
      new Coalescer<string>(clock, burstMs, (labels) => labels.forEach((label) => void this.#saved(label))),
    );
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
    const words = `${name} restarts when its code is saved. Changes of its files in this workspace ask nothing.`;
    window.setStatusBarMessage(words, 8_000);
    const { staleFile } = this.#ports.states.of(label) ?? {};
    if (staleFile !== undefined) await this.#restart(label, staleFile);
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
    if (kind !== 'running' && known !== undefined) this.#update(label, { changes: undefined, staleFile: undefined, failure: undefined });
    // The code that does not start is watched too.
    if (kind === 'running' || (kind === 'failed' && known === undefined)) void this.#begin(label, isOurs);
  }

  /** A process was started: its files are known from now on. */
  async #begin(label: string, isOurs: boolean): Promise<void> {
    const { registry, log, choices, states } = this.#ports;
    const host = registry.get(label);
    if (host === undefined || host.configured.source.kind === 'demo' || needsApproval(host)) return;
    try {
      const launch = await this.#launchOf(host);
      const facts = await (await this.#ports.trust.load()).covered(host.configured, launch);
      if (facts === undefined || registry.get(label) !== host || host.server.state.kind === 'stopped') return;
      const watched = watchedOf(host, facts, choices.isOn(host));
      if (watched.length === 0) return this.#end(label);
      if (!isOurs) this.#servers.get(label)?.budget.reset();
      this.#watch(label, watched, facts);
      const changes = isOurs ? states.of(label)?.changes : undefined;
      states.set(label, { restartsOnSave: choices.isOn(host), changes });
    } catch (error) {
      if (!isCancellation(error)) log(label).debug(() => `Its files are not watched: ${messageOf(error)}`);
    }
  }

  #watch(label: string, watched: readonly WatchedFiles[], baseline: ResolvedCode): void {
    const entry = getOrMake(this.#servers, label, newEntry);
    entry.watchers.dispose();
    const watchers = (entry.watchers = new DisposableStore());
    entry.baseline = baseline;
    const follow = (base: string, glob: string, act: (path: string) => void): void => {
      const watcher = watchers.add(workspace.createFileSystemWatcher(new RelativePattern(Uri.file(base), glob)));
      const take = ({ fsPath }: Uri): void => {
        if (!isForeign(shownPath(fsPath, [base]))) act(fsPath);
      };
      for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) watchers.add(event(take));
    };
    for (const { base, globs, except } of watched) {
      for (const glob of except) follow(base, glob, (path) => addBounded(entry.excepted, path));
      for (const glob of globs)
        follow(base, glob, (path) => {
          addBounded(entry.changed, path);
          this.#bursts.postpone(label);
        });
    }
  }

  /** A burst of changes is over. */
  async #saved(label: string): Promise<void> {
    const entry = this.#servers.get(label);
    const host = this.#ports.registry.get(label);
    if (entry === undefined || host === undefined) return;
    const path = [...entry.changed].find((each) => !entry.excepted.has(each));
    entry.changed.clear();
    entry.excepted.clear();
    // A changed definition asks by itself.
    if (path === undefined || host.server.state.kind === 'stopped' || host.isStale) return;
    const file = shownPath(
      path,
      openFolders().map((folder) => folder.path),
    );
    const isPaused = this.#ports.states.of(label)?.pausedBecause !== undefined;
    if (this.#ports.choices.isOn(host) && !isPaused) await this.#restart(label, file);
    else await this.#markStale(host, entry, file);
  }

  /** Files that are as they were at the start, after an undo, are not stale. */
  async #markStale(host: HostServer, { baseline }: Developed, file: string): Promise<void> {
    const { label, configured } = host;
    const folders = openFolders().map(({ path }) => path);
    const now = await (await this.#ports.trust.load()).covered(configured, await this.#launchOf(host));
    const isCovered = baseline !== undefined && isAmong(baseline, file, folders);
    const changed = baseline && now && changedFile(baseline, now, folders);
    const staleFile = changed ?? (isCovered ? undefined : file);
    if (host.server.state.kind === 'running') this.#update(label, { staleFile });
  }

  async #restart(label: string, file: string): Promise<void> {
    const { registry, states, log, clock } = this.#ports;
    const host = registry.get(label);
    const entry = this.#servers.get(label);
    if (host === undefined || entry === undefined) return;
    if (entry.isRestarting) {
      entry.again = file;
      return;
    }
    if (!entry.budget.take(clock.now())) {
      log(label).warn(`Restart on save: ${pausedWords}`);
      return this.#update(label, { staleFile: file, pausedBecause: pausedWords });
    }
    entry.isRestarting = true;
    // What is remembered of a server that does not run has names only.
    if (!host.server.isRemembered) entry.before ??= host.server.contents;
    try {
      await host.server.replace(`The server was restarted because ${file} changed.`);
      await host.server.start();
      this.#report(host, entry, file);
    } catch (error) {
      this.#failed(host, entry, file, error);
    } finally {
      entry.isRestarting = false;
    }
    const { again } = entry;
    entry.again = undefined;
    if (host.server.state.kind === 'stopped') return this.#end(label);
    if (again !== undefined) await this.#restart(label, again);
    else if (host.server.state.kind === 'running') states.restarted(label);
  }

  #report({ label, server }: HostServer, entry: Developed, file: string): void {
    const changes = describeChanges(entry.before ?? server.contents, server.contents);
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
    this.#servers.get(label)?.watchers.dispose();
    this.#servers.delete(label);
    this.#ports.states.set(label, undefined);
  }
}

function newEntry(): Developed {
  return {
    watchers: new DisposableStore(),
    baseline: undefined,
    budget: new RestartBudget(),
    changed: new Set(),
    excepted: new Set(),
    isRestarting: false,
    again: undefined,
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

function watchedOf(host: HostServer, facts: ResolvedCode, isOn: boolean): readonly WatchedFiles[] {
  const code = codeOf(facts);
  const { options, source } = host.configured;
  const folder = source.folder?.path ?? code[0]?.base;
  const named = !isOn || folder === undefined ? undefined : watchedByGlobs(options.dev?.watch, folder);
  return named === undefined ? code : [named];
}

function isAmong({ program, files }: ResolvedCode, file: string, folders: readonly string[]): boolean {
  return [...(program === undefined ? [] : [program]), ...files].some(({ path }) => shownPath(path, folders) === file);
}

function addBounded(paths: Set<string>, path: string): void {
  if (paths.size < maximumFiles) paths.add(path);
}
