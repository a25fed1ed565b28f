import { env, UIKind, version } from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import type { JsonObject, UnknownRecord } from '../../base/json.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { AppBridge, type AppCallEnd } from '../../client/apps/appBridge.ts';
import type { AppJournal } from '../../client/apps/appJournal.ts';
import { type AppNotice, type DisplayMode, displayModes } from '../../client/apps/appMessages.ts';
import { allowOf, type AppReach, blockedSentence, describeReach, policyOf } from '../../client/apps/appReach.ts';
import { type AppResource, toFrameDocument } from '../../client/apps/appResource.ts';
import { createServerHandlers } from '../../client/apps/appServerHandlers.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import type { AppReportKind, Surroundings } from '../../shared/appMessages.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import type { AppOrigin } from './appOrigins.ts';
import type { AppParts } from './appPorts.ts';
import {
  type AppModelContext,
  type AppQuestions,
  createAppQuestions,
  createPersonRequests,
  offeredContent,
} from './appRequests.ts';

/** A call that an app is about. `end` is absent while it runs. */
export interface ShownCall {
  /** Who the server was, see `Server.identity`: the app of another one gets nothing of the call. */
  readonly identity: string;
  readonly args: JsonObject;
  /** The arguments as they were being written, of an invented call. */
  readonly partialArgs?: readonly JsonObject[];
  readonly end?: AppCallEnd;
  /** The person has made it up, to try the app. */
  readonly isInvented?: boolean;
}

/** An app that is ready to be shown: read, checked, and allowed what it reaches. */
export interface LoadedApp {
  readonly host: HostServer;
  /** Who the server was when the app was read: see `Server.identity`. */
  readonly identity: string;
  readonly tool: Tool;
  readonly title: string;
  readonly resource: AppResource;
  /** What it was allowed, which may be less than it declares. */
  readonly reach: AppReach;
  readonly evaluates: boolean;
  readonly journal: AppJournal;
  /** What it declares and does not get, a line each. */
  readonly notices: readonly string[];
  /** The person has said whether it may run code that it makes. */
  readonly isAnsweredOnCode: boolean;
  /** Of the answers about what it may reach, and whether it may run code that it makes. */
  readonly answerIds: readonly string[];
}

interface AppRunOptions extends LoadedApp, AppParts {
  readonly post: (message: object) => void;
  /** Another question of the app is open, or none. */
  readonly onQuestion: () => void;
  /** Where its document is served; `undefined`: it has no origin. */
  readonly origin: AppOrigin | undefined;
  readonly surroundings: Surroundings;
  readonly mode: DisplayMode;
  readonly setMode: (mode: DisplayMode) => Promise<DisplayMode>;
  readonly onNotice: (notice: AppNotice) => void;
}

/** One document of an app, from its frame to its end. */
export class AppRun implements Disposable {
  readonly bridge: AppBridge;
  readonly questions: AppQuestions;
  #options: AppRunOptions;
  readonly #store = new DisposableStore();
  readonly #askPerson: ReturnType<typeof createPersonRequests>;
  context: AppModelContext | undefined;

  constructor(options: AppRunOptions) {
    this.#options = options;
    const { host, resource, title, clock, post, journal, reach, hostInfo } = options;
    this.questions = createAppQuestions(options.onQuestion);
    const { ask } = this.questions;
    const logger = options.serverLogger(host.label);
    const app = { uri: resource.uri, title, ask };
    this.#askPerson = createPersonRequests({
      ...options,
      ask,
      server: host.server,
      setContext: (context) => (this.context = context),
    });
    this.bridge = this.#store.add(
      new AppBridge({
        clock,
        logger,
        hostInfo,
        send: (message) => {
          journal.message('out', message);
          post(message);
        },
        capabilities: () => hostCapabilities(reach),
        context: () => hostContext(this.#options),
        handlers: {
          ...createServerHandlers(host.server, app, (note) => logger.warn(`App ${resource.uri}: ${note}`)),
          ...this.#askPerson.handlers,
        },
        onInitialized: (said) => journal.event('initialized', { name: said.name, version: said.version }),
        onNotice: options.onNotice,
      }),
    );
    this.#store.add(
      host.server.onDidChangeContents((kind) => {
        if (kind === 'tools' || kind === 'resources' || kind === 'prompts') this.bridge.listChanged(kind);
      }),
    );
  }

  /** Gives the page the app's document (SEP-1865, "Sandbox proxy"). */
  load(): void {
    const { resource, reach, evaluates, frameScript, post, journal, origin, surroundings } = this.#options;
    const policy = policyOf(reach, evaluates);
    const allow = allowOf(reach);
    journal.event('loaded', { policy, permissions: allow, origin: origin?.origin ?? 'none' });
    const proof = crypto.randomUUID();
    // Tells the page around an app that the address has led to this computer, and not to another program at that port.
    const proving = `window.parent.postMessage(${JSON.stringify({ patchbay: 'here', proof })}, '*');`;
    const script = origin === undefined ? frameScript : `${proving}${frameScript}`;
    const html = toFrameDocument(resource.html, policy, script, surroundings.theme);
    const params =
      origin === undefined
        ? { html, sandbox: 'allow-scripts', allow }
        : { address: origin.serve(html, policy), proof, sandbox: 'allow-scripts allow-same-origin', allow };
    post({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params });
  }

  /** Takes a message of the app, as JSON. */
  receive(message: unknown): void {
    this.#options.journal.message('in', message);
    this.bridge.receive(message);
  }

  /** A link in the app was clicked: the same question as for a request. */
  followLink(href: string): void {
    this.#askPerson.openLink(href).catch((error: unknown) => this.#log(messageOf(error)));
  }

  /** What the script in its frame tells, for those who build the app; what was blocked is on record too. */
  report(kind: AppReportKind, text: string): void {
    const isBlocked = kind === 'blocked';
    if (isBlocked) this.#options.journal.blocked(text);
    const sentence = isBlocked ? blockedSentence(text) : `A script of it failed: ${text}`;
    this.#log(truncateWithCount(sentence, 1_000));
  }

  show({ partialArgs = [], args, end }: ShownCall): void {
    for (const part of partialArgs) this.bridge.addPartialInput(part);
    this.bridge.setInput(args);
    if (end !== undefined) this.bridge.setEnd(end);
  }

  place(mode: DisplayMode, surroundings: Surroundings): void {
    const before = changingContext(this.#options.mode, this.#options.surroundings);
    this.#options = { ...this.#options, mode, surroundings };
    const now = changingContext(mode, surroundings);
    const changed = Object.entries(now).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
    );
    if (changed.length > 0) this.bridge.changeContext(Object.fromEntries(changed));
  }

  /** The app is told that it ends; what it has asked is answered with a no. @returns false if it did not answer in time */
  async end(reason: string): Promise<boolean> {
    this.questions.end();
    return this.bridge.teardown(reason);
  }

  dispose(): void {
    this.questions.end();
    this.#store.dispose();
  }

  #log(text: string): void {
    const { serverLogger, host, resource } = this.#options;
    serverLogger(host.label).info(`App ${resource.uri}: ${text}`);
  }
}

/** What an app is told of where it is (SEP-1865, "Host Context in McpUiInitializeResult"). */
function hostContext({ tool, mode, surroundings }: AppRunOptions): UnknownRecord {
  const { omittedSchemas: _, ...definition } = tool;
  return {
    toolInfo: { tool: definition },
    ...changingContext(mode, surroundings),
    availableDisplayModes: displayModes,
    locale: env.language,
    timeZone: surroundings.timeZone,
    userAgent: `Patchbay (${env.appName} ${version})`,
    platform: env.uiKind === UIKind.Web ? 'web' : 'desktop',
    deviceCapabilities: { touch: surroundings.hasTouch, hover: surroundings.hasHover },
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
  };
}

function changingContext(
  mode: DisplayMode,
  { theme, variables, fonts, width, height, room }: Surroundings,
): UnknownRecord {
  // Inline, an app is as high as it says, and its tab scrolls beyond the room; otherwise it fills it (SEP-1865, "Container Dimensions").
  const containerDimensions = mode === 'inline' ? { width, maxHeight: room } : { width, height };
  const styles = { variables, ...(fonts !== '' && { css: { fonts } }) };
  return { theme, styles, displayMode: mode, containerDimensions };
}

/** What the host does for an app (SEP-1865, `HostCapabilities`). Nothing is offered that is not handled. */
function hostCapabilities(reach: AppReach): UnknownRecord {
  return {
    openLinks: {},
    downloadFile: {},
    serverTools: { listChanged: true },
    serverResources: { listChanged: true },
    logging: {},
    sandbox: describeReach(reach),
    ...offeredContent,
    sampling: {},
  };
}
