import type { StdioLaunchPlan } from '../../base/launchPlan.ts';
import { type DebugTarget, splitPython } from './debugTarget.ts';

/** What is needed beside the plan: files of Patchbay, of the debugger's extension, and a free port of this machine. */
export interface DebugSetting {
  readonly port: number;
  /** The folder `media/debug` of the extension. */
  readonly scripts: string;
  /** Path of the module debugpy; `undefined`: that of the server's own Python is used. */
  readonly debugpy: string | undefined;
  readonly platform: NodeJS.Platform;
}

export const debugHost = '127.0.0.1';

/** debugpy warns on stderr of modules of Python that no one debugs. */
const quiet = { PYDEVD_DISABLE_FILE_VALIDATION: '1' };

const inspectOption = /^--inspect(?:-brk|-wait|-port)?(?:=.*)?$/;

/** The launch with a debugger, and what is different in it, in words without secrets. */
export interface DebugLaunch {
  readonly plan: StdioLaunchPlan;
  readonly added: string;
}

/** Varies a plan that the person has agreed to: nothing is left out of it. */
export function debugLaunch(plan: StdioLaunchPlan, target: DebugTarget, setting: DebugSetting): DebugLaunch {
  if (target.type === 'node') return target.by === 'arguments' ? nodeArguments(plan, setting) : nodeHook(plan, setting);
  return target.by === 'arguments' ? pythonArguments(plan, setting) : pythonHook(plan, setting);
}

function nodeArguments(plan: StdioLaunchPlan, { port }: DebugSetting): DebugLaunch {
  const own = `--inspect=${debugHost}:${port}`;
  const script = plan.args.findIndex((word) => !word.startsWith('-'));
  const isOption = (index: number): boolean => script === -1 || index < script;
  // A port of its own would be opened beside, or in place of, the one that the debugger is given.
  const args = plan.args.filter((word, index) => !(isOption(index) && inspectOption.test(word)));
  return { plan: { ...plan, args: [own, ...args] }, added: own };
}

function nodeHook(plan: StdioLaunchPlan, { port, scripts, platform }: DebugSetting): DebugLaunch {
  const file = [scripts, 'node', 'inspect.cjs'].join(platform === 'win32' ? '\\' : '/');
  // Quoted as Node.js reads it: a backslash escapes.
  const options = [plan.env['NODE_OPTIONS'], `--require ${JSON.stringify(file)}`].filter(Boolean).join(' ');
  const env = { ...plan.env, NODE_OPTIONS: options, PATCHBAY_DEBUG_PORT: String(port) };
  return { plan: { ...plan, env }, added: `NODE_OPTIONS=--require ${JSON.stringify(file)}` };
}

function pythonArguments(plan: StdioLaunchPlan, { port, debugpy }: DebugSetting): DebugLaunch {
  const listening = ['--listen', `${debugHost}:${port}`, '--wait-for-client'];
  const module = debugpy === undefined ? ['-m', 'debugpy'] : [debugpy];
  const added = [...module, ...listening];
  const { options = [], target = [] } = splitPython(plan.args) ?? {};
  const args = [...options, ...added, ...target];
  return { plan: { ...plan, args, env: { ...quiet, ...plan.env } }, added: added.join(' ') };
}

function pythonHook(plan: StdioLaunchPlan, { port, scripts, debugpy, platform }: DebugSetting): DebugLaunch {
  const [slash, colon] = platform === 'win32' ? ['\\', ';'] : ['/', ':'];
  const folder = [scripts, 'python'].join(slash);
  const path = [folder, plan.env['PYTHONPATH']].filter(Boolean).join(colon);
  const env = {
    ...quiet,
    ...plan.env,
    PYTHONPATH: path,
    PATCHBAY_DEBUG_PORT: String(port),
    ...(debugpy !== undefined && { PATCHBAY_DEBUGPY: debugpy }),
  };
  return { plan: { ...plan, env }, added: `PYTHONPATH=${folder}` };
}
