import { isStdio } from '../../config/serverDefinition.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { abilitiesOf } from '../servers/serverStatus.ts';

/** What a server must be for a command to do something with it: the lists to choose from and the palette go by the same. */
export const serverConditions = {
  Idle: (hostServer) => abilitiesOf(hostServer).start,
  Active: (hostServer) => abilitiesOf(hostServer).stop,
  Restartable: (hostServer) => abilitiesOf(hostServer).restart,
  Running: ({ server }) => server.state.kind === 'running',
  Logging: (hostServer) => abilitiesOf(hostServer).setLogLevel,
  Instructions: ({ server }) => server.session?.instructions !== undefined,
  Tasks: ({ server }) => server.tasks.length > 0,
  Debugged: ({ isDebugged }) => isDebugged,
  Debuggable: ({ configured, isDebugged, isDisabled, isDebuggable }) =>
    configured.source.kind !== 'demo' && !isDebugged && !isDisabled && isDebuggable,
  Recorded: ({ isRecorded }) => isRecorded,
  Recordable: ({ isRecorded, isDisabled }) => !isRecorded && !isDisabled,
  Muted: ({ isMuted }) => isMuted,
  Question: ({ isAsking }) => isAsking,
  Withheld: ({ configured }) => configured.withheld !== undefined,
  Demo: ({ configured }) => configured.source.kind === 'demo',
  Developed: ({ development }) => development !== undefined,
  OnSave: ({ development }) => development?.restartsOnSave === true,
  Remote: ({ configured }) => !isStdio(configured.definition),
} as const satisfies Readonly<Record<string, (hostServer: HostServer) => boolean>>;
