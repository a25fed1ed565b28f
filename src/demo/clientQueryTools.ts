import type { Clock } from '../base/clock.ts';
import { isOptional, isRecord, isString } from '../base/json.ts';
import type { Root } from '../protocol/mcp/roots.ts';
import type { DemoClient } from './session.ts';
import { type DemoTool, errorResult, requestFromClient, structuredResult, type ToolResult } from './tool.ts';

const rootsSchema = {
  type: 'object',
  properties: {
    roots: {
      type: 'array',
      items: {
        type: 'object',
        properties: { uri: { type: 'string' }, name: { type: 'string' } },
        required: ['uri'],
      },
    },
  },
  required: ['roots'],
};

/** Asks the client for its roots (2025-11-25, Client / Roots). */
export function createListRootsTool(client: DemoClient): DemoTool {
  return {
    definition: {
      name: 'list_roots',
      title: 'List Roots',
      description: 'Asks the client which folders this server may know of.',
      inputSchema: { type: 'object' },
      outputSchema: rootsSchema,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    run(_input, { signal }) {
      if (!client.has('roots')) {
        return errorResult('This client lends no folders: it did not declare the capability "roots".');
      }
      const failure = 'The client did not list its roots';
      return requestFromClient(client, { method: 'roots/list', params: {}, signal, failure }, describeRoots);
    },
  };
}

/** Sends `ping` to the client. */
export function createPingClientTool(client: DemoClient, clock: Clock): DemoTool {
  return {
    definition: {
      name: 'ping_client',
      title: 'Ping the Client',
      description: 'Pings the client and tells how long its answer took.',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', properties: { milliseconds: { type: 'number' } }, required: ['milliseconds'] },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async run(_input, { signal }) {
      const start = clock.now();
      await client.request('ping', {}, signal);
      const milliseconds = clock.now() - start;
      return structuredResult(`The client answered after ${milliseconds} ms.`, { milliseconds });
    },
  };
}

function describeRoots(result: unknown): ToolResult {
  const list = isRecord(result) ? result['roots'] : undefined;
  if (!Array.isArray(list)) return errorResult('The client sent no list of roots.');
  const roots = list.filter(isRoot).map(({ uri, name }) => ({ uri, ...(name !== undefined && { name }) }));
  const lines = roots.map(({ uri, name }) => (name === undefined ? uri : `${name}: ${uri}`));
  return structuredResult(lines.length === 0 ? 'The client lends no folder.' : lines.join('\n'), { roots });
}

function isRoot(value: unknown): value is Root {
  return isRecord(value) && isString(value['uri']) && isOptional(value['name'], isString);
}
