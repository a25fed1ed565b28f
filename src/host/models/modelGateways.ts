import type { SecretStorage } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { HttpClient } from '../../base/httpClient.ts';
import type { Logger } from '../../base/logger.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { ModelGateway, ModelInfo } from '../../models/modelGateway.ts';
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
export function createModelGateways(options: ModelGatewaysOptions): ModelGateway {
  const { secrets, http, clock, logger, usedKeys } = options;
  const settings = createModelSettings(logger);
  const keys = createModelKeys(secrets);
  const loadHttp = memoizeAsync(async () => {
    const { createHttpModelGateway } = await import('../../models/httpModelGateway.ts');
    const readKey = async (connection: Parameters<typeof keys.read>[0]) => {
      const key = await keys.read(connection);
      if (key !== undefined) usedKeys.set(connection.name, key);
      return key;
    };
    return createHttpModelGateway({ connections: () => settings.read().connections, readKey, http, clock });
  });
  const listSetUp = async (): Promise<readonly ModelInfo[]> =>
    settings.read().connections.length === 0 ? [] : (await loadHttp()).list();
  return joinGateways(createLanguageModels(), { list: listSetUp, load: loadHttp }, logger);
}

/** A gateway that is loaded when it is needed. */
export interface LazyGateway extends Pick<ModelGateway, 'list'> {
  load(): Promise<ModelGateway>;
}

/**
 * One gateway for the models of the editor and the others. If one of them cannot list its models, those of the other one are
 * still there.
 */
export function joinGateways(editor: ModelGateway, others: LazyGateway, logger: Pick<Logger, 'warn'>): ModelGateway {
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
