import { fork } from 'node:child_process';
import { type Event, Emitter } from '../../base/event.ts';

/** A script of ours in a process of its own, which speaks in messages that JSON can carry. */
export interface ForkedScript {
  /** Lost when the process has ended. */
  post(message: object): void;
  readonly onMessage: Event<unknown>;
  /** Fires once. */
  readonly onExit: Event<ScriptEnd>;
  /** Whether this process stays for the sake of the other. It does not at first. */
  keepAlive(isWanted: boolean): void;
  /** Ends it whatever it does. */
  kill(): void;
}

/** How a script ended. `error` where it could not be started. */
export interface ScriptEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: string;
}

export interface ForkOptions {
  /** For what lives longer than a while. */
  readonly heapMegabytes: number;
  readonly args: readonly string[];
}

/** Of our environment: what the program itself may need to be found and loaded. Nothing of it is for the script. */
const passedVariables = ['SystemRoot', 'SYSTEMROOT', 'windir', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'LANG'];

/**
 * Runs a script with the program that runs this one.
 * @throws what the system says against another process, where it does not reach `onExit`
 */
export function forkScript(path: string, { heapMegabytes, args }: ForkOptions): ForkedScript {
  const onMessage = new Emitter<unknown>();
  const onExit = new Emitter<ScriptEnd>();
  const end = (how: ScriptEnd): void => {
    onExit.fire(how);
    onExit.dispose();
    onMessage.dispose();
  };
  const child = fork(path, args, {
    // Neither a debugger's options nor those of a person's NODE_OPTIONS are for it.
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    env: childEnvironment(),
    // Its last words when it runs out of memory are for nobody.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  });
  child.on('message', (message) => onMessage.fire(message));
  child.once('exit', (code, signal) => end({ code, signal }));
  child.on('error', (error) => {
    if (child.pid === undefined) end({ code: null, signal: null, error: error.message });
  });
  const keepAlive = (isWanted: boolean): void => {
    // The types know no channel's reference counts; Node has them since 7.1.
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
    // A message that cannot be sent any more is followed by the exit.
    post: (message) => void (child.connected && child.send(message, () => {})),
    onMessage: onMessage.event,
    onExit: onExit.event,
    keepAlive,
    kill: () => void child.kill('SIGKILL'),
  };
}

function childEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ELECTRON_RUN_AS_NODE: '1' };
  for (const name of passedVariables) if (process.env[name] !== undefined) environment[name] = process.env[name];
  return environment;
}
