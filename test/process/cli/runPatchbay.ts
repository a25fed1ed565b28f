import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Written to standard input, which is then closed. */
  readonly input?: string;
  readonly onStart?: (child: ChildProcess) => void;
}

const program = fileURLToPath(new URL('../../../dist/patchbay.mjs', import.meta.url));

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/servers/${name}`, import.meta.url));
}

/** Runs the command line as it ships, in a process of its own. */
export function patchbay(args: readonly string[], { cwd, env, input = '', onStart }: RunOptions = {}): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...process.env, ...env } });
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text));
  // A program that does not read has closed it.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  onStart?.(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...texts }));
  });
}
