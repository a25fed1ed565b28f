import { appendFile, mkdir, readFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AsyncDisposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord, isString } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { Logger } from '../../base/logger.ts';
import type { AuditEntry, AuditLog, AuditRecord } from '../../client/auditLog.ts';

/** The audit log on disk: one JSON object a line, the current file and the one before it. */
export interface AuditFile extends AuditLog, AsyncDisposable {
  /** All records, oldest first, those not yet on disk included. */
  read(): Promise<readonly AuditRecord[]>;
}

/** Bytes; the file before is kept, so at most twice this is ever used. */
const maximumSize = 5_000_000;

/** @param now the time in milliseconds since the epoch */
export function createAuditFile(path: string, now: () => number, logger: Logger): AuditFile {
  const previousPath = `${path}.1`;
  let queued: string[] = [];
  let writing: Promise<void> = Promise.resolve();

  async function flush(): Promise<void> {
    const lines = queued;
    queued = [];
    if (lines.length === 0) return;
    try {
      await mkdir(dirname(path), { recursive: true });
      if ((await sizeOf(path)) > maximumSize) await rename(path, previousPath);
      await appendFile(path, lines.join(''), { mode: 0o600 });
    } catch (error) {
      logger.error(`The audit log could not be written to ${path}: ${messageOf(error)}`);
    }
  }

  return {
    record(entry) {
      const record: AuditRecord = { time: new Date(now()).toISOString(), ...boundTexts(entry) };
      queued.push(`${JSON.stringify(record)}\n`);
      if (queued.length === 1) writing = writing.then(flush);
    },
    async read() {
      await writing;
      const texts = await Promise.all([readIfThere(previousPath), readIfThere(path)]);
      return texts.join('').split('\n').flatMap(parseRecord);
    },
    dispose: () => writing,
  };
}

/** Many of them are a server's: names, URIs, why something failed. */
function boundTexts(entry: AuditEntry): AuditEntry {
  const cut = (text: string): string => truncateWithCount(text, limits.audit.text);
  const detail = Object.entries(entry.detail).map(
    ([name, value]) => [name, isString(value) ? cut(value) : value] as const,
  );
  return { ...entry, outcome: cut(entry.outcome), detail: Object.fromEntries(detail) };
}

function parseRecord(line: string): AuditRecord[] {
  if (line === '') return [];
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) && isString(value['time']) && isString(value['server'])
      ? [value as unknown as AuditRecord]
      : [];
  } catch {
    // A line cut short by a crash; the others still count.
    return [];
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    // Not there yet.
    return 0;
  }
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // Not there yet.
    return '';
  }
}
