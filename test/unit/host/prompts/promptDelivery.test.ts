import { expect, it, vi } from 'vitest';
import type { ModelSubject } from '../../../../src/host/invocation/modelQuestion.ts';
import { createPromptDelivery, type FilledPrompt } from '../../../../src/host/prompts/promptDelivery.ts';
import type { ResultDocument } from '../../../../src/host/results/resultDocument.ts';
import { sampleServer } from '../sampleServer.ts';

vi.mock('vscode', () => ({ commands: { getCommands: async () => [] } }));

const filled: FilledPrompt = {
  host: sampleServer('demo'),
  prompt: { name: 'greet', title: 'Greet Someone' },
  values: { name: 'Ada' },
  result: { messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ada.' } }] },
  durationMs: 1,
};

const subject: ModelSubject = {
  server: 'demo',
  title: 'Greet Someone',
  about: 'prompt greet',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Greet Ada.' }] }],
  needsQuestion: false,
};

function setUp() {
  const asked: ModelSubject[] = [];
  const shown: ResultDocument[] = [];
  const deliver = createPromptDelivery({
    show: (document) => shown.push(document),
    askModel: async (about) => void asked.push(about),
    runAgain: async () => {},
  });
  return { deliver, asked, shown };
}

it('asks a model with the messages of a prompt, which need no question', async () => {
  const { deliver, asked, shown } = setUp();
  await deliver(filled, 'model');
  expect(asked).toEqual([subject]);
  expect(shown).toEqual([]);
});

it('offers the same above the messages', async () => {
  const { deliver, asked, shown } = setUp();
  await deliver(filled, 'show');
  const action = shown[0]?.actions.find(({ label }) => label === 'Ask a Model…');
  await action?.run();
  expect(asked).toEqual([subject]);
});
