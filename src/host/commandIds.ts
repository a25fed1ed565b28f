const ofServers = [
  'startServer',
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
] as const;

const ofConfiguration = [
  'addServer',
  'importServers',
  'tryDemoServer',
  'removeDemoServer',
  'resetTrust',
  'forgetInputs',
] as const;

const ofSignIns = [
  'signIn',
  'signOut',
  'signOutOfAll',
  'setIssuer',
  'showAuthorization',
  'pasteSignInAddress',
] as const;

const ofPrompts = ['runPrompt', 'askModelWithPrompt', 'copyKeybinding'] as const;

const ofResources = ['openResource', 'saveResource', 'askModelAboutResource'] as const;

const names = [
  ...ofServers,
  ...ofConfiguration,
  ...ofSignIns,
  ...ofPrompts,
  ...ofResources,
  'diagnoseServer',
  'copyDiagnosis',
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
  'addModel',
  'manageModels',
  'editRule',
  'stopRules',
  'allowAlways',
  'revokeApproval',
  'revokeAllApprovals',
  'endLeftoverProcesses',
] as const;

/** Every command Patchbay contributes, by its name: the id is that with `patchbay.` before. A test holds this list against package.json. */
export const CommandIds = Object.fromEntries(names.map((name) => [name, `patchbay.${name}`])) as {
  readonly [Name in (typeof names)[number]]: `patchbay.${Name}`;
};

function idsOf<Name extends (typeof names)[number]>(some: readonly Name[]): readonly `patchbay.${Name}`[] {
  return some.map((name): `patchbay.${Name}` => `patchbay.${name}`);
}

/** The commands whose code is loaded with the first of them that runs, by feature. */
export const commandGroups = {
  servers: idsOf(ofServers),
  configuration: idsOf(ofConfiguration),
  signIns: idsOf(ofSignIns),
  prompts: idsOf(ofPrompts),
  resources: idsOf(ofResources),
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
  stopServer: 'Stop a server',
  restartServer: 'Restart a server',
  pingServer: 'Ping a server',
  listAgain: 'Refresh the lists of a server',
  diagnoseServer: 'Diagnose a server, which starts it',
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
} as const satisfies Partial<Record<(typeof names)[number], string>>;

export type ActingCommandId = `patchbay.${keyof typeof actingCommands}` | PromptCommandId;
