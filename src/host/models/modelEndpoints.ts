import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { HttpClient } from '../../base/httpClient.ts';
import { findLocalModelServers, type LocalModelServer } from '../../models/localServers.ts';
import type { ModelConnection } from '../../models/modelConnection.ts';
import { listRemoteModels, type RemoteModel } from '../../models/remoteModels.ts';
import type { SamplingRequest } from '../../protocol/mcp/sampling.ts';
import { type ModelTest, testTokens } from './modelText.ts';

/** Asks endpoints while models are set up. Each method rejects with the signal's reason when that aborts. */
export interface ModelEndpoints {
  /** Never fails because of what it finds. */
  findLocal(signal: AbortSignal): Promise<readonly LocalModelServer[]>;
  /** @throws {ModelError} */
  list(
    connection: Pick<ModelConnection, 'name' | 'api' | 'baseUrl'>,
    key: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly RemoteModel[]>;
  /** Sends one short question. A failure of the model is an outcome. */
  test(connection: ModelConnection, key: string | undefined, signal: AbortSignal): Promise<ModelTest>;
}

/** What {@link createModelEndpoints} needs. */
export interface EndpointsOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
}

const testRequest: SamplingRequest = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Answer with the single word: ready' }] }],
  maxTokens: testTokens,
};

/** Loads the gateway to models with the first test. */
export function createModelEndpoints({ http, clock }: EndpointsOptions): ModelEndpoints {
  return {
    findLocal: (signal) => findLocalModelServers({ http, clock, signal }),
    list: (connection, key, signal) => listRemoteModels({ connection, key, http, clock, signal }),
    async test(connection, key, signal) {
      const { createHttpModelGateway, httpModelId } = await import('../../models/httpModelGateway.ts');
      const gateway = createHttpModelGateway({
        connections: () => [connection],
        readKey: () => Promise.resolve(key),
        http,
        clock,
      });
      const start = clock.now();
      try {
        const answer = await gateway.generate(httpModelId(connection), testRequest, () => {}, signal);
        return { kind: 'answered', answer, milliseconds: clock.now() - start };
      } catch (error) {
        signal.throwIfAborted();
        return { kind: 'failed', message: messageOf(error) };
      }
    },
  };
}
