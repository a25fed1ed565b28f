import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { askSafely } from '../../../../src/host/platform/dialogs.ts';

const showWarningMessage = vi.hoisted(() => vi.fn(async () => 'Start Server'));
vi.mock('vscode', () => ({ window: { showWarningMessage } }));

const ticks = (each: number) => {
  let now = 0;
  return { now: () => (now += each) };
};

it('has the safe button first, where VS Code puts the focus', async () => {
  const question = {
    message: 'Start it?',
    detail: 'npx server',
    safe: 'Show Configuration',
    actions: ['Start Server'],
  };
  expect(await askSafely(question, ticks(1_000))).toBe('Start Server');
  const options = { modal: true, detail: 'npx server' };
  expect(showWarningMessage.mock.calls).toEqual([['Start it?', options, 'Show Configuration', 'Start Server']]);
});

it('asks again as long as an answer other than the safe one comes within a second', async () => {
  showWarningMessage.mockClear();
  const question = { message: 'Start it?', detail: 'npx server', safe: 'No', actions: ['Start Server'] };
  const times = [0, 150, 150, 1_149, 1_149, 2_149];
  expect(await askSafely(question, { now: () => times.shift() ?? 0 })).toBe('Start Server');
  const details = (showWarningMessage.mock.calls as unknown as readonly [string, { detail: string }][]).map(
    ([, { detail }]) => detail,
  );
  const again = 'You answered very quickly. Please check again.\n\nnpx server';
  expect(details).toEqual(['npx server', again, again]);
});

it('is cancelled after several answers in a row that come too early', async () => {
  showWarningMessage.mockClear();
  expect(await askSafely({ message: 'x', detail: '', safe: 'No', actions: ['Yes'] }, { now: () => 0 })).toBe(undefined);
  expect(showWarningMessage).toHaveBeenCalledTimes(5);
});

it.each(['No', undefined])('takes the safe answer at once: %s', async (answer) => {
  showWarningMessage.mockClear();
  showWarningMessage.mockResolvedValueOnce(answer as string);
  expect(await askSafely({ message: 'x', detail: '', safe: 'No', actions: ['Yes'] }, { now: () => 0 })).toBe(answer);
  expect(showWarningMessage).toHaveBeenCalledTimes(1);
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
