import { messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { isString } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { formatCount, truncateWithCount } from '../../base/truncate.ts';
import type { AuditEntry, AuditRecord } from '../../client/auditLog.ts';
import type * as auditStore from './auditStore.ts';

/** Milliseconds before a disk that could not be written to is tried again, and between two lines about it in the log. */
const retryMs = 1_000;
const sayingMs = 60_000;

type Cut = (text: string, maximum: number) => string;

/**
 * The audit log on disk: one JSON object a line, the current file and the one before it. Keeps records in memory until they are
 * on disk. What does not fit there while the disk cannot be written to is counted, and a record says so. What writes the log
 * is loaded with the first record.
 */
export class AuditFile {
  readonly #path: string;
  readonly #now: () => number;
  readonly #logger: Logger;
  readonly #loadRedact: (() => Promise<Cut>) | undefined;
  readonly #didRecord = new Emitter<AuditRecord>();
  #store: typeof auditStore | undefined;
  #redact: Cut = truncateWithCount;
  /** Records from before {@link #load} is done. */
  #early: AuditRecord[] = [];
  #lines: string[] = [];
  #characters = 0;
  #dropped = 0;
  /** A write is queued that has not begun. */
  #isRequested = false;
  #failedAt: number | undefined;
  #saidAt: number | undefined;
  /** Everything that uses the files, one after the other. */
  #work: Promise<unknown> = Promise.resolve();

  /** A record of this window, as it will be read. */
  readonly onDidRecord = this.#didRecord.event;

  /**
   * @param now the time in milliseconds since the epoch
   * @param loadRedact loads what hides secrets in the texts of a record and cuts them; without it they are only cut
   */
  constructor(path: string, now: () => number, logger: Logger, loadRedact?: () => Promise<Cut>) {
    this.#path = path;
    this.#now = now;
    this.#logger = logger;
    this.#loadRedact = loadRedact;
  }

  /** Takes a record, or counts it if no more can wait. */
  record(entry: AuditEntry): void {
    const record: AuditRecord = Object.assign({ time: new Date(this.#now()).toISOString() }, entry);
    if (this.#store === undefined) this.#early.push(record);
    else this.#add(record);
    if (this.#isRequested) return;
    this.#isRequested = true;
    void this.#enqueue(async () => {
      this.#isRequested = false;
      await this.#load();
      if (!isWithin(retryMs, this.#failedAt, this.#now())) await this.#write();
    });
  }

  /**
   * All records, oldest first, those not yet on disk included.
   * @param atSnapshot called in the turn in which the last record is taken: later ones come by `onDidRecord`
   */
  read(atSnapshot?: () => void): Promise<readonly AuditRecord[]> {
    return this.#enqueue(async () => {
      await this.#load();
      await this.#write();
      if (this.#store === undefined) throw new Error('The audit log could not be loaded.');
      const { parseRecord, readRecords } = this.#store;
      let stored: readonly AuditRecord[] = [];
      try {
        stored = await readRecords(this.#path);
      } catch (error) {
        this.#say(`The audit log could not be read from ${this.#path}: ${messageOf(error)}`);
      }
      atSnapshot?.();
      return [...stored, ...this.#lines.flatMap((line) => parseRecord(line) ?? [])];
    });
  }

  /** Tries once more to write what waits. */
  async dispose(): Promise<void> {
    if (this.#store === undefined && this.#early.length === 0) return;
    await this.#enqueue(async () => {
      await this.#load();
      await this.#write();
    });
  }

  #enqueue<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#work.then(step);
    this.#work = done.catch(() => {});
    return done;
  }

  async #load(): Promise<void> {
    if (this.#store !== undefined) return;
    try {
      const [store, redact] = await Promise.all([import('./auditStore.ts'), this.#loadRedact?.()]);
      this.#store = store;
      this.#redact = redact ?? truncateWithCount;
    } catch (error) {
      // The extension was removed while it ran.
      this.#logger.error(`The audit log could not be loaded: ${messageOf(error)}`);
    }
    const early = this.#early.splice(0);
    if (this.#store !== undefined) for (const record of early) this.#add(record);
  }

  #add(given: AuditRecord): void {
    const record = boundTexts(given, this.#redact);
    const line = `${JSON.stringify(record)}\n`;
    const { waitingRecords, waitingCharacters } = limits.audit;
    if (this.#lines.length >= waitingRecords || this.#characters + line.length > waitingCharacters) {
      this.#dropped += 1;
      return;
    }
    this.#lines.push(line);
    this.#characters += line.length;
    this.#didRecord.fire(record);
  }

  /** Writes all that waits. Never rejects: what could not be written waits on. */
  async #write(): Promise<void> {
    try {
      while (this.#store !== undefined && this.#lines.length > 0) {
        const { written, error } = await this.#store.appendLines(this.#path, this.#lines, this.#now());
        for (const line of this.#lines.splice(0, written)) this.#characters -= line.length;
        if (error !== undefined) throw error;
        if (this.#lines.length === 0) this.#addDropped();
      }
      if (this.#failedAt !== undefined) this.#logger.info('The audit log can be written again.');
      this.#failedAt = undefined;
    } catch (error) {
      this.#failedAt = this.#now();
      const count = formatCount(this.#lines.length);
      this.#say(`The audit log could not be written to ${this.#path}: ${messageOf(error)} (${count} records wait)`);
    }
  }

  #addDropped(): void {
    const count = this.#dropped;
    if (count === 0) return;
    this.#dropped = 0;
    const reason = 'The disk could not be written to, and no more records could wait.';
    const time = new Date(this.#now()).toISOString();
    this.#add({ time, server: '', action: 'log', outcome: 'lost records', detail: { dropped: count, reason } });
  }

  #say(message: string): void {
    if (isWithin(sayingMs, this.#saidAt, this.#now())) return;
    this.#saidAt = this.#now();
    this.#logger.error(message);
  }
}

/** False too where the clock was set back. */
function isWithin(milliseconds: number, since: number | undefined, now: number): boolean {
  return since !== undefined && now >= since && now < since + milliseconds;
}

const bodies: readonly string[] = ['request', 'answer'];

/** Many of them are a server's: names, URIs, why something failed. */
function boundTexts(record: AuditRecord, cut: Cut): AuditRecord {
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
