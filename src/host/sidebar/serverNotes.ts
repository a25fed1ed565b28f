import { errorLine } from '../../base/errorLine.ts';
import type { ContentKind, ListState } from '../../client/contents.ts';
import { isPatchbayError } from '../../base/errors.ts';
import { describeWithheld } from '../../config/mergeConfiguration.ts';
import { describeError } from '../platform/describeError.ts';
import { countOf, singleLine, timeOfDay } from '../platform/displayText.ts';
import { CommandIds } from '../commandIds.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { contentKinds, runsWithoutSignIn, type ServerStatus, statusOf } from '../servers/serverStatus.ts';
import type { NoteNode } from '../servers/serverNodes.ts';
import type { Faults } from '../servers/toolFaults.ts';

type Note = Omit<NoteNode, 'kind' | 'server'>;

/**
 * The lines above a server's contents: why it is in its state, what to do about it.
 * @param canStart false in Restricted Mode, for a server the workspace configures
 */
export function notesOf(hostServer: HostServer, canStart: boolean): readonly NoteNode[] {
  const { label, server, isStale, isMuted, configured } = hostServer;
  const { withheld } = configured;
  const notes: readonly (Note | false)[] = [
    !server.isResponsive && silent,
    isStale && stale,
    runsWithoutSignIn(hostServer) && refused,
    isMuted && muted,
    withheld !== undefined && { ...unused, detail: describeWithheld(withheld) },
    ...(!isStale && server.state.kind === 'running' ? codeNotes(hostServer.development) : []),
    ...stateNotes(hostServer, canStart),
    ...problemsNote(hostServer),
    hostServer.toolFaults.size > 0 && schemasNote(hostServer.toolFaults),
    server.state.kind === 'running' && server.ignoredLines > 0 && stdoutNote(server.ignoredLines),
  ];
  return notes.filter((note) => note !== false).map((note) => ({ kind: 'note', server: label, ...note }));
}

/** The lines above the items of a group: that its list is still to come, or why it, or the rest of it, is missing. */
export function groupNotes({ label, server }: HostServer, contents: ContentKind, count: number): readonly NoteNode[] {
  const { isLoading, failure } = server.listState(contents);
  const notes: readonly Note[] = isLoading
    ? [{ note: 'loading', text: count === 0 ? 'Loading…' : 'Loading, last seen:' }]
    : failure === undefined
      ? []
      : [
          { note: 'error', text: singleLine(failure), detail: failure, command: CommandIds.showServerLog },
          { note: 'again', text: 'Try Again', command: CommandIds.listAgain },
        ];
  return notes.map((note) => ({ kind: 'note', server: label, group: contents, ...note }));
}

function stateNotes(hostServer: HostServer, canStart: boolean): readonly Note[] {
  const { server, isDisabled, awaitsAnswer } = hostServer;
  const { state } = server;
  if (isDisabled) return [disabled];
  const isEmpty = contentKinds.every(({ kind }) => server.contents[kind].length === 0);
  if (!canStart && state.kind !== 'running') return [restricted];
  switch (state.kind) {
    case 'stopped':
      return isEmpty ? [start] : [];
    case 'starting':
      return isEmpty ? [awaitsAnswer ? asked : starting] : [];
    case 'running':
      return isEmpty && notedLists(hostServer).length === 0 ? [{ note: 'empty', text: 'Offers nothing' }] : [];
    case 'waiting':
      return [...why(state.error), { ...retry, detail: `Retrying at ${timeOfDay(state.retryAt)}.` }];
    case 'failed':
      return failureNotes(statusOf(state), state.error);
  }
}

function failureNotes(status: ServerStatus, error: unknown): readonly Note[] {
  if (status === 'needsTrust') return [{ ...trust, detail: describeError(error).message }];
  return [...why(error), status === 'needsSignIn' ? signIn : start, log];
}

const start: Note = { note: 'start', text: 'Start', command: CommandIds.startServer };
const disabled: Note = {
  note: 'disabled',
  text: 'Disabled. Enable',
  detail: 'This server does not start in this workspace until you enable it.',
  command: CommandIds.enableServer,
};
const starting: Note = {
  note: 'starting',
  text: 'Waiting for the server to answer…',
  detail: 'The first start can take a while: npx, uvx and docker download what they run. See the log for details.',
  command: CommandIds.showServerLog,
};
const asked: Note = {
  note: 'asked',
  text: 'Waiting for your answer…',
  detail: 'This server starts after you have answered the question that is open.',
};
const trust: Note = { note: 'trust', text: 'Review and Start…', command: CommandIds.startServer };
const signIn: Note = { note: 'signIn', text: 'Sign In…', command: CommandIds.signIn };
const refused: Note = { ...signIn, detail: 'The server refuses some requests until you sign in.' };
const muted: Note = {
  note: 'muted',
  text: 'Questions muted. Unmute',
  detail:
    'You declined several questions in a row. Its questions, or calls of its tools by others, are now declined automatically.',
  command: CommandIds.allowQuestions,
};
const unused: Note = { note: 'options', text: 'Options not used. Review…', command: CommandIds.allowOptions };
const silent: Note = {
  note: 'silent',
  text: 'Not answering. Restart',
  detail: 'The server did not answer a ping, so no other requests are sent to it. See its log for details.',
  command: CommandIds.restartServer,
};
const retry: Note = { note: 'retry', text: 'Restart Now', command: CommandIds.restartServer };
const stale: Note = { ...retry, note: 'stale', text: 'Restart to use the changed configuration' };
const log: Note = { note: 'log', text: 'Show Log', command: CommandIds.showServerLog };
const restricted: Note = {
  note: 'restricted',
  text: 'Restricted Mode. Manage Trust…',
  detail: 'Servers of this workspace do not start until you trust it.',
  command: 'workbench.trust.manage',
};

/** The row is narrow: it begins with what is said of no other failure. */
function why(error: unknown): readonly Note[] {
  const { message } = describeError(error);
  const reason = isPatchbayError(error) ? errorLine(error.detail ?? '') : '';
  return [{ note: 'error', text: singleLine(reason || message), detail: message, command: CommandIds.showWhy }];
}

/** The code of a server that runs is another one now. */
function codeNotes(development: HostServer['development']): readonly Note[] {
  const { staleFile, failure } = development ?? {};
  if (failure !== undefined) return why(failure);
  if (staleFile === undefined) return [];
  const detail = `${staleFile} changed since the server was started. Restart on Save, in the row of the server, does this for you.`;
  return [{ ...retry, note: 'stale', text: 'Restart to use the changed code', detail }];
}

/** The lists of a server that have something to say although they may be empty. */
export function notedLists(hostServer: HostServer | undefined): readonly ContentKind[] {
  const isNoted = ({ isLoading, failure }: ListState): boolean => isLoading || failure !== undefined;
  if (hostServer === undefined) return [];
  return contentKinds.map(({ kind }) => kind).filter((kind) => isNoted(hostServer.server.listState(kind)));
}

function schemasNote(faults: Faults): Note {
  const lines = [...faults].slice(0, 20).map(([{ name }, fault]) => `${singleLine(name, 60)}: ${fault}`);
  const text = `${countOf(faults.size, 'tool')} with an invalid schema`;
  return { note: 'schemas', text, detail: lines.join('\n'), command: 'workbench.actions.view.problems' };
}

function stdoutNote(count: number): Note {
  return {
    note: 'stdout',
    text: `Ignored ${countOf(count, 'line')} on stdout`,
    detail:
      'The server writes text to stdout that is not a protocol message. Write logs to stderr, with console.error in Node or print(…, file=sys.stderr) in Python. The lines are in its log.',
    command: CommandIds.showServerLog,
  };
}

/** The failure of a list is shown below its group. */
function problemsNote({ server }: HostServer): readonly Note[] {
  const failures = contentKinds.map(({ kind }) => server.listState(kind).failure);
  const problems = server.problems.filter((problem) => !failures.includes(problem));
  const count = problems.length;
  if (count === 0 || server.isRemembered) return [];
  const text = `${countOf(count, 'problem')} with what the server lists`;
  const detail = problems.slice(0, 20).join('\n');
  return [{ note: 'problems', text, detail, command: CommandIds.showServerDetails }];
}
