import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  commands,
  debug,
  type DebugConfiguration,
  type DebugSession,
  extensions,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { StdioLaunchPlan } from '../../base/launchPlan.ts';
import type { Logger } from '../../base/logger.ts';
import type { ConfigurationSource } from '../../config/configuredServer.ts';
import { isStdio } from '../../config/serverDefinition.ts';
import { CommandIds } from '../commandIds.ts';
import { notificationText, singleLine } from '../platform/displayText.ts';
import { rememberFailedUse } from '../platform/failedUses.ts';
import { pickServer, type ServerPick } from '../servers/pickServer.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { debugHost, debugLaunch } from './debugLaunch.ts';
import { debuggableCommands, type DebugTarget, debugTargetOf, type DebugType, isDebuggable } from './debugTarget.ts';
import type { CreateDebugged, DebuggedServers } from './debuggedServers.ts';
import { type DebugAttachment, DebuggedTransport, type DebugPorts } from './debuggedTransport.ts';
import { freePort } from './debugPort.ts';

export interface DebugFeatureOptions {
  readonly registry: ServerRegistry;
  readonly debugged: DebuggedServers;
  readonly extensionUri: Uri;
  readonly clock: Clock;
  readonly log: (label: string) => Logger;
}

/** Milliseconds that the debugger has to attach to a port that is open. */
const attachMs = 30_000;
type DebugPlace = Partial<Pick<ConfigurationSource, 'folder'>>;

/** By which a session is known as one of a server. */
const mark = 'patchbayServer';

/** *Debug MCP Server*: starts servers under the debugger of the editor. */
export class DebugFeature implements Disposable {
  readonly #options: DebugFeatureOptions;
  readonly #store = new DisposableStore();
  /** Servers that a debugger was attached to: a start that fails, as after a mistake in their code, does not end their debugging. */
  readonly #known = new Set<string>();

  constructor(options: DebugFeatureOptions) {
    this.#options = options;
    const { registry, debugged } = options;
    this.#store.add(
      registry.onDidChangeState(({ label, state }) => {
        if (state.kind === 'failed' && this.#known.has(label)) return;
        if (state.kind === 'stopped' || state.kind === 'failed') debugged.switch(label, false);
      }),
    );
    this.#store.add(debugged.onDidChange((label) => debugged.isDebugged(label) || this.#known.delete(label)));
  }

  /** Makes the transport of a server that is debugged. @throws {PatchbayError} `configuration` */
  readonly createTransport: CreateDebugged = async (plan, create) => {
    const { registry, debugged, clock, log, extensionUri } = this.#options;
    const label = plan.label ?? '';
    const hostServer = registry.get(label);
    const { type, debugpyPath } = hostServer?.configured.options.dev?.debug ?? {};
    const target = targetOf(label, plan, type);
    checkDebugger(target.type);
    const port = await freePort();
    const scripts = Uri.joinPath(extensionUri, 'media', 'debug').fsPath;
    const debugpy = target.type === 'debugpy' ? (debugpyPath ?? (await bundledDebugpy())) : undefined;
    const launch = debugLaunch(plan, target, { port, scripts, debugpy, platform: process.platform });
    log(label).info(`Debugging on ${debugHost}:${port}. Added to its launch: ${launch.added}`);
    const attach = async (): Promise<DebugAttachment | undefined> => {
      const attachment = await attachTo(label, hostServer?.configured.source ?? {}, target.type, port, clock);
      if (attachment !== undefined) this.#known.add(label);
      return attachment;
    };
    const ended: DebugPorts['ended'] = (why) => {
      debugged.switch(label, false);
      const words = endWords[why];
      log(label).info(words);
      if (why !== 'detached') void window.showWarningMessage(notificationText(`${label}: ${words}`));
    };
    const transport = new DebuggedTransport(await create(launch.plan), { port, clock, attach, ended });
    const switched = debugged.onDidChange((changed) => {
      if (changed === label && !debugged.isDebugged(label)) transport.detach();
    });
    transport.onDidClose(() => switched.dispose());
    return transport;
  };

  commands(actions: ServerActions) {
    const { registry, debugged } = this.#options;
    return {
      [CommandIds.debugServer]: async (argument: unknown): Promise<void> => {
        const hostServer = await pickServer(registry, argument, picks.debug);
        if (hostServer === undefined) return;
        const { label, server, configured } = hostServer;
        const { definition, options } = configured;
        if (!isStdio(definition)) throw cannotDebug(label, 'it runs elsewhere. Attach a debugger where it is started');
        const { command, args = [] } = definition;
        checkDebugger(targetOf(label, { command, args }, options.dev?.debug?.type).type);
        debugged.switch(label, true);
        const isIdle = server.state.kind === 'stopped' || server.state.kind === 'failed';
        await (isIdle ? actions.start(label) : actions.restart(label));
      },
      [CommandIds.stopDebugging]: async (argument: unknown): Promise<void> => {
        const hostServer = await pickServer(registry, argument, picks.stop);
        if (hostServer !== undefined) debugged.switch(hostServer.label, false);
      },
    };
  }

  dispose(): void {
    this.#store.dispose();
  }
}

const picks = {
  debug: {
    placeholder: 'Debug which server?',
    whenNone: 'No server can be debugged: that takes a program of Node.js or Python.',
    isApplicable: ({ configured }) => isDebuggable(configured),
    acts: true,
  },
  stop: {
    placeholder: 'Stop debugging which server?',
    whenNone: 'No server is debugged.',
    isApplicable: ({ isDebugged }) => isDebugged,
  },
} as const satisfies Readonly<Record<string, ServerPick>>;

const endWords = {
  detached: 'The debugger was detached. The server continues without it.',
  unattached: 'The debugger could not be attached. The server continues without it.',
  taken: 'Another user of this computer has the port of the debugger. The server continues without it: debug it again.',
  unreached:
    'The server runs, but opened no port for a debugger. Name its runtime as the command, such as node or python, and debug it again.',
} as const;

function cannotDebug(label: string, why: string): PatchbayError {
  return new PatchbayError('configuration', `Server "${singleLine(label, 60)}" cannot be debugged: ${why}.`);
}

/** @throws {PatchbayError} `configuration` for what no debugger here can take */
function targetOf(
  label: string,
  { command, args }: Pick<StdioLaunchPlan, 'command' | 'args'>,
  type: DebugType | undefined,
): DebugTarget {
  const found = debugTargetOf(command, args, type);
  if (found !== undefined) return found;
  const can = `Servers of these commands can: ${debuggableCommands}. For others, "dev.debug.type" says it`;
  throw cannotDebug(label, `it is unknown whether its command runs Node.js or Python. ${can}`);
}

/** `search`: finds it in the view of extensions. */
const missing: Readonly<Record<DebugType, { readonly what: string; readonly search: string }>> = {
  node: {
    what: 'The debugger for JavaScript (“JavaScript Debugger”), which comes with VS Code, is switched off or missing. Enable it',
    search: '@builtin JavaScript Debugger',
  },
  debugpy: {
    what: 'The extension “Python Debugger” (ms-python.debugpy) is missing. Install it',
    search: '@id:ms-python.debugpy',
  },
};

/** @throws {PatchbayError} `configuration` where the editor has no debugger of this type */
export function checkDebugger(type: DebugType): void {
  const has = extensions.all.some(({ packageJSON }: { readonly packageJSON: unknown }) => {
    const contributes = isRecord(packageJSON) ? packageJSON['contributes'] : undefined;
    const debuggers = isRecord(contributes) ? contributes['debuggers'] : undefined;
    return Array.isArray(debuggers) && debuggers.some((entry) => isRecord(entry) && entry['type'] === type);
  });
  if (has) return;
  const { what, search } = missing[type];
  const error = new PatchbayError('configuration', `${what}, then debug it again.`);
  const run = async () => commands.executeCommand('workbench.extensions.search', search);
  const remedy = { title: 'Show in Extensions', run };
  rememberFailedUse(error, { sentence: 'The server cannot be debugged.', remedy });
  throw error;
}

/** The debugpy that the extension brings along: a server needs none of its own then. */
async function bundledDebugpy(): Promise<string | undefined> {
  const { extensionPath } = extensions.getExtension('ms-python.debugpy') ?? {};
  if (extensionPath === undefined) return undefined;
  const path = join(extensionPath, 'bundled', 'libs', 'debugpy');
  return stat(path).then(
    () => path,
    () => undefined,
  );
}

/** VS Code replaces `${command:…}` and other variables in all of a debugger's configuration, and a folder names its servers. */
export function debuggerName(label: string): string {
  return singleLine(label, 60).replaceAll(/\$(?=\{)/g, '$ ');
}

function configurationOf(label: string, type: DebugType, port: number): DebugConfiguration {
  const shared = { type, request: 'attach', name: `MCP: ${debuggerName(label)}`, [mark]: port } as const;
  const quiet = { internalConsoleOptions: 'neverOpen', suppressMultipleSessionWarning: true };
  if (type === 'debugpy') return { ...shared, ...quiet, connect: { host: debugHost, port } };
  const node = { address: debugHost, port, timeout: attachMs, continueOnAttach: true };
  return { ...shared, ...quiet, ...node, skipFiles: ['<node_internals>/**'] };
}

/** Milliseconds until a debugger that says nothing of its breakpoints is taken for ready. */
const readyMs = 5_000;

/** Attaches VS Code's debugger to a port that is open. Resolves once it has the breakpoints. Its child sessions end with it. */
async function attachTo(label: string, { folder }: DebugPlace, type: DebugType, port: number, clock: Clock) {
  const workspaceFolder = folder && workspace.getWorkspaceFolder(Uri.parse(folder.uri));
  const store = new DisposableStore();
  const isOurs = (session: DebugSession | undefined): boolean => session?.configuration[mark] === port;
  const ready = new Promise<void>((resolve) => {
    // Of JavaScript, a child session has the process.
    const takes = (session: DebugSession): boolean => isOurs(type === 'node' ? session.parentSession : session);
    const onDidSendMessage = (message: unknown): void => {
      if (isRecord(message) && message['type'] === 'response' && message['command'] === 'configurationDone') resolve();
    };
    const createDebugAdapterTracker = (session: DebugSession) => (takes(session) ? { onDidSendMessage } : undefined);
    for (const kind of type === 'node' ? ['pwa-node', 'node'] : [type])
      store.add(debug.registerDebugAdapterTrackerFactory(kind, { createDebugAdapterTracker }));
  });
  let session: DebugSession | undefined;
  store.add(
    debug.onDidStartDebugSession((started) => {
      if (isOurs(started) && started.parentSession === undefined) session = started;
    }),
  );
  try {
    const quietly = { suppressDebugView: true, suppressSaveBeforeStart: true };
    const isStarted = await debug.startDebugging(workspaceFolder, configurationOf(label, type, port), quietly);
    if (!isStarted || session === undefined) return undefined;
    await Promise.race([ready, new Promise<void>((resolve) => void store.add(clock.after(readyMs, resolve)))]);
    return toAttachment(session);
  } finally {
    store.dispose();
  }
}

function toAttachment(session: DebugSession): DebugAttachment {
  return {
    onDidEnd: (listener) => {
      const subscription = debug.onDidTerminateDebugSession((ended) => {
        if (ended.id !== session.id) return;
        subscription.dispose();
        listener();
      });
      return subscription;
    },
    end: async () => debug.stopDebugging(session),
  };
}
