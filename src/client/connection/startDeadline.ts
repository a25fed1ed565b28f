import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { withoutTerminalColours } from '../../base/visibleText.ts';
import type { Transport, TransportLog } from '../../transport/transport.ts';

/** Maximum milliseconds of a start with signs of life. */
export const maximumStartMs = 10 * 60_000;
/** After this many milliseconds repeated output is no sign of life: a server may log without end that it waits. */
const anySignMs = 60_000;
/** Output comes steadily with pauses of up to this many milliseconds. */
const steadyMs = 10_000;
/** A program that installs may be silent for this many times the limit: `npx -y` writes nothing until the server does. */
const silentTimes = 3;
/** Lines that are known as such that were there before. */
const maximumKnown = 1_000;
/** Characters of what a server wrote last. */
const shownLength = 300;

/**
 * Ends a start that takes too long. A first start may install or load for minutes, and ending it would break what it installs: so a
 * server that writes about it, or steadily writes something new, has more time, and so has a silent program that installs servers;
 * other output counts in the first minute alone.
 */
export class StartDeadline implements Disposable {
  readonly #clock: Clock;
  readonly #onExpire: (reason: PatchbayError) => void;
  readonly #connectMs: number;
  #startedAt = 0;
  #timer: Disposable | undefined;
  #transport: Transport | undefined;
  readonly #listeners = new DisposableStore();
  #lastSign = -Infinity;
  /** The last with a letter in it. */
  #lastLine = '';
  #lastLineAt = -Infinity;
  /** Lines without their digits. */
  readonly #known = new Set<string>();
  /** The server has sent a message. */
  hasAnswered = false;
  /** The program that may install the server before it runs it. */
  readonly #installer: string | undefined;

  /** @param connectMs the limit since the last sign of life */
  constructor(clock: Clock, connectMs: number, plan: LaunchPlan, onExpire: (reason: PatchbayError) => void) {
    this.#clock = clock;
    this.#connectMs = connectMs;
    this.#installer = installerOf(plan);
    this.#onExpire = onExpire;
  }

  /** Starts the time limit again. */
  start(): void {
    this.#timer?.dispose();
    this.#startedAt = this.#clock.now();
    this.#wait(this.#connectMs);
  }

  /**
   * What this server writes beside messages counts from now on.
   * @param startsAgain it may have stopped reading, whatever it logs: until it answers, what it writes from time to time does not count
   */
  follow(transport: Transport, startsAgain: boolean): void {
    this.#listeners.clear();
    this.#transport = transport;
    this.#lastLine = '';
    this.#lastLineAt = -Infinity;
    this.#known.clear();
    this.hasAnswered = false;
    this.#listeners.add(transport.onMessage(() => (this.hasAnswered = true)));
    const onLog = (entry: TransportLog): void => {
      // The texts of others are built when they are read.
      if (entry.source !== 'stderr' && entry.source !== 'noise') return;
      if (/\p{L}/u.test(entry.text)) this.#lastLine = entry.text;
      const now = this.#clock.now();
      const isSteady = now - this.#lastLineAt <= steadyMs;
      this.#lastLineAt = now;
      const isEarly = now - this.#startedAt <= anySignMs;
      const counts = isSteady ? this.#isNew(entry.text) || isEarly : isEarly && (this.hasAnswered || !startsAgain);
      if (counts || installing.test(entry.text)) this.#lastSign = now;
    };
    this.#listeners.add(transport.onLog(onLog));
  }

  /** False for a line that was there before with other times or numbers. */
  #isNew(line: string): boolean {
    const words = line.slice(0, shownLength).replace(/\d+/g, '');
    const isNew = !this.#known.has(words);
    if (this.#known.size < maximumKnown) this.#known.add(words);
    return isNew;
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#listeners.dispose();
  }

  #wait(milliseconds: number): void {
    this.#timer = this.#clock.after(milliseconds, () => {
      const now = this.#clock.now();
      const latest = this.#startedAt + Math.max(this.#connectMs, maximumStartMs);
      const isSilent = this.#lastLineAt === -Infinity && !this.hasAnswered;
      const silentMs = this.#installer !== undefined && isSilent ? this.#connectMs * silentTimes : 0;
      const until = Math.max(this.#lastSign + this.#connectMs, this.#startedAt + silentMs);
      const leftMs = Math.min(until, latest) - now;
      if (leftMs > 0) this.#wait(leftMs);
      else this.#onExpire(this.#timeout());
    });
  }

  #timeout(): PatchbayError {
    const seconds = Math.round((this.#clock.now() - this.#startedAt) / 1_000);
    const cause = causeOf(this.#transport?.unfinishedOutput?.() || this.#lastLine, this.#installer);
    return new PatchbayError('timeout', `The server did not finish its handshake within ${seconds} s. ${cause}`);
  }
}

const question =
  /\?\s*(?:[[(][^\])]{1,20}[\])])?\s*:?\s*$|[[(]y(?:es)?\/no?[\])]|press (?:enter|any key)|pass(?:word|phrase)\b[^:]{0,60}:\s*$/i;
/** Words and signs of what package managers, compilers and containers write. `3 of 12` is progress, `2026/11/26` a date. */
const installing = new RegExp(
  [
    /\b(?:install|download|fetch|resolv|collect|prepar|pull|build|built|compil|extract|unpack|restor|clon[ei])\w*/,
    /\b(?:creat|updat|link|load|index|receiv|sync|solv)ing\b|\bsetting up\b/,
    /^(?:npm|go:|cargo:?) |^Get:\d|^#\d+ |\b\d{1,3}%|(?<![\d/])\b\d{1,6}\s?(?:\/|of)\s?\d{1,6}\b(?!\/)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

const installers =
  /(?:^|[\\/])((?:p?np|bun|uv)x|p?npm|yarn|bun|uv|pipx|go|cargo|dotnet|dnx|deno|docker|podman)(?:\.(?:exe|cmd))?$/i;

/** @returns the name of a program that installs or builds a server when it starts it */
function installerOf(plan: LaunchPlan): string | undefined {
  if (plan.kind !== 'stdio') return undefined;
  const [program = plan.command] = /(?:^|[\\/])cmd(?:\.exe)?$/i.test(plan.command)
    ? plan.args.filter((argument) => !argument.startsWith('/'))
    : [];
  return installers.exec(program)?.[1];
}

/** @param written the last that the server wrote, which may be an unfinished line */
function causeOf(written: string, installer: string | undefined): string {
  const text = withoutTerminalColours(written)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  const line = text.length > shownLength ? `…${text.slice(-shownLength)}` : text;
  if (line === '' && installer !== undefined)
    return `It has written nothing: ${installer} may still be installing it. Run its command once in a terminal, or raise "timeouts.connectMs".`;
  if (line === '') return 'See its log; a slow start needs a higher "timeouts.connectMs".';
  if (question.test(line))
    return `It seems to wait for an answer, which it cannot get here: “${line}”. Run its command once in a terminal, or add the option that answers, such as -y.`;
  if (installing.test(line))
    return `It seems to install something: “${line}”. Start it again, or raise "timeouts.connectMs".`;
  return `The last it wrote is: “${line}”. A slow start needs a higher "timeouts.connectMs".`;
}
