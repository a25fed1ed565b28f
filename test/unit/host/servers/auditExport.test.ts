import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, type Mock, vi } from 'vitest';
import type { AuditRecord } from '../../../../src/client/auditLog.ts';
import { exportAuditLog, toJsonLines } from '../../../../src/host/servers/auditExport.ts';
import type { AuditFilter } from '../../../../src/shared/auditView.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';
import { editor, Uri, window } from '../../../fixtures/vscode.ts';

const records: readonly AuditRecord[] = [
  {
    time: '2026-01-02T03:04:05.000Z',
    server: 'a',
    action: 'toolCall',
    outcome: 'done',
    detail: { tool: 'add\u202E\n' },
  },
  { time: '2026-01-02T03:04:06.000Z', server: 'b', action: 'sampling', outcome: 'approved', detail: { cost: 0.5 } },
];
const filter: AuditFilter = { text: '', server: 'b', action: '', outcome: '', since: undefined, isModelOnly: false };
const audit = { read: () => Promise.resolve(records) };

describe('the export of the audit log', () => {
  let folder: string;
  let path: string;
  let showSaveDialog: Mock<(options: unknown) => Promise<unknown>>;

  beforeEach(async () => {
    folder = await temporaryFolder();
    path = join(folder, 'out.jsonl');
    showSaveDialog = vi.fn(async (_options: unknown): Promise<unknown> => Uri.file(path));
    Object.assign(window, { showSaveDialog });
    editor.folders = undefined;
  });

  const exported = async (): Promise<unknown[]> =>
    (await readFile(path, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));

  it('writes one record a line, and shows what it wrote', async () => {
    await exportAuditLog(audit);
    expect(await exported()).toEqual(records);
    const [options] = showSaveDialog.mock.calls[0] ?? [];
    expect(options).toMatchObject({ defaultUri: { path: expect.stringMatching(/patchbay-audit\.jsonl$/) } });
    expect(editor.said).toEqual([`Exported all 2 records to ${path}.`]);
  });

  it('writes what the filters let through, and says so', async () => {
    await exportAuditLog(audit, filter);
    expect(await exported()).toEqual([records[1]]);
    expect(editor.said[0]).toContain('the 1 of 2 records that match the filters');
  });

  it('writes nothing when no file is chosen', async () => {
    showSaveDialog.mockResolvedValue(undefined);
    await exportAuditLog(audit);
    expect(await readdir(folder)).toEqual([]);
    expect(editor.said).toEqual([]);
  });

  it('leaves a file of another kind to VS Code', async () => {
    showSaveDialog.mockResolvedValue(Uri.from({ scheme: 'memfs', path: '/x' }));
    await exportAuditLog(audit);
    expect(editor.files.get('/x')?.text).toBe(toJsonLines(records));
    expect(await readdir(folder)).toEqual([]);
  });

  it('is empty where there are no records', () => {
    expect(toJsonLines([])).toBe('');
  });

  it('has lines that no editor breaks, and no characters that cannot be seen', () => {
    const odd: AuditRecord = {
      time: 't',
      server: 's',
      action: 'log',
      detail: {},
      outcome: 'a\u2028b\u2029c\u0085d\u0007',
    };
    const text = toJsonLines([odd]);
    expect(text).toMatch(/^[ -~]+\n$/);
    expect(JSON.parse(text)).toEqual(odd);
  });

  it('replaces a file as a whole, for the user alone, and leaves nothing beside it', async () => {
    await writeFile(path, 'old and longer'.repeat(100));
    await exportAuditLog(audit);
    expect(await exported()).toEqual(records);
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o077).toBe(0);
    expect(await readdir(folder)).toEqual(['out.jsonl']);
  });

  it('leaves a link as it is, and writes what it leads to', async () => {
    await writeFile(join(folder, 'target'), 'old');
    await symlink(join(folder, 'target'), path);
    await exportAuditLog(audit);
    expect(await readFile(join(folder, 'target'), 'utf8')).toBe(toJsonLines(records));
  });

  it('leaves nothing behind when it cannot be put in its place', async () => {
    await mkdir(join(path, 'inside'), { recursive: true });
    await expect(exportAuditLog(audit)).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['out.jsonl']);
  });
});
