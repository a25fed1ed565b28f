import type { SecretStorage } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { HttpClient } from '../../base/httpClient.ts';
import type { Logger } from '../../base/logger.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { ModelConnection, ModelGateway, ModelInfo } from '../../models/modelGateway.ts';
import { createLanguageModels, isLanguageModelId } from './languageModels.ts';
import { createModelKeys } from './modelKeys.ts';
import { createModelSettings } from './modelSettings.ts';

/** What the models of all kinds need. */
export interface ModelGatewaysOptions {
  readonly secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Gets each key that is used, by name of its model: it must not leave in texts. */
  readonly usedKeys: Map<string, string>;
}

/** The models of the editor, and those that the person has set up. What speaks with the latter is loaded with their first use. */
export function createModelGateways({ secrets, http, clock, logger, usedKeys }: ModelGatewaysOptions): ModelGateway {
  const settings = createModelSettings(logger);
  const keys = createModelKeys(secrets);
  const connections = (): readonly ModelConnection[] => settings.read().connections;
  const readKey = async (connection: ModelConnection): Promise<string | undefined> => {
    const key = await keys.read(connection);
    if (key !== undefined) usedKeys.set(connection.name, key);
    return key;
  };
  const load = memoizeAsync(async () => {
    const { createHttpModelGateway } = await import('../../models/httpModelGateway.ts');
    return createHttpModelGateway({ connections, readKey, http, clock });
  });
  const list = async (): Promise<readonly ModelInfo[]> => (connections().length === 0 ? [] : (await load()).list());
  return joinGateways(createLanguageModels(), { list, load }, logger);
}

/**
 * One gateway for the models of the editor and the others, which are loaded when they are needed. If one of them cannot list its
 * models, those of the other one are still there.
 */
export function joinGateways(
  editor: ModelGateway,
  others: Pick<ModelGateway, 'list'> & { load(): Promise<ModelGateway> },
  logger: Pick<Logger, 'warn'>,
): ModelGateway {
  return {
    async list() {
      const lists = await Promise.allSettled([others.list(), editor.list()]);
      return lists.flatMap((list) => {
        if (list.status === 'fulfilled') return list.value;
        logger.warn(`Some models cannot be listed: ${messageOf(list.reason)}`);
        return [];
      });
    },
    async generate(model, request, onText, signal) {
      const gateway = isLanguageModelId(model) ? editor : await others.load();
      return gateway.generate(model, request, onText, signal);
    },
  };
}
