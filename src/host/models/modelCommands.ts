import { CommandIds } from '../commandIds.ts';
import { addModel, type ModelSetup } from './addModel.ts';
import { manageModels } from './manageModels.ts';
import { createModelEndpoints } from './modelEndpoints.ts';
import type { ModelGatewaysOptions } from './modelGateways.ts';
import { createModelKeys } from './modelKeys.ts';
import { createModelSettings } from './modelSettings.ts';
import type { ModelCommandId } from './registerModels.ts';
import { createStepInputs } from './stepInputs.ts';

/** What the commands about models need. */
export type ModelCommandsOptions = ModelGatewaysOptions;

/** What the commands about models do. */
export const modelCommands: Readonly<Record<ModelCommandId, (options: ModelCommandsOptions) => Promise<void>>> = {
  [CommandIds.addModel]: (options) => addModel(setUp(options)),
  [CommandIds.manageModels]: (options) => manageModels(setUp(options)),
};

function setUp(options: ModelCommandsOptions): ModelSetup {
  return {
    inputs: createStepInputs(),
    endpoints: createModelEndpoints(options),
    settings: createModelSettings(options.logger),
    keys: createModelKeys(options.secrets),
  };
}
