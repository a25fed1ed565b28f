import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkDebugger, debuggerName } from '../../../../src/host/development/debugFeature.ts';
import { showError } from '../../../../src/host/platform/showError.ts';
import { editor, type Question } from '../../../fixtures/vscode.ts';
import { freePort, isOwnPort } from '../../../../src/host/development/debugPort.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

it.runIf(process.platform === 'linux')(
  'a port that another user listens on is told from one of this user',
  async () => {
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    expect(await isOwnPort(port)).toBe(true);
    server.close();

    const table = join(await temporaryFolder(), 'tcp');
    const hex = port.toString(16).toUpperCase().padStart(4, '0');
    const line = (state: string, user: number): string =>
      `   1: 0100007F:${hex} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000 ${user} 0 1177883 1 0`;
    const isOwn = async (...lines: readonly string[]): Promise<boolean> => {
      await writeFile(table, ['  sl  local_address rem_address   st', ...lines].join('\n'));
      return isOwnPort(port, [table]);
    };
    const own = process.getuid?.() ?? 0;
    expect(await isOwn(line('0A', own))).toBe(true);
    expect(await isOwn(line('0A', own), line('0A', own + 1))).toBe(false);
    // Only a connection is left of who has closed the port for this look, and may open it again.
    expect(await isOwn(line('01', own + 1))).toBe(false);
    expect(await isOwn()).toBe(true);
  },
);

it('the name of a server has no variable of the editor in the configuration of its debugger', () => {
  expect(debuggerName('${command:workbench.action.tasks.build}')).toBe('$ {command:workbench.action.tasks.build}');
  expect(debuggerName('$${env:HOME} costs 5 $')).toBe('$$ {env:HOME} costs 5 $');
});

it('says which extension is missing, and opens the view of extensions on it', async () => {
  let error: unknown;
  try {
    checkDebugger('debugpy');
  } catch (thrown) {
    error = thrown;
  }
  editor.answer = ({ buttons }: Question) => buttons[0];
  showError(error);
  expect(editor.questions.at(-1)?.text).toMatch(/^The server cannot be debugged\. The extension “Python Debugger” /);
  await expect.poll(() => editor.executed).toContainEqual(['workbench.extensions.search', '@id:ms-python.debugpy']);
});
