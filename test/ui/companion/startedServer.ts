import { type Extension, extensions } from 'vscode';

/** The parts of Patchbay's API that are used here. */
interface PatchbayApi {
  getServer(label: string): ServerHandle | undefined;
}

interface ServerHandle {
  readonly state: string;
  start(): Promise<void>;
  callTool(name: string, args?: object): Promise<unknown>;
}

/** @throws when it is not installed */
export function findExtension<Api>(id: string): Extension<Api> {
  const extension = extensions.getExtension<Api>(id);
  if (extension === undefined) throw new Error(`The extension ${id} is not installed.`);
  return extension;
}

/** The server of that label, running. */
export async function startedServer(label: string): Promise<ServerHandle> {
  const api = await findExtension<PatchbayApi>('patchbay.patchbay').activate();
  const server = api.getServer(label);
  if (server === undefined) throw new Error(`There is no server ${label}.`);
  if (server.state !== 'running') await server.start();
  return server;
}
