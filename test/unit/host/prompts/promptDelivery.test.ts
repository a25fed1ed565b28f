import { expect, it, vi } from 'vitest';
import type { ModelSubject } from '../../../../src/host/invocation/modelQuestion.ts';
import { deliver, type FilledPrompt } from '../../../../src/host/prompts/promptFeature.ts';
import type { ResultDocument } from '../../../../src/host/results/resultDocument.ts';
import { sampleServer } from '../sampleServer.ts';

vi.mock('vscode', () => ({ commands: { getCommands: async () => [] } }));

const filled: FilledPrompt = {
  host: sampleServer('demo'),
  prompt: { name: 'greet', title: 'Greet Someone' },
  values: { name: 'Ada' },
  result: { messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ada.' } }] },
  durationMs: 1,
  runAgain: async () => {},
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
  const targets = {
    show: (document: ResultDocument) => void shown.push(document),
    askModel: async (about: ModelSubject) => void asked.push(about),
  };
  return { targets, asked, shown };
}

it('asks a model with the messages of a prompt, which need no question', async () => {
  const { targets, asked, shown } = setUp();
  await deliver(filled, 'model', targets);
  expect(asked).toEqual([subject]);
  expect(shown).toEqual([]);
});

it('offers the same above the messages', async () => {
  const { targets, asked, shown } = setUp();
  await deliver(filled, 'show', targets);
  const action = shown[0]?.actions.find(({ label }) => label === 'Ask a Model…');
  await action?.run();
  expect(asked).toEqual([subject]);
});
