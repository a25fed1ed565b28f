import { fork } from 'node:child_process';
import { Emitter } from '../../base/event.ts';

export type ForkedScript = ReturnType<typeof forkScript>;

interface ScriptEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: string;
}

/** Variables that the Node program may need to load. The script does not use them. */
const passedVariables = ['SystemRoot', 'SYSTEMROOT', 'windir', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'LANG'];

/** Messages are JSON values. @throws errors of `fork` that are not reported by `onExit` */
export function forkScript(
  path: string,
  { heapMegabytes, args }: { readonly heapMegabytes: number; readonly args: readonly string[] },
) {
  const onMessage = new Emitter<unknown>();
  const onExit = new Emitter<ScriptEnd>();
  const end = (how: ScriptEnd): void => {
    onExit.fire(how);
    onExit.dispose();
    onMessage.dispose();
  };
  const child = fork(path, args, {
    // Without the options of a debugger or of NODE_OPTIONS.
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    env: childEnvironment(),
    // Node prints a report when it runs out of memory, which is not needed.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  });
  child.on('message', (message) => onMessage.fire(message));
  child.once('exit', (code, signal) => end({ code, signal }));
  child.on('error', (error) => {
    if (child.pid === undefined) end({ code: null, signal: null, error: error.message });
  });
  const keepAlive = (isWanted: boolean): void => {
    // The types lack the reference counts of channels, which Node has since 7.1.
    const channel = child.channel as { ref(): void; unref(): void } | null | undefined;
    if (isWanted) {
      child.ref();
      channel?.ref();
    } else {
      child.unref();
      channel?.unref();
    }
  };
  keepAlive(false);
  return {
    /** Sends a message; it is lost if the process has ended, and `onExit` follows. */
    post: (message: object): void => void (child.connected && child.send(message, () => {})),
    onMessage: onMessage.event,
    onExit: onExit.event,
    /** true: this process stays alive as long as the script runs; false (the default): it does not wait. */
    keepAlive,
    kill: (): void => void child.kill('SIGKILL'),
  };
}

function childEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ELECTRON_RUN_AS_NODE: '1' };
  for (const name of passedVariables) if (process.env[name] !== undefined) environment[name] = process.env[name];
  return environment;
}
