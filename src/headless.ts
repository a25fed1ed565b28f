import { fileURLToPath } from 'node:url';
import { version } from '../package.json';
import { Authorizer, isSignedInByHeader } from './auth/authorizer.ts';
import { createDirectPrompt, createMemoryStore, type SignInCaution } from './auth/ports.ts';
import type { AuthSettings } from './base/authSettings.ts';
import { type Clock, createSystemClock } from './base/clock.ts';
import type { Disposable } from './base/disposable.ts';
import { messageOf, PatchbayError } from './base/errors.ts';
import type { CreateHttpClient, HttpClient } from './base/httpClient.ts';
import { createLazyHttpClient } from './base/lazyHttpClient.ts';
import { RateLimiter } from './base/rateLimiter.ts';
import { toJsonText } from './base/json.ts';
import type { LaunchPlan, RemoteLaunchPlan } from './base/launchPlan.ts';
import { limits } from './base/limits.ts';
import { createLogger, type LogEntry, type Logger } from './base/logger.ts';
import { boundLine } from './base/logLine.ts';
import { hasProxy } from './base/proxyRules.ts';
import { memoizeAsync } from './base/sharedPromise.ts';
import { addressForms, parseServerAddress } from './base/serverAddress.ts';
import { launchIdentity } from './client/connection/launchIdentity.ts';
import type { RememberedStrategy, StrategyMemory } from './client/connection/connectionStrategy.ts';
import { describeProblem } from './base/schemaCheck.ts';
import { checkAnswer } from './client/elicitation/answerCheck.ts';
import { ManagedServer } from './client/server/managedServer.ts';
import type { ServerPorts } from './client/server/server.ts';
import type {
  ClientFeaturePorts,
  ElicitationContext,
  RequestContext,
} from './client/serverRequests/serverRequestHandlers.ts';
import { createServerHandle, type HeadlessServer } from './client/server/serverHandle.ts';
import { QueuedValidator, type SchemaValidator } from './client/validation/schemaValidator.ts';
import { combineTaps, type OpenTap } from './client/trace/connectionTap.ts';
import { TextTap } from './client/trace/textTap.ts';
import { parseEnvFile } from './config/envFile.ts';
import { parseServerOptionsSetting } from './config/parseConfiguration.ts';
import { isStdio, type ServerDefinition, type ServerOptions } from './config/serverDefinition.ts';
import type { ModelConnection, ModelGateway } from './models/modelGateway.ts';
import type { ElicitRequest, ElicitResult } from './protocol/mcp/elicitation.ts';
import type { Root } from './protocol/mcp/roots.ts';
import type { SamplingContent, SamplingRequest, SamplingResult } from './protocol/mcp/sampling.ts';
import { createTransports } from './transport/launch/createTransports.ts';
import { NodeHttpClient } from './transport/network/nodeHttpClient.ts';
import { forkScript } from './transport/stdio/forkScript.ts';
import { createLoginEnvironment } from './transport/stdio/loginShell.ts';
import { readOrdinaryFile } from './transport/stdio/ordinaryFile.ts';

export { JsonRpcError } from './protocol/jsonRpc.ts';
export { PatchbayError } from './base/errors.ts';
export type { HeadlessServer } from './client/server/serverHandle.ts';

/** The servers of a headless host, and the functions that answer for the person. */
export interface HeadlessOptions {
  /** Like `servers` in mcp.json, with expanded variables; `patchbay` in an entry contains its options. */
  readonly servers: Readonly<Record<string, ServerDefinition>>;
  readonly roots?: readonly Root[];
  /** Answers sampling requests. Absent: the capability is not declared. */
  readonly onSampling?: (request: SamplingRequest, context: RequestContext) => Promise<SamplingAnswer>;
  /** Answers elicitation requests. Absent: the capability is not declared. */
  readonly onElicitation?: (request: ElicitRequest, context: ElicitationContext) => Promise<ElicitResult>;
  /**
   * Opens the URL in a browser for sign-in, and returns the redirect URL. Absent: servers that need a person to sign in cannot
   * be used; the other flows of `patchbay.auth` can.
   */
  readonly openAuthorizationUrl?: (url: URL) => Promise<URL>;
  /**
   * Called before a sign-in whose authorization server uses endpoints of other origins, or whose response does not identify
   * its issuer. Returns whether to continue. Absent: such a sign-in is refused.
   */
  readonly onUnusualSignIn?: (caution: SignInCaution) => Promise<boolean>;
  /** Receives log entries. With `trace` in a server's `patchbay`, each of its messages is an entry of level `trace`. */
  readonly onLog?: (entry: LogEntry) => void;
  /** Follows all connections, beside the traces. */
  readonly tap?: OpenTap;
}

/** A {@link SamplingResult} whose content may also be a single block, as in revisions before 2025-11-25. */
export type SamplingAnswer = Omit<SamplingResult, 'content'> & {
  readonly content: SamplingContent | readonly SamplingContent[];
};

export type HeadlessHost = ReturnType<typeof createHeadlessHost>;

/** Creates a host for plain Node. Starts no server: call `getServer(label).start()`. */
export function createHeadlessHost(options: HeadlessOptions) {
  const launches = Object.entries(options.servers).map(([label, definition]): HeadlessLaunch => {
    return { label, options: definition.patchbay ?? {}, plan: () => planOf(label, definition) };
  });
  const host = createHeadlessServers({ ...options, launches });
  const handles = new Map([...host.servers].map(([label, server]) => [label, createServerHandle(server, 'program')]));
  return {
    /** @returns `undefined` for a label that is not configured */
    getServer: (label: string): HeadlessServer | undefined => handles.get(label),
    /** Replaces the roots, and notifies the servers. */
    setRoots: (next: readonly Root[]): void => host.setRoots(next),
    /** Resolves when all server processes have ended. */
    async dispose(): Promise<void> {
      for (const handle of handles.values()) handle.dispose();
      await host.dispose();
    },
  };
}

/** One server of {@link createHeadlessServers}. */
export interface HeadlessLaunch {
  readonly label: string;
  readonly options: ServerOptions;
  /** Called at each start. */
  readonly plan: () => Promise<LaunchPlan>;
}

interface HeadlessServersOptions extends Omit<HeadlessOptions, 'servers'> {
  readonly launches: readonly HeadlessLaunch[];
}

/** The servers behind {@link createHeadlessHost}, and what they are made of: for the command line. */
export function createHeadlessServers(options: HeadlessServersOptions) {
  let roots = options.roots ?? [];
  const clock = createSystemClock();
  const logs = createLogs(options.launches, options.onLog, clock);
  const validator = createValidator({ clock });
  const { platform } = process;
  const note = (message: string): void => options.onLog?.({ level: 'warn', message: boundLine(message) });
  const loadHttp = memoizeAsync(loadHttpClients);
  const shared = createLazyHttpClient(loadHttp);
  const environment = createLoginEnvironment(process.env, clock, platform, note);
  const ports: ServerPorts = {
    clientInfo: { name: 'patchbay', title: 'Patchbay (headless)', version },
    clock,
    random: Math.random,
    audit: { record: () => {}, isKept: false },
    identities: { last: (definition) => definition, launched: (_, plan) => launchIdentity(plan) },
    contentsMemory: noMemory,
    strategies: createProcessMemory(),
    // Only the same process continues to poll tasks.
    taskMemory: noMemory,
    clientFeatures: clientFeaturesOf(options, validator, () => roots),
    // The author of the program decides what it calls.
    toolCalls: { validator, approve: () => 'called by the program' },
    createTransport: createTransports({
      clock,
      platform,
      environment,
      loadHttp,
      random: Math.random,
      authorizerFor: createSignIn(options, shared, clock, logs.logger),
    }),
    tap: options.tap === undefined ? logs.tap : combineTaps([logs.tap, options.tap]),
  };
  const servers = options.launches.map(
    ({ label, options: own, plan }) =>
      new ManagedServer({
        label,
        logger: logs.logger(label),
        ports,
        definition: () => label,
        options: () => own,
        plan,
      }),
  );
  for (const server of servers) logMessages(server, logs.logger(server.label));
  return {
    servers: new Map(servers.map((server): readonly [string, ManagedServer] => [server.label, server])),
    createTransport: ports.createTransport,
    logger: logs.logger,
    setRoots(next: readonly Root[]): void {
      roots = next;
      for (const server of servers) server.notifyRootsChanged();
    },
    async dispose(): Promise<void> {
      validator.dispose();
      await Promise.all(servers.map((server) => server.dispose()));
      shared.dispose();
      logs.dispose();
    },
  };
}

/**
 * Creates the validator that the host uses for schemas of servers, for use in other programs. Long checks run in a separate
 * process; {@link Disposable.dispose} ends it.
 * @param options `script`: path of `schemaChecker.cjs`, by default next to this file
 */
export function createValidator(
  options: { readonly script?: string; readonly clock?: Clock } = {},
): SchemaValidator & Disposable {
  const { script = fileURLToPath(new URL('schemaChecker.cjs', import.meta.url)), clock = createSystemClock() } =
    options;
  return new QueuedValidator({
    clock,
    milliseconds: () => limits.check.milliseconds,
    startChecker: (milliseconds) =>
      forkScript(script, { heapMegabytes: limits.check.megabytes, args: [String(milliseconds)] }),
  });
}

export interface HeadlessModel extends ModelConnection {
  /** Absent for an endpoint that needs none, such as one on this machine. */
  readonly key?: string | undefined;
}

/**
 * Creates a gateway to models behind HTTP APIs: of OpenAI, Anthropic, Gemini, and of whatever speaks the API of one of them,
 * such as Ollama. Proxies are those of the environment. The code for it is loaded with the first use. Dispose it to close its
 * connections.
 */
export function createModelGateway(options: { readonly models: readonly HeadlessModel[] }): ModelGateway & Disposable {
  const { models } = options;
  const http = createLazyHttpClient(memoizeAsync(loadHttpClients));
  const load = memoizeAsync(async () => {
    const { createHttpModelGateway } = await import('./models/httpModelGateway.ts');
    const readKey = async ({ id }: ModelConnection) => models.find((model) => model.id === id)?.key;
    return createHttpModelGateway({ connections: () => models, readKey, http, clock: createSystemClock() });
  });
  return {
    list: async () => (await load()).list(),
    generate: async (...parameters) => (await load()).generate(...parameters),
    dispose: () => http.dispose(),
  };
}

/**
 * Lets a model answer what servers ask: `onSampling: answerWith(gateway, 'http:local')`. No one reviews the requests.
 * @param model the id of one that {@link ModelGateway.list} has
 */
export function answerWith(gateway: ModelGateway, model: string): NonNullable<HeadlessOptions['onSampling']> {
  return async (request, { signal }) => (await gateway.generate(model, request, () => {}, signal)).result;
}

/** Proxies are those of the environment. The code for them is loaded only where it sets one. */
async function loadHttpClients(): Promise<CreateHttpClient> {
  const userAgent = `patchbay/${version}`;
  if (!hasProxy(process.env)) return () => new NodeHttpClient({ userAgent });
  const { createEnvironmentProxies } = await import('./transport/network/environmentProxies.ts');
  return () => new NodeHttpClient({ userAgent, proxies: createEnvironmentProxies(process.env) });
}

/** Tokens are kept in memory until the host is disposed. */
function createSignIn(
  { openAuthorizationUrl, onUnusualSignIn }: Omit<HeadlessOptions, 'servers'>,
  http: HttpClient,
  clock: Clock,
  createServerLogger: (server: string) => Logger,
): (plan: RemoteLaunchPlan) => Promise<Authorizer | undefined> {
  const store = createMemoryStore();
  const prompt = createDirectPrompt(openAuthorizationUrl, onUnusualSignIn);
  return async (plan) => {
    if (isSignedInByHeader(plan)) return undefined;
    const { url: server, auth: settings = {}, label = server.host } = plan;
    const logger = createServerLogger(label);
    const clientName = 'Patchbay (headless)';
    return new Authorizer({ label, server, settings, clientName, store, prompt, http, clock, logger });
  };
}

type OnLog = NonNullable<HeadlessOptions['onLog']>;

/**
 * Passes log entries to `onLog`, at most `limits.log.lines` per second and server, with what a terminal would act on written
 * out. Traces have their own limit.
 */
function createLogs(launches: readonly HeadlessLaunch[], onLog: OnLog = () => {}, clock: Clock) {
  const traced = new Set(launches.filter((launch) => launch.options.trace === true).map(({ label }) => label));
  const gates = new Map(
    launches.map(({ label: server }) => {
      const warn = (count: number): void =>
        onLog({ level: 'warn', message: `${count} more lines were left out: too many in one second.`, server });
      return [server, new RateLimiter(clock, { count: limits.log.lines, periodMs: 1_000 }, warn)];
    }),
  );
  return {
    logger: (server: string): Logger =>
      createLogger(
        (level, message) => onLog({ level, message: boundLine(message), server }),
        () => 'trace',
        gates.get(server),
      ),
    tap: ((connection) => {
      const { label: server } = connection;
      if (!traced.has(server)) return undefined;
      return new TextTap(connection, (message) => onLog({ level: 'trace', message, server }), clock);
    }) satisfies OpenTap,
    dispose: () => gates.forEach((gate) => gate.dispose()),
  };
}

function clientFeaturesOf(
  options: Omit<HeadlessOptions, 'servers'>,
  validator: SchemaValidator,
  roots: () => readonly Root[],
): ClientFeaturePorts {
  const { onSampling, onElicitation } = options;
  return {
    roots,
    ...(onSampling && {
      sampling: async (request: SamplingRequest, context: RequestContext): Promise<SamplingResult> => {
        const answer = await onSampling(request, context);
        return { ...answer, content: [answer.content].flat() };
      },
    }),
    ...(onElicitation && {
      async elicitation(request: ElicitRequest, context: ElicitationContext): Promise<ElicitResult> {
        const result = await onElicitation(request, context);
        await assertValid(validator, context.server, request, result);
        return result;
      },
    }),
  };
}

/** Checks what an accepted form has; defaults follow. @throws {PatchbayError} `invalidArguments` for a value that is not valid */
async function assertValid(
  validator: SchemaValidator,
  server: string,
  request: ElicitRequest,
  { action, content = {} }: ElicitResult,
): Promise<void> {
  if (request.mode !== 'form' || action !== 'accept') return;
  const findings = await checkAnswer(validator, server, request.requestedSchema, content);
  const [wrong] = findings.filter(({ value }) => value !== undefined).flatMap(({ problems }) => problems);
  if (wrong !== undefined)
    throw new PatchbayError(
      'invalidArguments',
      `The answer does not fit the form: ${describeProblem(wrong, content, 'It')}`,
    );
}

function logMessages(server: ManagedServer, logger: Logger): void {
  server.onDidLog(({ level, data }) =>
    logger.info(() => `[${level}] ${typeof data === 'string' ? data : toJsonText(data, limits.log.characters)}`),
  );
}

async function planOf(label: string, definition: ServerDefinition): Promise<LaunchPlan> {
  if (!isStdio(definition)) {
    const address = parseServerAddress(definition.url);
    if (address === undefined)
      throw new PatchbayError('configuration', `The "url" of "${label}" must be ${addressForms}.`);
    const { type: kind = 'http', headers = {} } = definition;
    const auth = readAuth(label, definition.patchbay?.auth);
    return { kind, label, ...address, headers, ...(auth !== undefined && { auth }) };
  }
  const { command, args = [], cwd, env = {}, envFile, replay } = definition;
  if (replay !== undefined) return { kind: 'stdio', label, command, args, cwd, env: {}, replay };
  const fromFile = envFile === undefined ? {} : parseEnvFile(await readEnvFile(label, envFile));
  const variables = Object.entries(env).map(([name, value]) => [name, value === null ? null : String(value)] as const);
  return { kind: 'stdio', command, args, cwd, env: { ...fromFile, ...Object.fromEntries(variables) } };
}

async function readEnvFile(label: string, path: string): Promise<string> {
  try {
    return await readOrdinaryFile(path, limits.configuration.bytes);
  } catch (error) {
    throw new PatchbayError('configuration', `The "envFile" of "${label}", ${path}, ${messageOf(error)}.`);
  }
}

function readAuth(label: string, auth: AuthSettings | undefined): AuthSettings | undefined {
  const { options, problems } = parseServerOptionsSetting({ [label]: auth === undefined ? {} : { auth } }, 'user');
  // `missingIssuer` is reported later, when the server has named its issuer.
  const problem = problems.find(({ code }) => code !== 'missingIssuer');
  if (problem !== undefined) throw new PatchbayError('configuration', problem.message);
  return options.get(label)?.options.auth;
}

const noMemory = { load: () => undefined, save: () => {} };

function createProcessMemory(): StrategyMemory {
  const known = new Map<string, RememberedStrategy>();
  return {
    load: (plan) => known.get(launchIdentity(plan)),
    save: (plan, strategy) => void known.set(launchIdentity(plan), strategy),
  };
}
