import { messageOf } from '../../base/errors.ts';
import type { Emitter } from '../../base/event.ts';
import { isString } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { formatCount, truncateWithCount } from '../../base/truncate.ts';
import type { Logger } from '../../base/logger.ts';
import type { AuditRecord } from '../../client/auditLog.ts';
import { appendLines, parseRecord, readRecords } from './auditStore.ts';

/** Milliseconds before a disk that could not be written to is tried again, and between two lines about it in the log. */
const retryMs = 1_000;
const sayingMs = 60_000;

export interface AuditQueueOptions {
  readonly path: string;
  /** The time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
  readonly didRecord: Emitter<AuditRecord>;
  /** Hides secrets in a text and cuts it; absent: it is only cut. */
  readonly redact?: ((text: string, maximum: number) => string) | undefined;
}

/**
 * Keeps records in memory until they are on disk. What does not fit there while the disk cannot be written to is counted, and
 * a record says so.
 */
export class AuditQueue {
  readonly #options: AuditQueueOptions;
  #lines: string[] = [];
  #characters = 0;
  #dropped = 0;
  /** A write is queued that has not begun. */
  #isRequested = false;
  #failedAt: number | undefined;
  #saidAt: number | undefined;
  /** Everything that uses the files, one after the other. */
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: AuditQueueOptions) {
    this.#options = options;
  }

  /** Takes a record, or counts it if no more can wait. */
  record(record: AuditRecord): void {
    this.#add(record);
    if (this.#isRequested) return;
    this.#isRequested = true;
    void this.#enqueue(async () => {
      this.#isRequested = false;
      if (!isWithin(retryMs, this.#failedAt, this.#options.now())) await this.#write();
    });
  }

  /** See `AuditFile.read`. */
  read(atSnapshot?: () => void): Promise<readonly AuditRecord[]> {
    return this.#enqueue(async () => {
      await this.#write();
      let stored: readonly AuditRecord[] = [];
      try {
        stored = await readRecords(this.#options.path);
      } catch (error) {
        this.#say(() => `The audit log could not be read from ${this.#options.path}: ${messageOf(error)}`);
      }
      atSnapshot?.();
      return [...stored, ...this.#lines.flatMap(parseRecord)];
    });
  }

  /** Tries once more to write what waits. */
  async flush(): Promise<void> {
    await this.#enqueue(() => this.#write());
  }

  #enqueue<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#work.then(step);
    this.#work = done;
    return done;
  }

  #add(given: AuditRecord): void {
    const record = boundTexts(given, this.#options.redact ?? truncateWithCount);
    const line = `${JSON.stringify(record)}\n`;
    const { waitingRecords, waitingCharacters } = limits.audit;
    if (this.#lines.length >= waitingRecords || this.#characters + line.length > waitingCharacters) {
      this.#dropped += 1;
      return;
    }
    this.#lines.push(line);
    this.#characters += line.length;
    this.#options.didRecord.fire(record);
  }

  /** Writes all that waits. Never rejects: what could not be written waits on. */
  async #write(): Promise<void> {
    try {
      while (this.#lines.length > 0) {
        const { written, error } = await appendLines(this.#options.path, this.#lines, this.#options.now());
        this.#forget(written);
        if (error !== undefined) throw error;
        if (this.#lines.length === 0) this.#addDropped();
      }
      if (this.#failedAt !== undefined) this.#options.logger.info('The audit log can be written again.');
      this.#failedAt = undefined;
    } catch (error) {
      this.#failedAt = this.#options.now();
      const count = formatCount(this.#lines.length);
      this.#say(
        () =>
          `The audit log could not be written to ${this.#options.path}: ${messageOf(error)} (${count} records wait)`,
      );
    }
  }

  #forget(count: number): void {
    for (const line of this.#lines.slice(0, count)) this.#characters -= line.length;
    this.#lines = this.#lines.slice(count);
  }

  #addDropped(): void {
    const count = this.#dropped;
    if (count === 0) return;
    this.#dropped = 0;
    const reason = 'The disk could not be written to, and no more records could wait.';
    const time = new Date(this.#options.now()).toISOString();
    this.#add({ time, server: '', action: 'log', outcome: 'lost records', detail: { dropped: count, reason } });
  }

  #say(message: () => string): void {
    if (isWithin(sayingMs, this.#saidAt, this.#options.now())) return;
    this.#saidAt = this.#options.now();
    this.#options.logger.error(message);
  }
}

/** False too where the clock was set back. */
function isWithin(milliseconds: number, since: number | undefined, now: number): boolean {
  return since !== undefined && now >= since && now < since + milliseconds;
}

const bodies: readonly string[] = ['request', 'answer'];

/** Many of them are a server's: names, URIs, why something failed. */
function boundTexts(record: AuditRecord, cut: (text: string, maximum: number) => string): AuditRecord {
  const { text, body, members } = limits.audit;
  const detail = Object.entries(record.detail)
    .slice(0, members)
    .map(([name, value]): [string, string | number | boolean] => {
      if (!isString(value)) return [name, value];
      return [name, cut(value, bodies.includes(name) ? body : text)];
    });
  return {
    ...record,
    server: cut(record.server, text),
    outcome: cut(record.outcome, text),
    detail: Object.fromEntries(detail),
  };
}
