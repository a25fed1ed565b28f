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
    'traceMessages',
    'stopTracingMessages',
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
  configuration: ['addServer', 'importServers', 'tryDemoServer', 'removeDemoServer', 'resetTrust', 'forgetInputs'],
  manage: ['removeServer', 'renameServer', 'duplicateServer', 'disableServer', 'enableServer'],
  signIns: ['signIn', 'signOut', 'signOutOfAll', 'setIssuer', 'showAuthorization', 'pasteSignInAddress'],
  prompts: ['runPrompt', 'askModelWithPrompt', 'copyKeybinding'],
  resources: ['openResource', 'saveResource', 'askModelAboutResource'],
  models: ['addModel', 'manageModels', 'testModel', 'editModel', 'removeModel'],
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
};

/** VS Code's own command that shows the view *Approvals*. */
export const showApprovals = 'patchbay.approvals.focus';

export type CommandId = (typeof CommandIds)[keyof typeof CommandIds];

/** The id of the command that a prompt has of its own, which is not in package.json. */
export type PromptCommandId = `patchbay.prompt.${string}`;

/** Dots and percent signs in the server's label are percent-encoded, so that no two prompts share an id. */
export function promptCommandId(server: string, prompt: string): PromptCommandId {
  const label = server.replace(/[%.]/g, (character) => (character === '%' ? '%25' : '%2E'));
  return `patchbay.prompt.${label}.${prompt}`;
}

/**
 * The commands that start, send or change something for their argument, in words that continue "asks for this". They are confirmed
 * where the argument comes from a key binding or another extension; prompts' own commands always are.
 */
export const actingCommands = {
  startServer: 'Start a server',
  startAll: 'Start all servers',
  startWithWindow: 'Start a server with each window',
  stopServer: 'Stop a server',
  restartServer: 'Restart a server',
  pingServer: 'Ping a server',
  listAgain: 'Refresh the lists of a server',
  diagnoseServer: 'Diagnose a server, which starts it',
  showWhy: 'Diagnose a server, which starts it',
  removeServer: 'Remove a server from its configuration',
  renameServer: 'Rename a server',
  duplicateServer: 'Duplicate a server',
  disableServer: 'Disable a server',
  enableServer: 'Enable a server',
  signIn: 'Sign in to a server',
  signOut: 'Sign out of a server',
  allowQuestions: 'Unmute a server: its questions, and calls of its tools by others',
  runPrompt: 'Run a prompt',
  askModelWithPrompt: 'Run a prompt, for a model',
  openTool: 'Open a tool',
  openAnotherTool: 'Open a tool',
  openApp: 'Open an app',
  openSavedCall: 'Open a saved call',
  deleteSavedCall: 'Delete a saved call',
  openResource: 'Read a resource',
  saveResource: 'Read a resource, to save it',
  askModelAboutResource: 'Read a resource, for a model',
  openSkill: 'Read a skill',
  cancelTask: 'Cancel a task',
  showTaskResult: 'Get the result of a task',
  dismissTask: 'Take a task off the list',
} as const satisfies Partial<Record<CommandName, string>>;

export type ActingCommandId = `patchbay.${keyof typeof actingCommands}` | PromptCommandId;
