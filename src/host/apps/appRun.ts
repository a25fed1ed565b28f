import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/clock.ts';
import { type AppBridge, type AppCallEnd, createAppBridge } from '../../client/apps/appBridge.ts';
import type { AppJournal } from '../../client/apps/appJournal.ts';
import type { AppIdentity, AppNotice, DisplayMode } from '../../client/apps/appMessages.ts';
import { allowOf, type AppReach, policyOf } from '../../client/apps/appReach.ts';
import { type AppResource, toFrameDocument } from '../../client/apps/appResource.ts';
import { createServerHandlers } from '../../client/apps/appServerHandlers.ts';
import type { QuestionMutes } from '../../client/serverRequests/questionMutes.ts';
import type { ClientFeaturePorts } from '../../client/serverRequests/serverRequestHandlers.ts';
import type { Implementation } from '../../protocol/mcp/base.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import type { Surroundings } from '../../shared/appMessages.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { changingContext, hostCapabilities, hostContext } from './appContext.ts';
import { type AppModelContext, createPersonRequests, type PersonRequests } from './appRequests.ts';

/** A call that an app is about. `end` is absent while it runs. */
export interface ShownCall {
  readonly args: JsonObject;
  readonly end?: AppCallEnd;
  /** The person has made it up, to try the app. */
  readonly isInvented?: boolean;
}

/** An app that is ready to be shown: read, checked, and allowed what it reaches. */
export interface LoadedApp {
  readonly host: HostServer;
  readonly tool: Tool;
  readonly title: string;
  readonly resource: AppResource;
  /** What it was allowed, which may be less than it declares. */
  readonly reach: AppReach;
  readonly journal: AppJournal;
}

/** What every shown app needs of the host. */
export interface AppRunPorts {
  readonly clock: Clock;
  readonly logger: (label: string) => Logger;
  readonly hostInfo: Implementation;
  readonly sampling: NonNullable<ClientFeaturePorts['sampling']>;
  readonly mutes: Pick<QuestionMutes, 'isMuted' | 'recordDecision'>;
  /** What runs in the app's frame before the app. */
  readonly frameScript: string;
}

/** What one shown app needs of its tab. */
export interface AppRunOptions extends LoadedApp, AppRunPorts {
  readonly post: (message: object) => void;
  readonly surroundings: Surroundings;
  readonly mode: DisplayMode;
  readonly setMode: (mode: DisplayMode) => Promise<DisplayMode>;
  readonly onInitialized: (identity: AppIdentity) => void;
  readonly onNotice: (notice: AppNotice) => void;
}

/** One document of an app, from its frame to its end. */
export class AppRun implements Disposable {
  readonly bridge: AppBridge;
  #options: AppRunOptions;
  readonly #store = new DisposableStore();
  readonly #askPerson: PersonRequests;
  #context: AppModelContext | undefined;

  constructor(options: AppRunOptions) {
    this.#options = options;
    const { host, resource, title, clock, post, journal, reach, hostInfo } = options;
    const logger = options.logger(host.label);
    const app = { uri: resource.uri, title };
    this.#askPerson = createPersonRequests({
      ...options,
      server: host.server,
      setContext: (context) => (this.#context = context),
    });
    this.bridge = this.#store.add(
      createAppBridge({
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
        onInitialized: options.onInitialized,
        onNotice: options.onNotice,
      }),
    );
    this.#store.add(
      host.server.onDidChangeContents((kind) => {
        if (kind === 'tools' || kind === 'resources' || kind === 'prompts') this.bridge.listChanged(kind);
      }),
    );
  }

  /** What the app gave for the next question to a model. */
  get context(): AppModelContext | undefined {
    return this.#context;
  }

  /** Gives the page the app's document (SEP-1865, "Sandbox proxy"). */
  load(): void {
    const { resource, reach, frameScript, post, journal } = this.#options;
    const policy = policyOf(reach);
    const html = toFrameDocument(resource.html, policy, frameScript);
    journal.event('loaded', { policy, permissions: allowOf(reach) });
    const params = { html, sandbox: 'allow-scripts', allow: allowOf(reach) };
    post({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params });
  }

  /** Takes a message of the app, as JSON. */
  receive(message: unknown): void {
    this.#options.journal.message('in', message);
    this.bridge.receive(message);
  }

  /** A link in the app was clicked: the same question as for a request. */
  followLink(href: string): void {
    this.#askPerson.openLink(href).catch((error: unknown) => {
      this.#options.logger(this.#options.host.label).info(`App ${this.#options.resource.uri}: ${messageOf(error)}`);
    });
  }

  show({ args, end }: ShownCall): void {
    this.bridge.setInput(args);
    if (end !== undefined) this.bridge.setEnd(end);
  }

  /** The theme, the size or the mode has changed. */
  place(mode: DisplayMode, surroundings: Surroundings): void {
    const before = changingContext(this.#options.mode, this.#options.surroundings);
    this.#options = { ...this.#options, mode, surroundings };
    const now = changingContext(mode, surroundings);
    const changed = Object.entries(now).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
    );
    if (changed.length > 0) this.bridge.changeContext(Object.fromEntries(changed));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
