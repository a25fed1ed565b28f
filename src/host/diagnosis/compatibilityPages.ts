import { commands, type Uri } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { TrafficLog } from '../../client/trace/trafficLog.ts';
import { lintFactsOf } from '../../workshop/lint/observeTraffic.ts';
import { type ModelApi, toolForModel } from '../../workshop/lint/modelView.ts';
import { CommandIds } from '../commandIds.ts';
import { singleLine } from '../platform/displayText.ts';
import { createFactsPanels, type FactsDocument } from '../results/factsPanel.ts';
import { lintInSlices } from '../servers/lintInSlices.ts';
import { pickServer } from '../servers/pickServer.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { compatibilityView, modelViewIds } from './compatibilityView.ts';

const isRunning = ({ server }: HostServer): boolean => server.state.kind === 'running';
const whenNone = 'No MCP server is running. Start one first: only what it lists can be checked.';
const pickChecked = { placeholder: 'Check which server?', whenNone, isApplicable: isRunning } as const;
const pickShown = {
  placeholder: 'Show what a model gets of which server?',
  whenNone,
  isApplicable: isRunning,
} as const;

/** Pages that say what other hosts would do with a server, and the list of its tools as a model gets it. Starts nothing. */
export function createCompatibilityPages(
  extensionUri: Uri,
  registry: ServerRegistry,
  traffic: TrafficLog,
  clock: Clock,
  logger: Logger,
) {
  const store = new DisposableStore();
  /** By label: the number of the latest check. */
  const open = new Map<string, number>();
  const panels = store.add(createFactsPanels(extensionUri, logger, 'diagnosis', (label) => open.delete(label)));

  /** @returns `undefined` where a later check has taken its place, or the tab is closed */
  async function check(hostServer: HostServer): Promise<FactsDocument | undefined> {
    const { label } = hostServer;
    const number = (open.get(label) ?? 0) + 1;
    open.set(label, number);
    const facts = lintFactsOf(hostServer.label, hostServer.server, traffic);
    const report = await lintInSlices(facts, clock, () => open.get(label) === number);
    if (report === undefined || open.get(label) !== number) return undefined;
    const tabTitle = `Compatibility of ${singleLine(label, 60)}`;
    const run = (id: string): unknown => (id in modelViewIds ? showModelView(label, id as ModelApi) : undefined);
    return { key: label, tabTitle, view: compatibilityView(facts, report), run };
  }

  const refresh = async (label: string): Promise<void> => {
    const hostServer = registry.get(label);
    if (hostServer === undefined || !open.has(label) || !isRunning(hostServer)) return;
    const document = await check(hostServer);
    if (document !== undefined) panels.update(document);
  };
  const refreshes = store.add(
    new Coalescer<string>(clock, 1_000, (labels) => labels.forEach((label) => void refresh(label))),
  );
  store.add(registry.onDidChangeAny(({ label }) => open.has(label) && refreshes.request(label)));
  // Told once until the next refresh has read it.
  store.add(traffic.onDidReceive(() => [...open.keys()].forEach((label) => refreshes.request(label))));

  async function showModelView(label: string, api: ModelApi): Promise<void> {
    const { contents, session } = running(registry.get(label), label).server;
    const tools = contents.tools.map((tool) => toolForModel(tool, api));
    const value = { ...(session?.instructions !== undefined && { instructions: session.instructions }), tools };
    await commands.executeCommand(CommandIds.openWhole, { title: `${singleLine(label, 60)} for a model`, value });
  }

  return {
    commands: {
      /** *Check Compatibility With Other Hosts* */
      [CommandIds.checkCompatibility]: async (argument: unknown) => {
        const picked = await pickServer(registry, argument, pickChecked);
        if (picked === undefined) return;
        const document = await check(running(picked, picked.label));
        if (document !== undefined) panels.show(document);
      },
      /** *Show What a Model Gets* */
      [CommandIds.showModelView]: async (argument: unknown) => {
        const picked = await pickServer(registry, argument, pickShown);
        if (picked !== undefined) await showModelView(picked.label, 'anthropic');
      },
    },
    get active() {
      return panels.active;
    },
    dispose: () => store.dispose(),
  };
}

/** @throws {PatchbayError} `notFound` for a server that does not run: it is not started for this */
function running(hostServer: HostServer | undefined, label: string): HostServer {
  if (hostServer !== undefined && isRunning(hostServer)) return hostServer;
  const name = singleLine(label, 60);
  throw new PatchbayError(
    'notFound',
    `The server "${name}" is not running. Start it first: only what it lists can be checked.`,
  );
}
