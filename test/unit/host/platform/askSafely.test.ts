import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { askSafely } from '../../../../src/host/platform/dialogs.ts';

const showWarningMessage = vi.hoisted(() => vi.fn(async () => 'Start Server'));
vi.mock('vscode', () => ({ window: { showWarningMessage } }));

it('has the safe button first, where VS Code puts the focus', async () => {
  const question = {
    message: 'Start it?',
    detail: 'npx server',
    safe: 'Show Configuration',
    actions: ['Start Server'],
  };
  expect(await askSafely(question)).toBe('Start Server');
  const options = { modal: true, detail: 'npx server' };
  expect(showWarningMessage.mock.calls).toEqual([['Start it?', options, 'Show Configuration', 'Start Server']]);
});

it('is the only way to a modal question', () => {
  const host = fileURLToPath(new URL('../../../../src/host', import.meta.url));
  const sources = readdirSync(host, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const asking = sources
    .map((path) => readFileSync(join(host, path), 'utf8').replaceAll(/\/\/.*|\/\*[^]*?\*\//g, ''))
    .filter((code) => /\bmodal\b/.test(code));
  expect(asking.map((code) => code.includes(`function ${askSafely.name}<`))).toEqual([true]);
  expect(asking[0]?.match(/\bmodal\b/g)).toHaveLength(1);
});
