/** The names of all commands. The code of a feature's commands is loaded with the first of them that runs. */
const features = {
  servers: [
    'startServer',
    'startAll',
    'startWithWindow',
    'dontStartWithWindow',
    'stopServer',
    'restartServer',
    'pingServer',
    'allowQuestions',
    'listAgain',
    'showServerLog',
    'setLogLevel',
    'openConfiguration',
    'allowOptions',
    'chooseRoots',
    'showServerDetails',
    'showInstructions',
    'showServers',
    'showLog',
    'copyName',
    'filterServers',
    'clearFilter',
    'openRow',
  ],
  configuration: [
    'addServer',
    'addReplay',
    'importServers',
    'tryDemoServer',
    'removeDemoServer',
    'resetTrust',
    'forgetInputs',
  ],
  manage: ['removeServer', 'renameServer', 'duplicateServer', 'disableServer', 'enableServer'],
  signIns: ['signIn', 'signOut', 'signOutOfAll', 'setIssuer', 'showAuthorization', 'pasteSignInAddress'],
  prompts: ['runPrompt', 'askModelWithPrompt', 'copyKeybinding'],
  resources: ['openResource', 'saveResource', 'askModelAboutResource'],
  models: ['addModel', 'manageModels', 'testModel', 'editModel', 'removeModel'],
  workshop: [
    'restartOnSave',
    'stopRestartingOnSave',
    'debugServer',
    'stopDebugging',
    'showTraffic',
    'checkServer',
    'installTestSuite',
    'runSavedCall',
    'updateSnapshots',
    'runCallsAfterRestart',
    'checkCompatibility',
    'showModelView',
    'recordSession',
    'stopRecording',
    'compareSessions',
  ],
  others: [
    'diagnoseServer',
    'showWhy',
    'callTool',
    'openTool',
    'openApp',
    'appActions',
    'openAnotherTool',
    'openSavedCall',
    'showSavedCall',
    'deleteSavedCall',
    'saveCall',
    'showExchange',
    'forgetCallHistory',
    'showCallHistory',
    'openWhole',
    'showMarkdown',
    'openSkill',
    'cancelTask',
    'showTaskResult',
    'dismissTask',
    'showDefinitionChanges',
    'markAllSeen',
    'showAuditLog',
    'showQuestion',
    'editRule',
    'stopRules',
    'allowAlways',
    'revokeApproval',
    'revokeAllApprovals',
    'endLeftoverProcesses',
  ],
} as const;

type CommandName = (typeof features)[keyof typeof features][number];

function idsOf<Name extends CommandName>(names: readonly Name[]): readonly `patchbay.${Name}`[] {
  return names.map((name): `patchbay.${Name}` => `patchbay.${name}`);
}

/** Every command Patchbay contributes, by its name: the id is that with `patchbay.` before. A test holds this list against package.json. */
export const CommandIds = Object.fromEntries(
  Object.values(features).flatMap((names) => names.map((name: CommandName) => [name, `patchbay.${name}`])),
) as { readonly [Name in CommandName]: `patchbay.${Name}` };

/** The commands whose code is loaded with the first of them that runs, by feature. */
export const commandGroups = {
  servers: idsOf(features.servers),
  configuration: idsOf(features.configuration),
  manage: idsOf(features.manage),
  signIns: idsOf(features.signIns),
  prompts: idsOf(features.prompts),
  resources: idsOf(features.resources),
  models: idsOf(features.models),
  workshop: idsOf(features.workshop),
};

/** VS Code's own command that shows the view *Approvals*. */
export const showApprovals = 'patchbay.approvals.focus';

export type CommandId = (typeof CommandIds)[keyof typeof CommandIds];

export const promptPrefix = 'patchbay.prompt.';

/** The id of the command that a prompt has of its own, which is not in package.json. */
export type PromptCommandId = `patchbay.prompt.${string}`;

/** Dots and percent signs in the server's label are percent-encoded, so that no two prompts share an id. */
export function promptCommandId(server: string, prompt: string): PromptCommandId {
  const label = server.replace(/[%.]/g, (character) => (character === '%' ? '%25' : '%2E'));
  return `${promptPrefix}${label}.${prompt}`;
}

/**
 * The commands that start, send or change something for their argument. They are confirmed where the argument comes from a key
 * binding or another extension; prompts' own commands always are.
 */
export const actingCommands = [
  'startServer',
  'startAll',
  'startWithWindow',
  'stopServer',
  'restartServer',
  'restartOnSave',
  'pingServer',
  'listAgain',
  'diagnoseServer',
  'checkServer',
  'showWhy',
  'removeServer',
  'renameServer',
  'duplicateServer',
  'disableServer',
  'enableServer',
  'signIn',
  'signOut',
  'allowQuestions',
  'debugServer',
  'stopDebugging',
  'recordSession',
  'stopRecording',
  'runPrompt',
  'askModelWithPrompt',
  'openTool',
  'openAnotherTool',
  'openApp',
  'openSavedCall',
  'deleteSavedCall',
  'runSavedCall',
  'runCallsAfterRestart',
  'openResource',
  'saveResource',
  'askModelAboutResource',
  'openSkill',
  'cancelTask',
  'showTaskResult',
  'dismissTask',
] as const satisfies readonly CommandName[];

export type ActingCommandId = `patchbay.${(typeof actingCommands)[number]}` | PromptCommandId;
