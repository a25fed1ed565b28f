import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { HttpClient } from '../../base/httpClient.ts';
import { findLocalModelServers } from '../../models/localServers.ts';
import type { ModelConnection } from '../../models/modelGateway.ts';
import { listRemoteModels } from '../../models/remoteModels.ts';
import type { SamplingRequest } from '../../protocol/mcp/sampling.ts';
import { type ModelTest, testTokens } from './modelText.ts';

const testRequest: SamplingRequest = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Answer with the single word: ready' }] }],
  maxTokens: testTokens,
};

/** What is asked of endpoints while a model is set up. Loads the gateway to models with the first test. */
export function createModelEndpoints(http: HttpClient, clock: Clock) {
  return {
    /** Never fails because of what it finds. */
    findLocal: (signal: AbortSignal) => findLocalModelServers({ http, clock, signal }),
    /** @throws {ModelError} */
    list: (
      connection: Pick<ModelConnection, 'name' | 'api' | 'baseUrl'>,
      key: string | undefined,
      signal: AbortSignal,
    ) => listRemoteModels(connection, key, { http, clock, signal }),
    /** Sends one short question. A failure of the model is an outcome. */
    async test(connection: ModelConnection, key: string | undefined, signal: AbortSignal): Promise<ModelTest> {
      const { createHttpModelGateway, httpModelId } = await import('../../models/httpModelGateway.ts');
      const connections = (): readonly ModelConnection[] => [connection];
      const gateway = createHttpModelGateway({ connections, readKey: async () => key, http, clock });
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

export type ModelEndpoints = ReturnType<typeof createModelEndpoints>;
