import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ActivationTimes, Delay, Measurement, Memory } from '../companion/measurements.ts';
import { repositoryRoot } from '../../tools/vscodeHost/paths.mjs';
import { driverTimeoutMs } from './timeouts.ts';

/** A call of Patchbay's API: what `ServerHandle.callTool` takes. */
export interface ToolCall {
  readonly server: string;
  readonly tool: string;
  readonly args?: object;
}

/** How the call ended, as JSON. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly message: string };

/** The test extension that runs beside Patchbay: it offers a language model and calls Patchbay's API when asked. */
export class Companion {
  /** Environment variables that the extension host needs. */
  readonly env: Readonly<Record<string, string>>;
  readonly #addressFile: string;
  /** The address of the extension host that a reload ends. It may still answer for a while, without doing what is asked. */
  #leftAddress = '';

  private constructor(folder: string) {
    this.#addressFile = join(folder, 'companion-address');
    this.env = { PATCHBAY_COMPANION_ADDRESS_FILE: this.#addressFile };
  }

  /**
   * Puts the extension's manifest and bundle where VS Code finds installed extensions when it first looks.
   * @param hasModels false for a window in which no extension offers a language model
   */
  static async install(folder: string, extensionsDir: string, hasModels: boolean): Promise<Companion> {
    const target = join(extensionsDir, 'patchbay-tests.companion-0.0.0');
    await mkdir(target, { recursive: true });
    const manifest = await readFile(join(repositoryRoot, 'test', 'ui', 'companion', 'package.json'), 'utf8');
    await writeFile(join(target, 'package.json'), hasModels ? manifest : withoutModels(manifest));
    await cp(join(repositoryRoot, 'dist', 'test', 'companion', 'extension.js'), join(target, 'extension.js'));
    return new Companion(folder);
  }

  /** Call before a reload of the window: later requests go to the companion of the next extension host. */
  async leave(): Promise<void> {
    this.#leftAddress = await this.#readAddress();
  }

  /** Calls a tool through Patchbay's API, starting the server if it does not run. Resolves when the call has ended. */
  async callTool(call: ToolCall): Promise<Outcome> {
    return this.#ask({ kind: 'callTool', ...call });
  }

  /** Starts servers, all at once. Resolves when all of them run. */
  async start(servers: readonly string[]): Promise<void> {
    const outcome = await this.#ask({ kind: 'start', servers });
    if (outcome.kind === 'error') throw new Error(outcome.message);
  }

  /** Runs a command, as any extension can. Resolves when it has ended. */
  async execute(id: string, args: readonly unknown[] = []): Promise<Outcome> {
    return this.#ask({ kind: 'execute', id, args });
  }

  /** Changes a user setting; `undefined` removes it. */
  async updateSetting(name: string, value: unknown): Promise<void> {
    const outcome = await this.#ask({ kind: 'updateSetting', name, value });
    if (outcome.kind === 'error') throw new Error(outcome.message);
  }

  /** Stands the clock of the extension host still while `act` runs: for Patchbay, no time goes by, however slow the machine is. */
  async withStoppedClock(act: () => Promise<void>): Promise<void> {
    await this.#setClock(true);
    try {
      await act();
    } finally {
      await this.#setClock(false);
    }
  }

  async #setClock(isStopped: boolean): Promise<void> {
    const outcome = await this.#ask({ kind: 'clock', isStopped });
    if (outcome.kind === 'error') throw new Error(outcome.message);
  }

  /** Activates an extension, by its id, that does not do that by itself. */
  async activate(extension: string): Promise<void> {
    await this.#measure({ what: 'activate', extension });
  }

  /** How long VS Code took to activate these extensions in this window, in their order. Resolves when all of them are. */
  async activationTimes<const Ids extends readonly string[]>(
    extensions: Ids,
  ): Promise<{ readonly [Index in keyof Ids]: ActivationTimes }> {
    return this.#measure({ what: 'activationTimes', extensions });
  }

  /** The memory that the extension host uses. */
  async memory(): Promise<Memory> {
    return this.#measure({ what: 'memory' });
  }

  /** The delays of the extension host's event loop while `act` ran, with the result of `act`. */
  async delayDuring<T>(act: () => Promise<T>): Promise<{ readonly result: T; readonly delay: Delay }> {
    await this.#measure({ what: 'watchDelay' });
    const result = await act();
    return { result, delay: await this.#measure({ what: 'delay' }) };
  }

  async #measure<T>(measurement: Measurement): Promise<T> {
    const outcome = await this.#ask({ kind: 'measure', measurement });
    if (outcome.kind === 'error') throw new Error(outcome.message);
    return outcome.result as T;
  }

  async #ask(request: object): Promise<Outcome> {
    const response = await fetch(await this.#address(), { method: 'POST', body: JSON.stringify(request) });
    return (await response.json()) as Outcome;
  }

  /** The companion of a reloaded window has a new address. */
  async #address(): Promise<string> {
    const deadline = performance.now() + driverTimeoutMs;
    while (performance.now() < deadline) {
      const address = await this.#readAddress();
      if (address !== '' && address !== this.#leftAddress && (await answers(address))) return address;
      await delay(100);
    }
    throw new Error('The companion extension did not start.');
  }

  /** @returns empty before the first companion has started */
  #readAddress(): Promise<string> {
    return readFile(this.#addressFile, 'utf8').catch(() => '');
  }
}

/** The models are all that the extension contributes. */
function withoutModels(manifest: string): string {
  const { contributes: _models, ...rest } = JSON.parse(manifest) as { readonly contributes: object };
  return JSON.stringify(rest);
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address)).ok;
  } catch {
    // Its extension host has ended; the next one writes a new address.
    return false;
  }
}
