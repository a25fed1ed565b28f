import type { ExtensionContext } from 'vscode';
import type { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { registerApps, type RegisterAppsOptions } from '../apps/registerApps.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import { commandGroups, CommandIds } from '../commandIds.ts';
import type { ModelAskerOptions } from '../invocation/askModel.ts';
import type { AskModel } from '../invocation/modelQuestion.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { registerReadOnlyFiles } from '../platform/readOnlyFileSystem.ts';
import { registerCommands } from '../platform/registerCommand.ts';
import { resourceScheme, skillScheme } from '../platform/uriSchemes.ts';
import { registerPromptCommands } from '../prompts/promptCommands.ts';
import type { ResultDocument } from '../results/resultDocument.ts';
import type { RegisterToolsOptions } from '../tools/toolPorts.ts';
import { type RegisteredTools, registerTools } from '../tools/registerTools.ts';
import { type Core, pathOf } from './composeCore.ts';

interface FeatureParts {
  readonly show: (document: ResultDocument) => void;
  readonly appAnswers: RegisterAppsOptions['answers'];
  readonly savedCalls: () => Promise<SavedCalls>;
  readonly showTraffic: RegisterToolsOptions['showTraffic'];
}

/** What a person does with what servers offer. Apps and questions to models each need the other. */
export function composeFeatures(
  context: ExtensionContext,
  core: Core,
  { show, appAnswers: answers, savedCalls, showTraffic }: FeatureParts,
  ready: Promise<void>,
  store: DisposableStore,
): RegisteredTools {
  const { extensionUri, workspaceState: storage } = context;
  const { registry, clock, logger, confirmElsewhere, clientInfo: hostInfo, mutes, audit } = core;
  const { traffic, knownSecrets, validator, development, signIns } = core;
  const ofTools = { knownSecrets, traffic, showTraffic, validator, development };
  // A person's question to a model passes the same gate as a server's. Loaded with the first one.
  const asker = memoizeAsync(async () => {
    const { createModelAsker } = await import('../invocation/askModel.ts');
    const appContext: ModelAskerOptions['appContext'] = (server) => apps.contextOf(server);
    return store.add(createModelAsker({ ask: core.sampling.ask, clock, appContext }));
  });
  const askModel: AskModel = async (subject) => (await asker()).askModel(subject);
  const historyFolder = pathOf(context, 'tool-calls');
  const feature = { registry, show, storage, clock, logger, confirmElsewhere, askModel, historyFolder };
  const serverLogger = (label: string): Logger => core.logs.logger(label);
  const sampling = core.sampling.handle;
  const ofApps = { answers, hostInfo, extensionUri, serverLogger, sampling, mutes, audit, traffic, knownSecrets };
  const apps = store.add(registerApps({ ...feature, ...ofApps }));
  const seals = lazySeals(context, core, ready);
  const prompts = memoizeAsync(async () => (await import('../prompts/promptFeature.ts')).createPromptFeature(feature));
  store.add(registerCommands(core, commandGroups.prompts, prompts));
  store.add(registerPromptCommands(core, async (...prompt) => (await prompts()).runTarget(...prompt)));
  const tools = store.add(
    registerTools({
      ...feature,
      loadSeal: seals.tools,
      loadApps: apps.load,
      extensionUri,
      folder: pathOf(context, 'tool-arguments'),
      ...ofTools,
      isSignedIn: (label) => signIns.state.authorization(label) !== undefined,
      savedCalls,
    }),
  );
  const taskCommands = [CommandIds.cancelTask, CommandIds.showTaskResult, CommandIds.dismissTask] as const;
  const tasks = memoizeAsync(async () => (await import('../tasks/taskFeature.ts')).createTaskCommands(feature));
  store.add(registerCommands(core, taskCommands, tasks));
  const documents = { ...feature, knownSecrets, documentsFolder: pathOf(context, 'documents') };
  const resources = memoizeAsync(async () => {
    const { createResourceFeature } = await import('../resources/resourceFeature.ts');
    return store.add(createResourceFeature(documents, await seals.contents()));
  });
  const onlyResource = 'Resources of MCP servers are read-only.';
  store.add(registerReadOnlyFiles(resourceScheme, async () => (await resources()).files, onlyResource));
  store.add(registerCommands(core, commandGroups.resources, resources));
  const skills = memoizeAsync(async () => {
    const { createSkillFeature } = await import('../skills/skillFeature.ts');
    return store.add(createSkillFeature(documents, await seals.contents()));
  });
  store.add(registerReadOnlyFiles(skillScheme, async () => (await skills()).files, onlySkill));
  store.add(registerCommands(core, [CommandIds.openSkill], skills));
  return tools;
}

const onlySkill = 'Skills of MCP servers are read-only. They are written by the author of the server.';

/** Each is loaded with the first document that it seals. */
function lazySeals(context: ExtensionContext, { registry, logger }: Core, ready: Promise<void>) {
  const load = memoizeAsync(async () => {
    const { AddressSeal: Seal, loadAddressKey } = await import('../platform/addressSeal.ts');
    const key = await loadAddressKey(pathOf(context, 'addresses.key'), logger);
    return (definitionOf: (server: string) => string | undefined) => new Seal(key, definitionOf);
  });
  return {
    contents: async (): Promise<AddressSeal> => {
      // No address holds before its server is known.
      await ready;
      return (await load())((server) => registry.get(server)?.server.identity);
    },
    // What was typed for a tool stays readable whatever becomes of its server.
    tools: async (): Promise<AddressSeal> => (await load())(() => ''),
  };
}
