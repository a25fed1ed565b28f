import { type actingCommands, promptPrefix } from '../commandIds.ts';
import { singleLine } from './displayText.ts';

const words: Readonly<Record<(typeof actingCommands)[number], string>> = {
  startServer: 'Start a server',
  startAll: 'Start all servers',
  startWithWindow: 'Start a server with each window',
  stopServer: 'Stop a server',
  restartServer: 'Restart a server',
  restartOnSave: 'Restart a server whenever its code changes',
  pingServer: 'Ping a server',
  listAgain: 'Refresh the lists of a server',
  diagnoseServer: 'Diagnose a server, which starts it',
  checkServer: 'Check a server, which starts it',
  showWhy: 'Show why a server failed',
  removeServer: 'Remove a server from its configuration',
  renameServer: 'Rename a server',
  duplicateServer: 'Duplicate a server',
  disableServer: 'Disable a server',
  enableServer: 'Enable a server',
  signIn: 'Sign in to a server',
  signOut: 'Sign out of a server',
  allowQuestions: 'Unmute a server',
  debugServer: 'Start a server under a debugger',
  recordSession: 'Start a server and record its messages',
  stopRecording: 'Stop recording a server',
  stopDebugging: 'Detach the debugger of a server',
  runPrompt: 'Run a prompt',
  askModelWithPrompt: 'Run a prompt, for a model',
  openTool: 'Open a tool',
  openAnotherTool: 'Open a tool',
  openApp: 'Open an app',
  openSavedCall: 'Open a saved call',
  deleteSavedCall: 'Delete a saved call',
  runSavedCall: 'Run a saved call as a test',
  runCallsAfterRestart: 'Run the saved calls of a server after each restart',
  openResource: 'Read a resource',
  saveResource: 'Read a resource, to save it',
  askModelAboutResource: 'Read a resource, for a model',
  openSkill: 'Read a skill',
  cancelTask: 'Cancel a task',
  showTaskResult: 'Get the result of a task',
  dismissTask: 'Dismiss a task',
};

/** What a command that acts does, in words that continue "asks for this". */
export function actingWords(id: string): string {
  if (id.startsWith(promptPrefix)) return `Run the prompt ${singleLine(id.slice(promptPrefix.length), 100)}`;
  return Object.entries(words).find(([name]) => id === `patchbay.${name}`)?.[1] ?? id;
}
