import { expect, it } from 'vitest';
import type { ModelSubject } from '../../../../src/host/invocation/modelQuestion.ts';
import { deliver, type FilledPrompt } from '../../../../src/host/prompts/promptFeature.ts';
import type { ResultDocument } from '../../../../src/host/results/resultDocument.ts';
import { sampleServer } from '../sampleServer.ts';

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

it('asks a model with the messages of a prompt, which need no question, at once or above them', async () => {
  const asked: ModelSubject[] = [];
  const shown: ResultDocument[] = [];
  const askModel = async (about: ModelSubject) => void asked.push(about);
  const targets = { show: (document: ResultDocument) => void shown.push(document), askModel };
  await deliver(filled, 'model', targets);
  expect([asked, shown]).toEqual([[subject], []]);
  await deliver(filled, 'show', targets);
  await shown[0]?.actions.find(({ label }) => label === 'Ask a Model…')?.run();
  expect(asked).toEqual([subject, subject]);
});
