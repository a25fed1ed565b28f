import { isRecord, type UnknownRecord } from '../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import type { Implementation } from '../protocol/mcp/base.ts';
import type { ClientCapabilities, ServerCapabilities } from '../protocol/mcp/lifecycle.ts';
import { invalidParams, type RpcServer } from './rpcServer.ts';
import { createLogoPng } from './sampleFiles.ts';

/** Newest first. Revisions are dates, so they can be compared as text. */
const revisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** A protocol revision that the demo server supports. */
export type Revision = (typeof revisions)[number];

const latestRevision = revisions[0];

/** A client capability that the demo server uses. */
export type ClientFeature = 'roots' | 'sampling' | 'sampling tools' | 'elicitation form' | 'elicitation url';

/** The client, as tools use it. */
export interface DemoClient {
  /** Whether the client declared the capability in `initialize`. */
  has(capability: ClientFeature): boolean;
  /** Sends a request. Rejects with the client's JsonRpcError, or with the signal's reason. */
  request(method: string, params: UnknownRecord, signal: AbortSignal): Promise<unknown>;
  /** Sends a notification. */
  notify(method: string, params: UnknownRecord): void;
}

const instructions = `# Patchbay Demo

This server shows what the Model Context Protocol can do. It works on **nothing but itself**: notes live in memory, and are
gone when it stops.

| To see | Use |
|---|---|
| structured content | the tool \`add\` |
| progress, and cancelling | the tool \`slow_count\` |
| a request to a language model | the tool \`summarize\` |
| a language model that uses a tool of a server | the tool \`add_up_prices\` |
| a form | the tool \`order_lunch\` |
| completion | the prompt \`plan_trip\` |

1. Ask before \`remove_note\`: nothing brings a note back.
2. The weather is invented. Say so.
`;

/** The result of the initialization: revision and client capabilities (2025-11-25, Basic / Lifecycle). */
export class Session {
  #revision: Revision | undefined;
  #clientCapabilities: ClientCapabilities = {};

  /** The negotiated revision; the latest one before `initialize`. */
  get revision(): Revision {
    return this.#revision ?? latestRevision;
  }

  /** True if the negotiated revision is `revision` or newer. */
  isAtLeast(revision: Revision): boolean {
    return this.revision >= revision;
  }

  /** Whether the client declared the capability. */
  clientHas(feature: ClientFeature): boolean {
    const { roots, sampling, elicitation } = this.#clientCapabilities;
    switch (feature) {
      case 'roots':
        return roots !== undefined;
      case 'sampling':
        return sampling !== undefined;
      case 'sampling tools':
        return sampling?.tools !== undefined && this.isAtLeast('2025-11-25');
      case 'elicitation form':
        // An empty object means form mode, as in 2025-06-18 (2025-11-25, Client / Elicitation).
        return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
      case 'elicitation url':
        return elicitation?.url !== undefined && this.isAtLeast('2025-11-25');
    }
  }

  /** @throws {JsonRpcError} `-32600` for a second `initialize`, and for any method but `ping` before the first */
  assertMethodAllowed(method: string): void {
    if (method === 'ping') return;
    const isInitialize = method === 'initialize';
    if (isInitialize === (this.#revision === undefined)) return;
    const detail = isInitialize ? 'The session is initialized already.' : 'Send "initialize" first.';
    throw new JsonRpcError(ErrorCodes.invalidRequest, `Invalid request: ${detail}`);
  }

  /** Answers `initialize` with the requested revision if the server supports it, otherwise with the latest one. */
  initialize(params: UnknownRecord): object {
    const requested = params['protocolVersion'];
    if (typeof requested !== 'string') {
      throw invalidParams('protocolVersion must be a string.');
    }
    const capabilities = params['capabilities'];
    this.#revision = revisions.find((revision) => revision === requested) ?? latestRevision;
    this.#clientCapabilities = isRecord(capabilities) ? capabilities : {};
    return {
      protocolVersion: this.#revision,
      capabilities: this.#serverCapabilities(),
      serverInfo: describeServer(),
      instructions,
    };
  }

  #serverCapabilities(): ServerCapabilities {
    return {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      logging: {},
      // 2024-11-05 has `completion/complete`, but no capability for it.
      ...(this.isAtLeast('2025-03-26') && { completions: {} }),
    };
  }
}

/** Answers `initialize` and `ping`. */
export function registerLifecycle(rpc: RpcServer, session: Session): void {
  rpc.handle('initialize', (params) => session.initialize(params));
  rpc.handle('ping', () => ({}));
}

function describeServer(): Implementation {
  return {
    name: 'patchbay-demo',
    title: 'Patchbay Demo',
    version: '1.0.0',
    description: 'Shows every feature a server can have, without network or files.',
    websiteUrl: 'https://modelcontextprotocol.io/',
    icons: [{ src: `data:image/png;base64,${createLogoPng(32)}`, mimeType: 'image/png', sizes: ['32x32'] }],
  };
}
