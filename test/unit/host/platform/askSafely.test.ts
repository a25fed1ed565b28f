import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it, vi } from 'vitest';
import { askSafely } from '../../../../src/host/platform/dialogs.ts';
import { editor } from '../../../fixtures/vscode.ts';

beforeEach(() => void (editor.answer = 'Start Server'));

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
  const buttons = ['Show Configuration', 'Start Server'];
  expect(editor.questions).toMatchObject([{ text: 'Start it?', options, buttons }]);
});

it('asks again as long as an answer other than the safe one comes within a second', async () => {
  const question = { message: 'Start it?', detail: 'npx server', safe: 'No', actions: ['Start Server'] };
  const times = [0, 150, 150, 1_149, 1_149, 2_149];
  expect(await askSafely(question, { now: () => times.shift() ?? 0 })).toBe('Start Server');
  const again = 'You answered very quickly. Please check again.\n\nnpx server';
  expect(editor.questions.map(({ detail }) => detail)).toEqual(['npx server', again, again]);
});

it('is cancelled after several answers in a row that come too early', async () => {
  expect(await askSafely({ message: 'x', detail: '', safe: 'No', actions: ['Yes'] }, { now: () => 0 })).toBe(undefined);
  expect(editor.questions).toHaveLength(5);
});

it.each(['No', undefined])('takes the safe answer at once: %s', async (answer) => {
  editor.answer = answer;
  expect(await askSafely({ message: 'x', detail: '', safe: 'No', actions: ['Yes'] }, { now: () => 0 })).toBe(answer);
  expect(editor.questions).toHaveLength(1);
});

it('asks one question after the other: none is read behind another', async () => {
  const answers: ((answer: string) => void)[] = [];
  editor.answer = () => new Promise<string>((resolve) => answers.push(resolve));
  const question = { detail: '', safe: 'No', actions: ['Yes'] };
  const asked = ['one', 'two'].map((message) => askSafely({ ...question, message }, ticks(1_000)));
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  answers[0]?.('Yes');
  expect(await asked[0]).toBe('Yes');
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  expect(editor.questions.map(({ text }) => text)).toEqual(['one', 'two']);
  answers[1]?.('No');
  expect(await asked[1]).toBe('No');
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
