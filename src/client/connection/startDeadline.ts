import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import type { Transport } from '../../transport/transport.ts';

/** Maximum milliseconds of a start with signs of life. */
export const maximumStartMs = 10 * 60_000;
/** Characters of what a server wrote last. */
const shownLength = 300;

/**
 * Ends a start that takes too long. A first start may install for minutes, and ending it would break what it installs: so a server that
 * still writes is waited for.
 */
export class StartDeadline implements Disposable {
  readonly #clock: Clock;
  readonly #onExpire: (reason: PatchbayError) => void;
  readonly #connectMs: number;
  #latest = 0;
  #timer: Disposable | undefined;
  #transport: Transport | undefined;
  #lastSign = -Infinity;
  #lastLine = '';
  /** The server has sent a message. */
  hasAnswered = false;

  /** @param connectMs the limit since the last sign of life */
  constructor(clock: Clock, connectMs: number, onExpire: (reason: PatchbayError) => void) {
    this.#clock = clock;
    this.#connectMs = connectMs;
    this.#onExpire = onExpire;
  }

  /** Begins anew. */
  start(milliseconds: number): void {
    this.#timer?.dispose();
    this.#latest = this.#clock.now() + Math.max(milliseconds, maximumStartMs);
    this.#wait(milliseconds);
  }

  /** What this server writes beside messages counts from now on. */
  follow(transport: Transport): void {
    this.#transport = transport;
    this.#lastLine = '';
    this.hasAnswered = false;
    transport.onMessage(() => (this.hasAnswered = true));
    transport.onLog(({ source, text }) => {
      if (source !== 'stderr' && source !== 'noise') return;
      this.#lastSign = this.#clock.now();
      this.#lastLine = text;
    });
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #wait(milliseconds: number): void {
    this.#timer = this.#clock.after(milliseconds, () => {
      const now = this.#clock.now();
      const leftMs = Math.min(this.#lastSign + this.#connectMs, this.#latest) - now;
      if (leftMs > 0) this.#wait(leftMs);
      else this.#onExpire(this.#timeout());
    });
  }

  #timeout(): PatchbayError {
    const seconds = Math.round(this.#connectMs / 1_000);
    const cause = causeOf(this.#transport?.unfinishedOutput?.() || this.#lastLine);
    return new PatchbayError('timeout', `The server did not finish its handshake within ${seconds} s. ${cause}`);
  }
}

const question =
  /\?\s*(?:[[(][^\])]{1,20}[\])])?\s*:?\s*$|[[(]y(?:es)?\/no?[\])]|press (?:enter|any key)|pass(?:word|phrase)\b[^:]{0,60}:\s*$/i;
const installing = /\b(?:install|download|fetch|resolv|pull|build|compil|extract|unpack)(?:ing|ed)?\b/i;

/** @param written the last that the server wrote, which may be an unfinished line */
function causeOf(written: string): string {
  const line = truncateWithEllipsis(written.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim(), shownLength);
  if (line === '') return 'See its log; a slow start needs a higher "timeouts.connectMs".';
  if (question.test(line))
    return `It seems to wait for an answer, which it cannot get here: “${line}”. Run its command once in a terminal, or add the option that answers, such as -y.`;
  if (installing.test(line))
    return `It seems to install something: “${line}”. Start it again, or raise "timeouts.connectMs".`;
  return `The last it wrote is: “${line}”. A slow start needs a higher "timeouts.connectMs".`;
}
