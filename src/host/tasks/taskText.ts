import type { ServerTask, TaskState } from '../../client/tasks/serverTask.ts';
import { type Fact, factsOf, singleLine } from '../platform/displayText.ts';
import type { IconId } from '../platform/themeIcon.ts';
import type { NodeOf } from '../servers/serverNodes.ts';

const states: Readonly<Record<TaskState, string>> = {
  working: 'working',
  input_required: 'waits for input',
  paused: 'paused until the server is started',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled by the server',
  lost: 'lost',
};

/** Where a task stands, with the server's words, on one line. */
export function describeTask({ state, message }: Pick<ServerTask, 'state' | 'message'>): string {
  const words = singleLine(message ?? '', 120);
  return words === '' ? states[state] : `${states[state]} · ${words}`;
}

const taskIcons: Readonly<Record<TaskState, IconId>> = {
  working: { id: 'loading~spin' },
  input_required: { id: 'question', color: 'problemsWarningIcon.foreground' },
  paused: { id: 'debug-pause' },
  completed: { id: 'pass', color: 'testing.iconPassed' },
  failed: { id: 'error', color: 'problemsErrorIcon.foreground' },
  cancelled: { id: 'circle-slash' },
  lost: { id: 'warning', color: 'problemsWarningIcon.foreground' },
};

export function taskIcon(state: TaskState): IconId {
  return taskIcons[state];
}

export function taskFacts({ item, server }: Pick<NodeOf<'task'>, 'item' | 'server'>): readonly Fact[] {
  const { state, message, tool, since } = item;
  const began = new Date(since).toLocaleString();
  return factsOf({ State: states[state], Message: message, Tool: tool, Since: began, Server: server });
}
