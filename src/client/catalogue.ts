import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { messageOf, PatchbayError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import { ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import type { ListPage } from '../protocol/mcp/base.ts';
import { readPromptsPage } from '../protocol/mcp/prompts.ts';
import { readResourcesPage, readResourceTemplatesPage } from '../protocol/mcp/resources.ts';
import { readToolsPage } from '../protocol/mcp/tools.ts';
import type { ListKind, ProtocolSession } from '../protocol/revisions/session.ts';
import { type ContentKind, type Contents, emptyContents } from './server.ts';

/** What a running server lists, kept current. */
export interface Catalogue extends Disposable {
  readonly contents: Contents;
  readonly problems: readonly string[];
  readonly onDidChange: Event<ContentKind>;
  /** Lists everything the server has. A list that fails becomes a problem; only cancellation rejects. */
  listAll(signal: AbortSignal): Promise<void>;
  /** The server says a list changed: lists it again soon, however often it says so. */
  invalidate(kind: ListKind): void;
}

/** Between two listings of one kind at least this many milliseconds pass: four a second, whatever a server floods. */
const refreshIntervalMs = 250;

/** More pages or items than this are left unread: no list a person can use is longer. */
const maximumPages = 1_000;
const maximumItems = 200_000;
const maximumProblems = 100;

interface ListSource {
  readonly kind: ContentKind;
  readonly capability: ListKind;
  readonly method: string;
  readonly read: (result: unknown) => ListPage<unknown>;
}

const sources: readonly ListSource[] = [
  { kind: 'tools', capability: 'tools', method: 'tools/list', read: readToolsPage },
  { kind: 'resources', capability: 'resources', method: 'resources/list', read: readResourcesPage },
  {
    kind: 'resourceTemplates',
    capability: 'resources',
    method: 'resources/templates/list',
    read: readResourceTemplatesPage,
  },
  { kind: 'prompts', capability: 'prompts', method: 'prompts/list', read: readPromptsPage },
];

export function createCatalogue(session: Pick<ProtocolSession, 'capabilities' | 'request'>, clock: Clock): Catalogue {
  const disposables = new DisposableStore();
  const onDidChange = disposables.add(new Emitter<ContentKind>());
  const problems = new Map<ContentKind, readonly string[]>();
  const disposal = new AbortController();
  /** Changed while the first listing ran, which may or may not have seen it; `undefined` once that is over. */
  let early: Set<ListKind> | undefined = new Set();
  let contents = emptyContents;

  async function list(source: ListSource, signal: AbortSignal): Promise<void> {
    if (session.capabilities[source.capability] === undefined) return;
    try {
      const page = await listPages(session, source, signal);
      contents = { ...contents, [source.kind]: page.items };
      problems.set(source.kind, page.problems);
    } catch (error) {
      signal.throwIfAborted();
      problems.set(source.kind, isMissingMethod(error) ? [] : [`${source.method} failed: ${messageOf(error)}`]);
    }
    if (!disposables.isDisposed) onDidChange.fire(source.kind);
  }

  const refreshers = new Map(
    sources.map((source) => [source.kind, disposables.add(createThrottle(clock, () => list(source, disposal.signal)))]),
  );

  function invalidate(capability: ListKind): void {
    if (early !== undefined) return void early.add(capability);
    for (const source of sources) if (source.capability === capability) refreshers.get(source.kind)?.trigger();
  }

  return {
    get contents() {
      return contents;
    },
    get problems() {
      return [...problems.values()].flat();
    },
    onDidChange: onDidChange.event,
    async listAll(signal) {
      await Promise.all(sources.map((source) => list(source, signal)));
      const changed = early ?? [];
      early = undefined;
      for (const capability of changed) invalidate(capability);
    },
    invalidate,
    dispose() {
      disposal.abort(new PatchbayError('disposed', 'The connection was closed while listing.'));
      disposables.dispose();
    },
  };
}

type List = { readonly items: readonly unknown[]; readonly problems: readonly string[] };

/** Reads a list to its end; a cursor that is not valid any more means to begin again, once (utilities, "Pagination"). */
async function listPages(
  session: Pick<ProtocolSession, 'request'>,
  source: ListSource,
  signal: AbortSignal,
): Promise<List> {
  const position: { cursor?: string } = {};
  try {
    return await readPages(session, source, signal, position);
  } catch (error) {
    const isStale = error instanceof JsonRpcError && error.code === ErrorCodes.invalidParams;
    if (!isStale || position.cursor === undefined) throw error;
    return readPages(session, source, signal, {});
  }
}

/** @param position where the reading has come to. Cursors are opaque; one that comes twice ends the list. */
async function readPages(
  session: Pick<ProtocolSession, 'request'>,
  { method, read }: ListSource,
  signal: AbortSignal,
  position: { cursor?: string },
): Promise<List> {
  const pages: (readonly unknown[])[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  let count = 0;
  for (;;) {
    const { cursor } = position;
    const page = read(await session.request(method, cursor === undefined ? undefined : { cursor }, { signal }));
    pages.push(page.items);
    count += page.items.length;
    problems.push(...page.problems.slice(0, maximumProblems - problems.length));
    const { nextCursor } = page;
    if (nextCursor === undefined) break;
    if (seen.has(nextCursor) || seen.size >= maximumPages || count >= maximumItems) {
      problems.push(`${method} did not come to an end; what follows the first ${count} entries was left out.`);
      break;
    }
    seen.add(nextCursor);
    position.cursor = nextCursor;
  }
  return { items: pages.length === 1 ? (pages[0] ?? []) : pages.flat(), problems };
}

/** A server that declares a capability and lacks one of its lists, for instance templates, simply has none. */
function isMissingMethod(error: unknown): boolean {
  return error instanceof JsonRpcError && error.code === ErrorCodes.methodNotFound;
}

interface Throttle extends Disposable {
  trigger(): void;
}

/** Runs `task` at once, then again after the interval if asked meanwhile; never twice at the same time. */
function createThrottle(clock: Clock, task: () => Promise<void>): Throttle {
  const timers = new DisposableStore();
  let isBusy = false;
  let isWanted = false;

  function run(): void {
    isBusy = true;
    isWanted = false;
    const startedAt = clock.now();
    void task()
      // The task reports its own failures; what is left is the end of the connection.
      .catch(() => {})
      .then(() => timers.add(clock.after(Math.max(0, startedAt + refreshIntervalMs - clock.now()), settle)));
  }

  function settle(): void {
    timers.clear();
    isBusy = false;
    if (isWanted) run();
  }

  return {
    trigger() {
      isWanted = true;
      if (!isBusy && !timers.isDisposed) run();
    },
    dispose: () => timers.dispose(),
  };
}
