import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Finding } from '../../../../src/host/diagnosis/diagnosis.ts';
import { diagnoseLocalCommand } from '../../../../src/host/diagnosis/localFindings.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

async function makeProgram(path: string, text: string): Promise<void> {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), text);
  await chmod(join(folder, path), 0o755);
}

function diagnose(command: string, environment: Record<string, string>): Promise<readonly Finding[]> {
  const plan = { kind: 'stdio', command, args: [], cwd: folder, env: {} } as const;
  const environments = { editor: environment, login: environment };
  return diagnoseLocalCommand(plan, environments, 'win32', AbortSignal.timeout(30_000));
}

describe('a diagnosis of a local command on Windows', () => {
  // A script of a shell stands for cmd.exe here, and Windows starts none.
  it.skipIf(process.platform === 'win32')('asks a batch file for its version through cmd.exe', async () => {
    await makeProgram('System32/cmd.exe', '#!/bin/sh\necho "10.9.0 $*"');
    await makeProgram('bin/npx.cmd', 'exit 1');
    const findings = await diagnose('npx.cmd', { Path: join(folder, 'bin'), SystemRoot: folder });
    expect(findings.map(({ title, outcome }) => [title, outcome])).toEqual([
      ['Command', 'fine'],
      ['Version', 'fine'],
    ]);
    const line = `/d /e:on /v:off /s /c ""${join(folder, 'bin', 'npx.cmd')}" "--version""`;
    expect(findings[1]?.seen).toEqual([`npx.cmd --version: 10.9.0 ${line}`]);
  });

  it('speaks of PATH and VS Code where a command is missing, as Windows has no login shells', async () => {
    const [command] = await diagnose('uvx', { Path: folder });
    expect(command).toMatchObject({ title: 'Command', outcome: 'problem' });
    expect(command?.meaning).toContain('VS Code reads PATH when it starts');
    expect(command?.meaning).not.toMatch(/shell|profile/);
  });
});
