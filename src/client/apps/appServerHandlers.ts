import { isCancellation, messageOf } from '../../base/errors.ts';
import type { RequestHandler, RequestHandlerContext } from '../../protocol/incomingRequests.ts';
import { JsonRpcError } from '../../protocol/jsonRpc.ts';
import { isForApps } from '../../protocol/mcp/apps.ts';
import type { UnknownRecord } from '../../base/json.ts';
import type { Server } from '../server/managedServer.ts';
import type { CallingApp } from '../toolCalls/ports.ts';
import { readCall, readText, refusal, toWireResult } from './appMessages.ts';

/** The server of an app, as far as the app may use it. */
export type AppServer = Pick<Server, 'label' | 'contents' | 'callTool' | 'readResource'>;

/**
 * The handlers of what an app asks of its own server (SEP-1865, "Standard MCP Messages"). Calls pass the gate for all calls,
 * where a person is asked; no request reaches another server.
 */
export function createServerHandlers(
  server: AppServer,
  app: CallingApp,
  onNote: (note: string) => void,
): Readonly<Record<string, RequestHandler>> {
  return {
    'tools/call': wrap(async (params, { signal, waitForPerson }) => {
      const { name, args } = readCall(params);
      const tool = server.contents.tools.find((each) => each.name === name);
      if (tool === undefined) throw refusal(`The server of this app offers no tool "${name.slice(0, 200)}".`);
      if (!isForApps(tool)) throw refusal(`The tool "${name}" is not for apps.`);
      const waiting = waitForPerson();
      try {
        // What the tool has done is done: the app gets the result, and the log says what is wrong with it.
        const onInvalid = ({ message }: Error): void => onNote(`${name}: ${message}`);
        return toWireResult(await server.callTool(name, args, { caller: 'app', app, tool, signal, onNote, onInvalid }));
      } finally {
        waiting.dispose();
      }
    }),
    'resources/read': wrap(async (params, { signal }) => {
      const { contents } = await server.readResource(readText(params, 'uri'), { origin: 'extension', signal });
      return { contents };
    }),
    'tools/list': async () => ({ tools: server.contents.tools.filter(isForApps) }),
    'resources/list': async () => ({ resources: server.contents.resources }),
    'resources/templates/list': async () => ({ resourceTemplates: server.contents.resourceTemplates }),
    'prompts/list': async () => ({ prompts: server.contents.prompts }),
  };
}

/** Gives the app the reason of a failure, which it could show; errors of the server go through as they are. */
function wrap(handler: RequestHandler): RequestHandler {
  return async (params: UnknownRecord, context: RequestHandlerContext) => {
    try {
      return await handler(params, context);
    } catch (error) {
      if (error instanceof JsonRpcError || isCancellation(error)) throw error;
      throw refusal(messageOf(error));
    }
  };
}
