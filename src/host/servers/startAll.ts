import { commands, type Uri, window, workspace } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isPersonal } from '../../config/configuredServer.ts';
import { keepEnds } from '../../config/launchTarget.ts';
import type { ConfigurationService } from '../configuration/configurationService.ts';
import { createLaunchReview, type ReviewLaunch } from '../configuration/launchReview.ts';
import type { LaunchReview } from '../configuration/launchTrust.ts';
import type { TrustService } from '../configuration/trust.ts';
import { isShort } from '../configuration/trustQuestion.ts';
import type { StartRow } from '../../shared/startReviewMessages.ts';
import { visibleText } from '../../base/visibleText.ts';
import { countOf, notificationText } from '../platform/displayText.ts';
import { openWebviewPanel } from '../platform/webviewPanel.ts';
import type { ServerActions } from './serverActions.ts';
import type { HostServer, ServerRegistry } from './serverRegistry.ts';
import { abilitiesOf } from './serverStatus.ts';
import { StartReviewPanel } from './startReviewPanel.ts';

interface StartAllOptions {
  readonly registry: Pick<ServerRegistry, 'servers' | 'get'>;
  readonly actions: Pick<ServerActions, 'start'>;
  readonly configuration: Pick<ConfigurationService, 'resolve'>;
  readonly trust: Pick<TrustService, 'checkWorkspace' | 'load'>;
  readonly extensionUri: Uri;
}

/** *Start All*: starts what is approved at once, and shows one page for all that need a yes. */
export function createStartAll({ registry, actions, configuration, trust, extensionUri }: StartAllOptions) {
  const title = 'Start MCP Servers';
  return new StartAll(registry, actions, createLaunchReview(configuration, trust), () =>
    openWebviewPanel({ extensionUri, name: 'startReview', title }),
  );
}

/** A server that needs a yes, as it was shown. */
interface Reviewed {
  readonly label: string;
  readonly review: LaunchReview;
  /** It was shown before, and was another one. */
  readonly isChanged: boolean;
}

export class StartAll implements Disposable {
  readonly #registry: StartAllOptions['registry'];
  readonly #actions: StartAllOptions['actions'];
  readonly #review: ReviewLaunch;
  readonly #panel: StartReviewPanel;
  #shown: readonly Reviewed[] = [];

  constructor(
    registry: StartAllOptions['registry'],
    actions: StartAllOptions['actions'],
    review: ReviewLaunch,
    openPanel: ConstructorParameters<typeof StartReviewPanel>[0],
  ) {
    this.#registry = registry;
    this.#actions = actions;
    this.#review = review;
    this.#panel = new StartReviewPanel(openPanel, (chosen) => this.#approve(chosen));
  }

  /**
   * For a person's own gesture alone.
   * @param labels the servers to start; one alone asks as its own start does. All that are stopped unless given
   */
  async start(labels?: readonly string[]): Promise<void> {
    const stopped = this.#registry.servers.filter(
      (host) => abilitiesOf(host).start && labels?.includes(host.label) !== false,
    );
    const [only] = stopped;
    if (only !== undefined && labels !== undefined && stopped.length === 1) return this.#actions.start(only.label);
    const allowed = stopped.filter(({ configured }) => workspace.isTrusted || isPersonal(configured.source));
    if (allowed.length < stopped.length) void sayRestricted(stopped.length - allowed.length);
    else if (stopped.length === 0) void window.showInformationMessage('There are no servers to start.');
    const looked = await Promise.all(allowed.map((host) => this.#look(host)));
    const reviewed = looked.flatMap((one) => (one === undefined ? [] : [one]));
    if (reviewed.length > 0) this.#show(reviewed);
    const waiting = new Set(reviewed.map(({ label }) => label));
    await Promise.all(allowed.flatMap(({ label }) => (waiting.has(label) ? [] : [this.#actions.start(label)])));
  }

  dispose(): void {
    this.#panel.dispose();
  }

  /** @returns `undefined` where a start asks nothing, or fails: the start says why */
  async #look({ label, configured }: HostServer): Promise<Reviewed | undefined> {
    const review = await this.#review(configured).catch(() => undefined);
    return review && { label, review, isChanged: false };
  }

  #show(reviewed: readonly Reviewed[]): void {
    const rank = (one: Reviewed): number => Number(rowOf(one).isChosen);
    this.#shown = reviewed.toSorted((left, right) => rank(left) - rank(right));
    this.#panel.show(this.#shown.map(rowOf));
  }

  /** Starts those of the chosen servers that are what was shown, and shows the others again. */
  async #approve(chosen: readonly number[]): Promise<void> {
    const changed: Reviewed[] = [];
    const ready: string[] = [];
    /** They have changed to something that was approved before. */
    const others: string[] = [];
    const shown = this.#shown;
    const known = chosen.flatMap((index) => shown[index] ?? []).filter((one) => rowOf(one).canStart);
    for (const before of known) {
      const host = this.#registry.get(before.label);
      // It may have been removed, disabled or started since.
      if (host === undefined || !abilitiesOf(host).start) continue;
      const now = await this.#look(host);
      if (now !== undefined && now.review.shown !== before.review.shown) changed.push({ ...now, isChanged: true });
      else if (now === undefined && !before.review.isApproved()) others.push(before.label);
      else {
        await now?.review.approve();
        ready.push(before.label);
      }
    }
    // Otherwise the person has pressed *Start All* again meanwhile: that page is about what there is now.
    if (this.#shown === shown) {
      if (changed.length > 0) this.#show(changed);
      else this.#panel.dispose();
    }
    if (others.length > 0) void sayOthers(others);
    // Those that have inputs ask for them one after the other: see `InputStore`.
    await Promise.all(ready.map((label) => this.#actions.start(label)));
  }
}

/** The most that a row may have, in characters: a longer definition is not read among others. */
const maximumText = 20_000;

/** Chosen is only what a person sees whole without scrolling in it, and needs no closer look. */
function rowOf({ label, review: { summary }, isChanged }: Reviewed): StartRow {
  const { line, also, changes, warnings, origin, details, isRisky } = summary;
  const shown = { line: [line, ...also].join('\n'), warnings: [...changes, ...warnings], details };
  const canStart = JSON.stringify(shown).length <= maximumText;
  const isLong = canStart && !isShort(summary);
  const notes = [
    isChanged && 'This server has changed since you reviewed it. Review it again.',
    isLong && 'This definition is long. Read it to the end before you select it.',
    !canStart && 'This definition is too long to review here. Start this server by itself.',
  ].filter((note) => note !== false);
  return {
    ...(canStart ? shown : { line: keepEnds(line, 500), warnings: [], details: [] }),
    label: keepEnds(visibleText(label), 120),
    origin,
    note: notes.length === 0 ? undefined : notes.join(' '),
    canStart,
    isChosen: canStart && !isLong && !isRisky && !isChanged,
  };
}

async function sayOthers(labels: readonly string[]): Promise<void> {
  const names = labels.map((label) => `“${keepEnds(visibleText(label), 60)}”`).join(', ');
  await window.showWarningMessage(
    notificationText(`Not started, because of changes since your review: ${names}.`, 500),
  );
}

async function sayRestricted(count: number): Promise<void> {
  const manage = 'Manage Workspace Trust';
  const verb = count === 1 ? 'was' : 'were';
  const message = `${countOf(count, 'MCP server')} of this workspace ${verb} not started, because it is in Restricted Mode.`;
  if ((await window.showInformationMessage(message, manage)) === manage)
    await commands.executeCommand('workbench.trust.manage');
}
