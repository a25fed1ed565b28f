import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { UnknownRecord } from '../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import type { ResourceContents } from '../protocol/mcp/content.ts';
import type { NoteStore } from './notes.ts';
import { pageOf } from './pages.ts';
import { clockUri, noteUri, type ResourceCatalog } from './resourceCatalog.ts';
import type { RpcServer } from './rpcServer.ts';

const tickMs = 2000;

/** What the resources need. */
export interface ResourceDependencies {
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  readonly notes: NoteStore;
}

/** Answers all `resources/…` requests and sends notifications about changes. Dispose it to stop the timer of the clock. */
export function registerResources(rpc: RpcServer, { catalog, clock, notes }: ResourceDependencies): Disposable {
  const subscribed = new Set<string>();
  let tick: Disposable | undefined;

  const tellUpdated = (uri: string): void => {
    if (subscribed.has(uri)) rpc.notify('notifications/resources/updated', { uri });
  };
  const scheduleTick = (): void => {
    tick = clock.after(tickMs, () => {
      tellUpdated(clockUri);
      scheduleTick();
    });
  };
  const updateTick = (): void => {
    if (subscribed.has(clockUri) === (tick !== undefined)) return;
    tick?.dispose();
    tick = undefined;
    if (subscribed.has(clockUri)) scheduleTick();
  };

  const templates = catalog.templates.map(({ definition }) => definition);
  rpc.handle('resources/list', (params) => pageOf('resources', catalog.list(), params));
  rpc.handle('resources/templates/list', (params) => pageOf('resourceTemplates', templates, params));
  rpc.handle('resources/read', (params) => ({ contents: readOrThrow(catalog, readUri(params)) }));
  rpc.handle('resources/subscribe', (params) => {
    const uri = readUri(params);
    readOrThrow(catalog, uri);
    subscribed.add(uri);
    updateTick();
    return {};
  });
  rpc.handle('resources/unsubscribe', (params) => {
    subscribed.delete(readUri(params));
    updateTick();
    return {};
  });
  notes.onDidChange(({ name, kind }) => {
    if (kind === 'replaced') tellUpdated(noteUri(name));
    else rpc.notify('notifications/resources/list_changed');
  });
  return { dispose: () => tick?.dispose() };
}

function readUri(params: UnknownRecord): string {
  const uri = params['uri'];
  if (typeof uri !== 'string')
    throw new JsonRpcError(ErrorCodes.invalidParams, 'Invalid params: uri must be a string.');
  return uri;
}

function readOrThrow(catalog: ResourceCatalog, uri: string): readonly ResourceContents[] {
  const contents = catalog.read(uri);
  if (contents === undefined) throw new JsonRpcError(ErrorCodes.resourceNotFound, 'Resource not found', { uri });
  return contents;
}
